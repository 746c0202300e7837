/** The words for times. */
import { h } from "preact"
import { renderToString } from "preact-render-to-string"
import { expect, it } from "vitest"
import { Time } from "./Time.tsx"

const at = "2026-10-05T14:48:00.000+00:00"
const [second, hour, day] = [1000, 3_600_000, 86_400_000]

/** The text of a time, so long after it. */
const after = (distance: number, exact = false) =>
  />([^<]*)</.exec(renderToString(h(Time, { at, now: Date.parse(at) + distance, exact })))?.[1]

it("a time MUST be relative up to a month, in its largest whole unit, and a date beyond", () => {
  expect([0, 999, second, 59 * second].map((distance) => after(distance))).toEqual([
    "now",
    "now",
    "1 second ago",
    "59 seconds ago",
  ])
  expect([hour - 1, hour, day - 1, day, 31 * day].map((distance) => after(distance))).toEqual([
    "59 minutes ago",
    "1 hour ago",
    "23 hours ago",
    "1 day ago",
    "31 days ago",
  ])
  expect(after(31 * day + 1)).toBe("5 Oct 2026")
  expect(after(-2 * day)).toBe("in 2 days")
  expect(after(hour, true)).toBe("5 Oct 2026, 14:48:00 UTC")
})
