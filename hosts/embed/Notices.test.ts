/** Notices to the option `onNotice` (D42). */
import { Effect } from "effect"
import { expect, it } from "vitest"
import { ringInput } from "../../conformance/suites/service/Samples.ts"
import { embed, fill, orderOf, receiver } from "../../conformance/testkit/hosts/EmbedWorld.ts"
import type { Notice } from "./index.ts"

it("MUST be called once for a delivery that was given up, and again if that call fails", async () => {
  const notices: Array<Notice> = []
  let refusals = 1
  const designwire = await embed({
    retrySchedule: "1ms",
    onNotice: async (notice) => {
      if (refusals-- > 0) throw new Error("The mail server is down")
      notices.push(notice)
    },
  })
  await fill(designwire)
  const receiving = await receiver(() => Effect.succeed(503))
  const { id } = await designwire.webhooks.create("acme", { url: receiving.url("/hook") })
  await designwire.designs.save("acme", "d-1", ringInput)
  await designwire.orders.place("acme", "1", orderOf("d-1"))
  for (let drains = 0; drains < 50 && notices.length === 0; drains++) await designwire.drain({ max: 10, seconds: 5 })
  await designwire.drain({ max: 10, seconds: 5 })
  expect(notices).toMatchObject([
    {
      notice: "delivery.given_up",
      shop: "acme",
      endpoint: { id, url: receiving.url("/hook"), consecutiveFailures: 2 },
      delivery: { event: "design.ordered", attempts: 2, statusCode: 503, error: null },
    },
  ])
})

it("MUST be called by the worker too", async () => {
  const designwire = await embed({ retrySchedule: "1ms", onNotice: (notice) => void notices.push(notice) })
  const notices: Array<Notice> = []
  await fill(designwire)
  const receiving = await receiver(() => Effect.succeed(503))
  await designwire.webhooks.create("acme", { url: receiving.url("/hook") })
  await designwire.designs.save("acme", "d-1", ringInput)
  await designwire.orders.place("acme", "1", orderOf("d-1"))
  await designwire.drain({ max: 1, seconds: 5 })
  await designwire.start()
  await expect.poll(() => notices.length, { timeout: 20_000 }).toBe(1)
})
