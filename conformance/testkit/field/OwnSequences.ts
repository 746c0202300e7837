/** Further sequences that shops send, made by ourselves, and what a workshop wants at their end (D80 to D84). */
import { deleted, shopify, wooCommerce } from "./Reports.ts"
import type { FieldWebhook } from "./RunCase.ts"

/** A sequence, and what a workshop wants at its end. */
export interface OwnSequence {
  /** In the order in which the states were. */
  readonly events: ReadonlyArray<FieldWebhook>
  readonly end: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** What became of the last one; `told`: it has a reason. Default: whatever, but no alarm. */
  readonly last?: "told" | "failed" | "ignored" | "unpaid"
  /** The end is the same in any order of arrival. */
  readonly isFree?: true
}

/** A line of each design. */
const ab = [
  ["a", 1],
  ["b", 1],
] as const
const lines = [
  [1, "a", 1],
  [2, "b", 1],
] as const
const part = { fulfillment_status: "partial" }
const refunds = (...of: ReadonlyArray<readonly [id: number, quantity: number, restock: string]>) => ({
  refunds: of.map(([line_item_id, quantity, restock_type]) => ({
    refund_line_items: [{ line_item_id, quantity, restock_type }],
  })),
})
const parcels = (...of: ReadonlyArray<readonly [id: number, quantity: number]>) => ({
  fulfillments: of.map(([id, quantity]) => ({ status: "success", line_items: [{ id, quantity }] })),
})
const sent = { fulfillment_status: "fulfilled" }
const closed = { closed_at: "2026-11-20T10:30:00Z" }
const back = { financial_status: "partially_refunded" }
const completed = { date_paid_gmt: "2026-11-20T10:00:10", date_completed_gmt: "2026-11-20T10:01:00" }
const paid = { date_paid_gmt: "2026-11-20T10:00:10" }
const cod = "Cash on Delivery (COD)"
const bundle = (pieces: number) => ({
  line_item_groups: [{ id: 900, title: "Set", quantity: 2, properties: [{ name: "_designwire_id", value: "a" }] }],
  ...refunds([71, 4 - 2 * pieces, "cancel"], [72, 2 - pieces, "cancel"]),
})
const ofBundle = (pieces: number) =>
  [
    [null, 2 * pieces, { quantity: 4, sales_line_item_group_id: 900 }],
    [null, pieces, { quantity: 2, sales_line_item_group_id: 900 }],
  ] as const

export const shopifySequences: Readonly<Record<string, OwnSequence>> = {
  "refunds of two pieces, one after the other": {
    events: [
      shopify(0, [["a", 4]]),
      shopify(1, [["a", 3, { quantity: 4 }]], { ...back, ...refunds([71, 1, "cancel"]) }),
      shopify(2, [["a", 2, { quantity: 4 }]], { ...back, ...refunds([71, 1, "cancel"], [71, 1, "no_restock"]) }),
    ],
    end: { 7: { a: 2 } },
    last: "told",
    isFree: true,
  },
  "a refund of an amount, without lines": {
    events: [shopify(0, [["a", 2]]), shopify(1, [["a", 2]], { ...back, refunds: [{ refund_line_items: [] }] })],
    end: { 7: { a: 2 } },
    isFree: true,
  },
  "a refund of the whole amount, without lines": {
    events: [shopify(0, [["a", 2]]), shopify(1, [["a", 2]], { financial_status: "refunded", refunds: [{}] })],
    end: {},
    isFree: true,
  },
  "an exchange after delivery": {
    events: [
      shopify(0, [["a", 1]]),
      shopify(1, [["a", 1, sent]], { ...sent, ...parcels([71, 1]) }),
      shopify(
        2,
        [
          ["a", 0, sent],
          ["b", 1],
        ],
        { ...part, ...back, ...parcels([71, 1]), ...refunds([71, 1, "return"]) },
      ),
    ],
    end: { 7: { a: 1, b: 1 } },
  },
  "an edit that adds a line, which is paid later": {
    events: [shopify(0, [["a", 1]]), shopify(1, ab, { financial_status: "partially_paid" }), shopify(2, ab)],
    end: { 7: { a: 1, b: 1 } },
    isFree: true,
  },
  "an edit that adds a line, which is never paid": {
    events: [shopify(0, [["a", 1]]), shopify(1, ab, { financial_status: "partially_paid" })],
    end: { 7: { a: 1 } },
    last: "unpaid",
    isFree: true,
  },
  "a payment that is voided after all": {
    events: [shopify(0, [["a", 1]]), shopify(1, [["a", 1]], { financial_status: "voided" })],
    end: {},
    isFree: true,
  },
  "a gift card, and the rest in cash on delivery": {
    events: [shopify(0, [["a", 1]], { financial_status: "partially_paid", payment_gateway_names: ["gift_card", cod] })],
    end: { 7: { a: 1 } },
    isFree: true,
  },
  "a gift card, and the rest by bank transfer": {
    events: [
      shopify(0, [["a", 1]], { financial_status: "pending", payment_gateway_names: ["gift_card", "Bank Deposit"] }),
    ],
    end: {},
    last: "unpaid",
    isFree: true,
  },
  "a gift card only, of a pending order": {
    events: [shopify(0, [["a", 1]], { financial_status: "pending", payment_gateway_names: ["gift_card"] })],
    end: {},
    last: "unpaid",
    isFree: true,
  },
  "a sale at the counter, which was taken away": {
    events: [shopify(0, [["a", 1, sent]], { ...sent, ...parcels([71, 1]), source_name: "pos", customer: null })],
    end: {},
    last: "ignored",
    isFree: true,
  },
  "parcels from two places": {
    events: [
      shopify(0, [
        ["a", 2],
        ["b", 1],
      ]),
      shopify(
        1,
        [
          ["a", 2],
          ["b", 1, sent],
        ],
        { ...part, ...parcels([72, 1]) },
      ),
      shopify(
        2,
        [
          ["a", 2, { fulfillment_status: "partial" }],
          ["b", 1, sent],
        ],
        {
          ...part,
          ...parcels([72, 1], [71, 1]),
        },
      ),
    ],
    end: { 7: { a: 2, b: 1 } },
  },
  "an order of nothing, with a tip and a gift card": {
    events: [
      shopify(
        0,
        [
          ["a", 1, { price: "0.00" }],
          [null, 1, { title: "Tip", product_id: null, requires_shipping: false }],
          [null, 1, { title: "Gift card", gift_card: true, requires_shipping: false }],
        ],
        { total_price: "0.00", payment_gateway_names: [] },
      ),
    ],
    end: { 7: { a: 1 } },
    isFree: true,
  },
  "a bundle whose design is on itself, and one of two is refunded": {
    events: [shopify(0, ofBundle(2), bundle(2)), shopify(1, ofBundle(1), { ...bundle(1), ...back })],
    end: { 7: { a: 1 } },
    last: "told",
    isFree: true,
  },
  "a product that was deleted, and a line and an order that were renamed": {
    events: [
      shopify(0, [["a", 1]]),
      shopify(1, [["a", 1, { product_exists: false, product_id: null, variant_id: null, name: "Band" }]], {
        name: "EU-7",
      }),
    ],
    end: { 7: { a: 1 } },
    isFree: true,
  },
  "a line that is added to an archived order": {
    events: [
      shopify(0, [["a", 1]]),
      shopify(1, [["a", 1, sent]], { ...sent, ...closed, ...parcels([71, 1]) }),
      shopify(
        2,
        [
          ["a", 1, sent],
          ["b", 1],
        ],
        { ...part, ...closed, ...parcels([71, 1]) },
      ),
    ],
    end: { 7: { a: 1 } },
    last: "told",
  },
  "a subscription whose first order is cancelled after its renewal": {
    events: [
      shopify(0, [["a", 1, { selling_plan_id: 1 }]]),
      shopify(1, [["a", 1]], { id: 8 }),
      shopify(2, [["a", 0]], { cancelled_at: "2026-11-20T10:02:00Z", financial_status: "refunded" }),
    ],
    end: { 8: { a: 1 } },
    isFree: true,
  },
  "an order by hand, with a property that an app has made a list": {
    events: [
      shopify(
        0,
        [
          ["a", 1],
          ["b", 1, { properties: [{ name: "_designwire_id", value: ["b"] }] }],
        ],
        {
          source_name: "shopify_draft_order",
          user_id: 1,
        },
      ),
    ],
    end: { 7: { a: 1 } },
    last: "failed",
    isFree: true,
  },
}

export const wooCommerceSequences: Readonly<Record<string, OwnSequence>> = {
  "a hold by staff after the payment": {
    events: [wooCommerce(0, [[1, "a", 1]]), wooCommerce(1, [[1, "a", 1]], "on-hold")],
    end: { 7: { a: 1 } },
    isFree: true,
  },
  "a transfer, a hold, and the payment": {
    events: [
      wooCommerce(0, [[1, "a", 2]], "pending"),
      wooCommerce(1, [[1, "a", 2]], "on-hold"),
      wooCommerce(2, [[1, "a", 2]], "processing", paid),
    ],
    end: { 7: { a: 2 } },
    isFree: true,
  },
  "a state of a plugin after the payment": {
    events: [
      wooCommerce(0, [[1, "a", 1]], "processing", paid),
      wooCommerce(1, [[1, "a", 1]], "in-production", paid),
      wooCommerce(2, [[1, "a", 1]], "quality-check", paid),
    ],
    end: { 7: { a: 1 } },
    isFree: true,
  },
  "a line that is added in a state of a plugin": {
    events: [wooCommerce(0, [[1, "a", 1]], "processing", paid), wooCommerce(1, lines, "in-production", paid)],
    end: { 7: { a: 1 } },
    last: "failed",
  },
  "a line that is added to a completed order": {
    events: [wooCommerce(0, [[1, "a", 1]], "processing", paid), wooCommerce(1, lines, "completed", completed)],
    end: { 7: { a: 1 } },
    last: "told",
  },
  "a second piece after a completion by mistake": {
    events: [
      wooCommerce(0, [[1, "a", 1]], "processing", paid),
      wooCommerce(1, [[1, "a", 1]], "completed", completed),
      wooCommerce(2, [[1, "a", 2]], "processing", completed),
    ],
    end: { 7: { a: 2 } },
  },
  "a piece less after the completion": {
    events: [
      wooCommerce(0, [[1, "a", 2]], "processing", paid),
      wooCommerce(1, [[1, "a", 2]], "completed", completed),
      wooCommerce(2, [[1, "a", 1]], "completed", completed),
    ],
    end: { 7: { a: 2 } },
    last: "told",
  },
  "a refund in full after the completion": {
    events: [
      wooCommerce(0, [[1, "a", 2]], "processing", paid),
      wooCommerce(1, [[1, "a", 2]], "completed", completed),
      wooCommerce(2, [[1, "a", 2]], "refunded", { ...completed, refunds: [{ id: 9, total: "-129.00" }] }),
    ],
    end: { 7: { a: 2 } },
    last: "told",
  },
  "a refund in full before it is made, and then the trash": {
    events: [
      wooCommerce(0, [[1, "a", 2]], "processing", paid),
      wooCommerce(1, [[1, "a", 2]], "refunded", paid),
      wooCommerce(2, [[1, "a", 2]], "trash", paid),
    ],
    end: {},
    isFree: true,
  },
  "an order that was completed and refunded when it is first heard of": {
    events: [wooCommerce(0, [[1, "a", 2]], "refunded", completed)],
    end: {},
    last: "ignored",
    isFree: true,
  },
  "a refund of an amount": {
    events: [
      wooCommerce(0, [[1, "a", 2]], "processing", paid),
      wooCommerce(1, [[1, "a", 2]], "processing", { ...paid, refunds: [{ id: 9, reason: "late", total: "-10.00" }] }),
    ],
    end: { 7: { a: 2 } },
    last: "told",
    isFree: true,
  },
  "an order by an administrator, with lines added one by one": {
    events: [
      wooCommerce(0, [], "auto-draft", { created_via: "admin" }),
      wooCommerce(1, [[1, "a", 1]], "pending", { created_via: "admin" }),
      wooCommerce(
        2,
        [
          [1, "a", 1],
          [2, "b", 2],
        ],
        "processing",
        { created_via: "admin" },
      ),
    ],
    end: { 7: { a: 1, b: 2 } },
    isFree: true,
  },
  "the trash and back, before the payment": {
    events: [
      wooCommerce(0, [[1, "a", 1]], "pending"),
      deleted,
      wooCommerce(1, [[1, "a", 1]], "pending", { topic: "order.restored" }),
      wooCommerce(2, [[1, "a", 1]], "processing", paid),
    ],
    end: { 7: { a: 1 } },
  },
  "an order that was free, with fees and coupons": {
    events: [
      wooCommerce(0, [[1, "a", 1]], "processing", {
        total: "0.00",
        fee_lines: [{ id: 5, name: "Tip", total: "0.00" }],
        coupon_lines: [{ id: 6, code: "free" }],
      }),
    ],
    end: { 7: { a: 1 } },
    isFree: true,
  },
  "a renewal of a subscription, whose first order is refunded": {
    events: [
      wooCommerce(0, [[1, "a", 1]], "processing", paid),
      wooCommerce(1, [[2, "a", 1]], "processing", { ...paid, id: 8, created_via: "subscription" }),
      wooCommerce(2, [[1, "a", 1]], "refunded", paid),
    ],
    end: { 8: { a: 1 } },
    isFree: true,
  },
  "a line that a plugin moves into an order of its own": {
    events: [
      wooCommerce(0, lines, "processing", paid),
      wooCommerce(1, [[1, "a", 1]], "processing", paid),
      wooCommerce(2, [[3, "b", 1]], "processing", { ...paid, id: 8, parent_id: 7 }),
    ],
    end: { 7: { a: 1 }, 8: { b: 1 } },
  },
  "an order of a marketplace, and its parts": {
    events: [
      wooCommerce(0, lines, "processing", paid),
      wooCommerce(0, [[3, "a", 1]], "processing", { ...paid, id: 8, parent_id: 7 }),
      wooCommerce(0, [[4, "b", 1]], "processing", { ...paid, id: 9, parent_id: 7 }),
    ],
    end: { 7: { a: 1, b: 1 } },
  },
  "a part of an order of a marketplace that is cancelled": {
    events: [
      wooCommerce(0, [[1, "a", 1]], "processing", paid),
      wooCommerce(0, [[3, "a", 1]], "processing", { ...paid, id: 8, parent_id: 7 }),
      wooCommerce(1, [[3, "a", 1]], "cancelled", { ...paid, id: 8, parent_id: 7 }),
    ],
    end: { 7: { a: 1 } },
    last: "told",
  },
  "a line that gets another design": {
    events: [wooCommerce(0, lines, "processing", paid), wooCommerce(1, [[1, "b", 2]], "processing", paid)],
    end: { 7: { b: 2 } },
    last: "told",
    isFree: true,
  },
  "a product that was deleted, with its line renamed": {
    events: [
      wooCommerce(0, [[1, "a", 1]], "processing", paid),
      wooCommerce(1, [[1, "a", 1, { product_id: 0, variation_id: 0, name: "Band", sku: "" }]], "processing", paid),
    ],
    end: { 7: { a: 1 } },
    isFree: true,
  },
}
