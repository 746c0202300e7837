/**
 * Deliveries at full speed while their signing secret is rotated (D40, D41), to a receiver that answers 401 if it can't
 * verify one.
 */
import { Effect } from "effect"
import { Webhook } from "standardwebhooks"
import { describe, expect, it } from "vitest"
import { ringInput } from "../../conformance/suites/service/Samples.ts"
import { embed, emptyDatabase, fill, orderOf, receiver } from "../../conformance/testkit/hosts/EmbedWorld.ts"

const deliveries = 300

const databases = [
  { name: "memory", open: async () => ({ memory: true }) as const },
  { name: "Postgres", open: async () => ({ url: await emptyDatabase() }) },
]

for (const { name, open } of databases) {
  /** A service that delivers a number of events at full speed, and a receiver that counts its responses. */
  const delivering = async (
    standardWebhooks: boolean,
    accepts: (body: string, headers: Headers) => boolean | undefined,
  ) => {
    const designwire = await embed({ database: await open() })
    await designwire.migrate()
    await fill(designwire)
    const receiving = await receiver(({ body, headers, signed }) =>
      Effect.succeed((accepts(body, new Headers(headers as Record<string, string>)) ?? signed) === true ? 204 : 401),
    )
    const { id, secret } = await designwire.webhooks.create("acme", { url: receiving.url("/hook"), standardWebhooks })
    const designs = Array.from({ length: deliveries }, (_, index) => `d-${index}`)
    for (const design of designs) await designwire.designs.save("acme", design, ringInput)
    await designwire.orders.place("acme", "1001", orderOf(...designs))
    const answered = (count: number) =>
      receiving.until(() => receiving.requests.filter(({ status }) => status !== null).length >= count)
    return { ...designwire, receiving, answered, id, secret }
  }

  describe(`A rotation at full speed, on ${name}`, () => {
    it("MUST have no delivery refused by a receiver that has both secrets for a while", async () => {
      const { answered, id, receiving, secret, start, webhooks } = await delivering(false, () => undefined)
      receiving.trust("/hook", secret)
      await start()
      await answered(deliveries * 0.2)
      const { secret: anew } = await webhooks.rotate("acme", id)
      await answered(deliveries * 0.4)
      receiving.trust("/hook", [secret, anew])
      await answered(deliveries * 0.6)
      await webhooks.promote("acme", id)
      await answered(deliveries)
      expect(receiving.requests.filter(({ status }) => status !== 204)).toEqual([])
      expect(receiving.requests).toHaveLength(deliveries)
      receiving.trust("/hook", anew)
      await webhooks.test("acme", id)
      await answered(deliveries + 1)
      expect(receiving.requests.at(-1)?.status).toBe(204)
    })

    it("MUST have no delivery refused by the Standard Webhooks library, which takes one secret at a time", async () => {
      let known = ""
      const accepts = (body: string, headers: Headers) => {
        try {
          return new Webhook(known).verify(body, Object.fromEntries(headers)) !== undefined
        } catch {
          return false
        }
      }
      const { answered, id, receiving, secret, start, webhooks } = await delivering(true, accepts)
      known = secret
      await start()
      await answered(deliveries * 0.2)
      const { secret: anew } = await webhooks.rotate("acme", id)
      // Deliveries claimed earlier have only the old signature.
      await answered(deliveries * 0.7)
      known = anew
      await answered(deliveries * 0.8)
      await webhooks.promote("acme", id)
      await answered(deliveries)
      expect(receiving.requests.filter(({ status }) => status !== 204)).toEqual([])
      expect(receiving.requests).toHaveLength(deliveries)
    })
  })
}
