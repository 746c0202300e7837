/** Sequences of our own, as the corpus: their ends, also in other orders of delivery (D80 to D84). */
import { isDeepStrictEqual } from "node:util"
import { describe, expect, it } from "vitest"
import {
  type OwnSequence,
  shopifySequences,
  wooCommerceSequences,
} from "../../conformance/testkit/field/OwnSequences.ts"
import { permutations } from "../../conformance/testkit/field/Reports.ts"
import { endOf, type FieldCase, secrets } from "../../conformance/testkit/field/RunCase.ts"
import { embed, emptyDatabase } from "../../conformance/testkit/hosts/EmbedWorld.ts"

const ingest = { shopify: { secret: secrets.shopify }, woocommerce: { secret: secrets.woocommerce } }

const specOf = (name: string, { events }: OwnSequence): FieldCase => ({
  ...{ id: "own", title: name, platform: events[0]?.topic.includes(".") === true ? "woocommerce" : "shopify" },
  ...{ shop: { currency: "EUR" }, designs: ["a", "b"], sequence: events, expect: [] },
})

const all = Object.entries({ ...shopifySequences, ...wooCommerceSequences })

const quiet = ["applied", "told", "ignored"]

describe("A sequence of our own", () => {
  it.each(all)("MUST end as a workshop wants it: %s (D80, D81, D82, D83, D84)", async (name, own) => {
    const designwire = await embed({ ingest })
    const { became, made } = await endOf(designwire, specOf(name, own), { arriving: own.events, suffix: "as-is" })
    expect(made).toEqual(own.end)
    const last = became?.state === "applied" && became.reason !== null ? "told" : became?.state
    expect(own.last === undefined ? quiet : [own.last]).toContain(last)
    for (const [index, order] of (own.isFree === true ? permutations(own.events) : [own.events]).entries()) {
      const arriving = index % 2 === 0 ? order.flatMap((event) => [event, event]) : [...order, ...order]
      const again = await endOf(designwire, specOf(name, own), { arriving, suffix: `${index}` })
      expect([order.map((event) => own.events.indexOf(event)), again.made]).toEqual([expect.anything(), own.end])
    }
  })

  it("MUST end alike on Postgres (D80, D81, D82, D83, D84)", async () => {
    const designwire = await embed({ database: { url: await emptyDatabase() }, ingest })
    await designwire.migrate()
    const found: Record<string, unknown> = {}
    for (const [index, [name, own]] of all.entries()) {
      const orders = own.isFree === true ? [own.events, own.events.toReversed()] : [own.events]
      for (const [turn, order] of orders.entries()) {
        const arriving = order.flatMap((event) => [event, event])
        const { made } = await endOf(designwire, specOf(name, own), { arriving, suffix: `${index}-${turn}` })
        if (!isDeepStrictEqual(made, own.end)) found[`${name}, ${turn}`] = made
      }
    }
    expect(found).toEqual({})
  })
})
