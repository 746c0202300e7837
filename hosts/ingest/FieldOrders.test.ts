/** The corpus in other orders of delivery, and with each event twice: the end is the same (D82). */
import { describe, expect, it } from "vitest"
import { permutations, shopify, wooCommerce } from "../../conformance/testkit/field/Reports.ts"
import { type FieldCase, production, secrets, worldOf } from "../../conformance/testkit/field/RunCase.ts"
import { embed } from "../../conformance/testkit/hosts/EmbedWorld.ts"

const ingest = { shopify: { secret: secrets.shopify }, woocommerce: { secret: secrets.woocommerce } }

const unpaid = { financial_status: "pending" }

type End = Readonly<Record<string, Readonly<Record<string, number>>>>

/** Sequences in the order in which their states were, and what is to be made at their end. */
const sequences: Readonly<Record<string, { readonly events: FieldCase["sequence"]; readonly end: End }>> = {
  "a quantity that grows and shrinks": {
    events: [shopify(0, [["a", 1]]), shopify(1, [["a", 3]]), shopify(2, [["a", 2]])],
    end: { 7: { a: 2 } },
  },
  "a line that comes and one that goes": {
    events: [
      shopify(0, [["a", 1]]),
      shopify(1, [
        ["a", 1],
        ["b", 2],
      ]),
      shopify(2, [
        ["a", 0],
        ["b", 2],
      ]),
    ],
    end: { 7: { b: 2 } },
  },
  "a payment that comes late": {
    events: [shopify(0, [["a", 1]], unpaid), shopify(1, [["a", 2]], unpaid), shopify(2, [["a", 2]])],
    end: { 7: { a: 2 } },
  },
  "an unpaid order that is cancelled": {
    events: [
      shopify(0, [["a", 1]], unpaid),
      shopify(1, [["a", 1]], unpaid),
      shopify(2, [["a", 0]], { cancelled_at: "2026-11-20T10:02:00Z", financial_status: "voided" }),
    ],
    end: {},
  },
  "a paid order that is cancelled": {
    events: [
      shopify(0, [["a", 2]]),
      shopify(1, [["a", 1]]),
      shopify(2, [["a", 0]], { cancelled_at: "2026-11-20T10:02:00Z", financial_status: "refunded" }),
    ],
    end: {},
  },
  "a line that is removed and added again": {
    events: [
      wooCommerce(0, [
        [1, "a", 1],
        [2, "b", 1],
      ]),
      wooCommerce(1, [[1, "a", 1]]),
      wooCommerce(2, [
        [1, "a", 1],
        [3, "b", 2],
      ]),
    ],
    end: { 7: { a: 1, b: 2 } },
  },
  "a payment that fails, and lines that are written again": {
    events: [
      wooCommerce(0, [[1, "a", 1]], "pending"),
      wooCommerce(1, [[1, "a", 1]], "failed"),
      wooCommerce(2, [[4, "a", 1]]),
    ],
    end: { 7: { a: 1 } },
  },
  "a hold that ends before the payment": {
    events: [
      wooCommerce(0, [[1, "a", 1]], "pending"),
      wooCommerce(1, [[1, "a", 1]], "cancelled"),
      wooCommerce(2, [[1, "a", 1]]),
    ],
    end: { 7: { a: 1 } },
  },
}

describe("The states of an order", () => {
  it.each(Object.entries(sequences))(
    "MUST end alike in any order of arrival, each once or twice: %s (D82)",
    async (name, { end, events }) => {
      const designwire = await embed({ ingest })
      const platform = events[0]?.topic.includes(".") === true ? "woocommerce" : "shopify"
      for (const [index, order] of permutations(events).entries()) {
        for (const [times, arriving] of [
          order,
          order.flatMap((event) => [event, event]),
          [...order, ...order],
        ].entries()) {
          const spec: FieldCase = {
            ...{ id: `case-${index}-${times}`, title: name, platform, shop: { currency: "EUR" } },
            ...{ designs: ["a", "b"], sequence: arriving, expect: [] },
          }
          const world = await worldOf(designwire, spec, "any")
          await world.save(0)
          for (const event of arriving) expect((await world.send(event)).status).toBe(200)
          await designwire.drain({ max: 1, seconds: 5 })
          const made = production((await world.orders()) ?? [])
          expect([order.map((event) => events.indexOf(event)), times, made]).toEqual([
            order.map((event) => events.indexOf(event)),
            times,
            end,
          ])
        }
      }
    },
  )
})
