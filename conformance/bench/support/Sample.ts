/** Realistic designs and orders: the sample shop's customizers and choices, repeated under new ids. */
import { createHash, randomBytes } from "node:crypto"
import { Result } from "effect"
import { type Design, type DesignRecord, wire as designWire } from "../../../core/model/catalog/Design.ts"
import { format, type Instant } from "../../../core/model/Instant.ts"
import { type OrderRecord, wire as orderWire, wireHead } from "../../../core/model/orders/Order.ts"
import type { Shop } from "../../../core/model/shops/Shop.ts"
import * as TokenFormat from "../../../core/rules/access/TokenFormat.ts"
import { compile } from "../../../core/rules/catalog/Compile.ts"
import { evaluate } from "../../../core/rules/catalog/Evaluation.ts"
import { imageUrls } from "../../../core/rules/catalog/ImageUrls.ts"
import { publishCheck } from "../../../core/rules/catalog/PublishCheck.ts"
import customizers from "../../../hosts/cli/demo/customizers.json" with { type: "json" }
import choices from "../../../hosts/cli/demo/designs.json" with { type: "json" }

/** A tag like the core's. */
const etagOf = (text: string): string =>
  createHash("sha256").update(text).digest().subarray(0, 16).toString("base64url")

const compiled = new Map(
  customizers.map(({ definition, id, title }) => [
    id,
    { id, title, definition: compile(Result.getOrThrow(publishCheck(definition))) },
  ]),
)

const number = (prefix: string, index: number): string => prefix + String(index).padStart(9, "0")

/** The draft with this index. */
const draft = (shop: Shop, index: number, createdAt: Instant): Design => {
  const choice = choices[index % choices.length] as (typeof choices)[number]
  const customizer = compiled.get(choice.customizerId)
  if (customizer === undefined) throw new Error(`There is no customizer ${choice.customizerId}`)
  const id = number("dsn_bench_", index)
  const evaluated = Result.getOrThrow(
    evaluate(customizer.definition, {
      selection: choice.selection,
      basePrice: choice.basePrice,
      currency: shop.currency,
      roundingStep: shop.roundingStep,
    }),
  )
  return {
    id,
    status: "draft",
    customizer: { id: customizer.id, title: customizer.title, version: 1 },
    order: null,
    selection: choice.selection,
    ...evaluated,
    ...imageUrls(shop, id, customizer.definition.views),
    createdAt: format(createdAt),
    orderedAt: null,
  }
}

const record = (shop: Shop, design: Design, createdAt: Instant, position: number): DesignRecord => {
  const wire = designWire(design, Object.keys(design.images))
  return {
    shop: shop.id,
    id: design.id,
    status: design.status,
    orderId: design.order?.id ?? null,
    position,
    createdAt,
    wire,
    etag: etagOf(wire),
    revision: design.order === null ? 1 : 2,
  }
}

/** `designs` designs, the first ones in `orders` orders of two, the others drafts. */
export const sample = (shop: Shop, counts: { readonly designs: number; readonly orders: number }) => {
  const begin = Date.parse("2024-01-01T00:00:00Z")
  const step = Math.floor((2 * 365 * 86_400_000) / counts.designs)
  const created = (index: number): Instant => begin + index * step
  const designs: Array<DesignRecord> = []
  const orders: Array<OrderRecord> = []
  for (let index = 0; index < counts.orders; index++) {
    const id = number("55", index)
    const name = `#${1001 + index}`
    const orderedAt = created(2 * index + 1) + 3_600_000
    const drafts = [2 * index, 2 * index + 1].map((one) => draft(shop, one, created(one)))
    const lines = drafts.map((design, position) => {
      const order = { id, name, lineItemId: number("14", 2 * index + position) }
      return record(
        shop,
        { ...design, status: "ordered", order, orderedAt: format(orderedAt) },
        created(2 * index + position),
        position,
      )
    })
    const head = wireHead({
      id,
      name,
      status: "ordered",
      currency: shop.currency,
      total: drafts.reduce((sum, design) => sum + design.price.total, 0),
      orderedAt: format(orderedAt),
    })
    designs.push(...lines)
    orders.push({ shop: shop.id, id, orderedAt, head, etag: etagOf(orderWire({ head }, lines)), revision: 1 })
  }
  for (let index = 2 * counts.orders; index < counts.designs; index++) {
    designs.push(record(shop, draft(shop, index, created(index)), created(index), 0))
  }
  return { designs, orders }
}

/** A new token and its digest. */
export const makeToken = (): { readonly token: string; readonly digest: string } => {
  const token = TokenFormat.fromBytes(randomBytes(32))
  return { token, digest: createHash("sha256").update(token).digest("hex") }
}
