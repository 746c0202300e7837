/** The lines of an embedded service on the console of its application. */
import { Effect } from "effect"
import pg from "pg"
import { expect, it, onTestFinished, vi } from "vitest"
import { ringInput } from "../../conformance/suites/service/Samples.ts"
import { embed, fill, orderOf, receiver } from "../../conformance/testkit/hosts/EmbedWorld.ts"
import { fromPgPool } from "./index.ts"

/** A terminal would act on these, or show them as another line. */
const harmful = ["\u001b", "\u009b", "\u0085", "\u2028", "\u2029", "\u202e", "\u2066", "\u061c"]

const said = `said ${harmful.join("")} and more`

/** The texts that are printed until the test ends, one for each call. */
const printed = (): Array<string> => {
  const lines: Array<string> = []
  const spies = (["log", "error", "warn", "info"] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation((...parts) => void lines.push(parts.join(" "))),
  )
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore()
  })
  return lines
}

const expectEscaped = (line: string | undefined): void => {
  expect(line).toContain("said \\u001b\\u009b")
  expect(line).toContain("and more")
  for (const character of harmful) expect(line).not.toContain(character)
}

it("MUST escape what a failing database said about requests without an answer", async () => {
  const lines = printed()
  const pool = new pg.Pool({ host: "127.0.0.1", port: 1 })
  onTestFinished(() => pool.end())
  vi.spyOn(pool, "connect").mockImplementation(() => Promise.reject(new Error(said)))
  const designwire = await embed({ database: fromPgPool(pool) })
  const { status } = await designwire.handler(new Request("http://localhost/api/v1/orders"))
  expect(status).toBe(503)
  expectEscaped(lines.find((line) => line.includes("http.unanswered")))
})

it("MUST escape what a failure of onNotice said", async () => {
  const lines = printed()
  const designwire = await embed({ retrySchedule: "1ms", onNotice: () => Promise.reject(new Error(said)) })
  await fill(designwire)
  const receiving = await receiver(() => Effect.succeed(503))
  await designwire.webhooks.create("acme", { url: receiving.url("/hook") })
  await designwire.designs.save("acme", "d-1", ringInput)
  await designwire.orders.place("acme", "1", orderOf("d-1"))
  const failed = () => lines.find((line) => line.includes("notices.send_failed"))
  for (let drains = 0; drains < 50 && failed() === undefined; drains++) await designwire.drain({ max: 10, seconds: 5 })
  expectEscaped(failed())
})
