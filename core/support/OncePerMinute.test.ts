import { expect, it } from "vitest"
import { OncePerMinute } from "./OncePerMinute.ts"

it("MUST report each subject at once, then once a minute, with the number of times", () => {
  const reports: Array<string> = []
  let now = 5
  const often = new OncePerMinute(
    (sentence) => reports.push(sentence),
    () => now,
  )
  const note = (subject: string) => often.note(subject, (times) => `${subject} ${times}`)
  for (const subject of ["a", "a", "b", "a"]) note(subject)
  expect(reports).toEqual(["a 1", "b 1"])
  now += 59_999
  note("a")
  expect(reports).toHaveLength(2)
  now += 1
  for (const subject of ["a", "b", "a"]) note(subject)
  expect(reports.slice(2)).toEqual(["a 4", "b 1"])
})
