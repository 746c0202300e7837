/** Filters by days: in the zone of the browser, which a cookie names, and in UTC without it. */
import { expect, it } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { signedIn } from "../../conformance/testkit/browsers/Browser.ts"
import { hrefs, order, withMug } from "../../conformance/testkit/browsers/MugShop.ts"
import { memory, onHosts, TestHost } from "../../conformance/testkit/hosts/TestHost.ts"
import { dayAt, timeFields } from "./Query.ts"
import { english } from "./texts/English.ts"
import { Visit } from "./Visit.ts"

/** Days in zones, the instants at which they begin, and those at which the next ones do. */
const days = [
  ["", "2026-10-05", "2026-10-05T00:00:00Z", "2026-10-06T00:00:00Z"],
  ["Europe/Berlin", "2026-10-05", "2026-10-04T22:00:00Z", "2026-10-05T22:00:00Z"],
  ["Pacific/Auckland", "2026-10-05", "2026-10-04T11:00:00Z", "2026-10-05T11:00:00Z"],
  ["America/Los_Angeles", "2026-10-05", "2026-10-05T07:00:00Z", "2026-10-06T07:00:00Z"],
  // Summer time ends: 25 hours. It begins: 23 hours.
  ["Europe/Berlin", "2026-10-25", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"],
  ["America/New_York", "2026-03-08", "2026-03-08T05:00:00Z", "2026-03-09T04:00:00Z"],
  // A day that has no midnight.
  ["Africa/Cairo", "2026-04-24", "2026-04-23T22:00:00Z", "2026-04-24T21:00:00Z"],
  ["Europe/Nowhere", "2026-10-05", "2026-10-05T00:00:00Z", "2026-10-06T00:00:00Z"],
  ["<b>", "2026-10-05", "2026-10-05T00:00:00Z", "2026-10-06T00:00:00Z"],
] as const

onHosts("Days of filters", [memory], (onHost) => {
  onHost.effect("MUST be of the browser's zone, over a change of summer time too, and say which zone it is (D69)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* withMug(send)
      const edges = [...new Set(days.flatMap(([, , begin, end]) => [begin, end]))].flatMap((edge) => [
        new Date(Date.parse(edge) - 1000).toISOString(),
        edge,
      ])
      for (const orderedAt of edges) yield* order(send, shop, { id: orderedAt.replace(".000", ""), orderedAt })
      const browser = yield* signedIn(send, shop)
      for (const [zone, day, begin, end] of days) {
        browser.cookies.set("designwire_zone", zone)
        const page = yield* browser.open(`/settings/orders?from=${day}&to=${day}`)
        const found = hrefs(page.text, "./orders/").map((href) => decodeURIComponent(href.slice(9)))
        const wanted = edges
          .filter((at) => Date.parse(at) >= Date.parse(begin) && Date.parse(at) < Date.parse(end))
          .map((at) => at.replace(".000", ""))
        expect([zone, day, found.toSorted()]).toEqual([zone, day, [...new Set(wanted)].toSorted()])
        expect(page.read).toContain(`Time ${zone.includes("/") && zone !== "Europe/Nowhere" ? zone : "UTC"} All`)
      }
    }),
  )
})

it("MUST begin today at the last midnight of the browser's zone (D69)", () => {
  const now = Date.parse("2026-10-25T23:30:00Z")
  const begins = [
    ["UTC", "2026-10-25", "2026-10-25T00:00:00.000Z"],
    ["Europe/Berlin", "2026-10-26", "2026-10-25T23:00:00.000Z"],
    ["America/Los_Angeles", "2026-10-25", "2026-10-25T07:00:00.000Z"],
  ] as const
  for (const [name, day, begin] of begins) {
    const zone = DateTime.zoneMakeNamedUnsafe(name)
    const visit = { now, texts: english } as Visit["Service"]
    const [, sinceOf] = Effect.runSync(Effect.provideService(timeFields(zone), Visit, visit)).from
    const today = sinceOf("today")
    expect([name, dayAt(zone, now), new Date(today ?? 0).toISOString()]).toEqual([name, day, begin])
  }
})
