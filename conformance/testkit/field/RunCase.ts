/** Runs a sequence of webhooks as platforms send them, and tells what differs from what a workshop expects. */
import { createHmac } from "node:crypto"
import type { Definition, Designwire } from "../../../hosts/embed/index.ts"

type Platform = "shopify" | "woocommerce"

/** Values with placeholders: see the README of the cases. */
type Json = unknown

/** A webhook of a sequence. */
export interface FieldWebhook {
  readonly topic: string
  readonly headers: Readonly<Record<string, Json>>
  readonly body?: Json
  readonly raw?: string
}

/** What is expected after a webhook. */
export interface Expectation {
  readonly produce: Readonly<Record<string, Json>>
  readonly owner: string | null
  readonly otherwise?: string
  readonly open?: string
  readonly lines?: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, number>>>>>>
  readonly answer?: number
  readonly redacted?: Readonly<Record<string, ReadonlyArray<string>>>
  readonly shopGone?: boolean
  readonly wait?: boolean
}

/** A case of the corpus. */
export interface FieldCase {
  readonly id: string
  readonly title: string
  readonly platform: Platform
  readonly shop: { readonly currency: string }
  readonly designs: ReadonlyArray<Json>
  readonly sequence: ReadonlyArray<FieldWebhook>
  readonly expect: ReadonlyArray<Expectation>
}

/** The secrets with which the platforms of the cases sign. */
export const secrets: Readonly<Record<Platform, string>> = {
  shopify: "shpss_0123456789abcdef",
  woocommerce: "a-woo-secret-of-24-letters",
}

interface ShopOfCase {
  readonly id: string
  readonly domain: string
}

/** A product with one text of the buyer. */
const definition: Definition = {
  schemaVersion: 1,
  steps: [{ id: "text", title: "Text", view: "front" }],
  questions: [{ id: "engraving", step: "text", title: "Engraving", type: "text" }],
  rules: [],
}

const isObject = (value: Json): value is Readonly<Record<string, Json>> =>
  value !== null && typeof value === "object" && !Array.isArray(value)

/** Fills in the placeholders. */
const expand = (value: Json, shop: ShopOfCase, i?: number): Json => {
  if (typeof value === "string") return i === undefined ? value : value.replaceAll("{i}", String(i))
  if (Array.isArray(value)) {
    return value.flatMap((each: Json) =>
      isObject(each) && "$times" in each
        ? Array.from({ length: Number(each["$times"]) }, (_, n) => expand(each["each"], shop, n))
        : [expand(each, shop, i)],
    )
  }
  if (!isObject(value)) return value
  if ("$plus" in value) return Number(value["$plus"]) + (i ?? 0)
  if ("$text" in value) return String(value["$text"]).repeat(Number(value["$repeat"]))
  if ("$shop" in value) return shop[value["$shop"] as keyof ShopOfCase]
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [String(expand(key, shop, i)), expand(each, shop, i)]),
  )
}

const piecesIn = (designs: Json): Readonly<Record<string, number>> =>
  isObject(designs) && "$times" in designs
    ? Object.fromEntries(
        Array.from({ length: Number(designs["$times"]) }, (_, n) => [
          String(designs["key"]).replace("{i}", String(n)),
          Number(designs["value"]),
        ]),
      )
    : (designs as Readonly<Record<string, number>>)

interface Line {
  readonly lineItemId: string
  readonly designId: string
  readonly copyOf: string | null
  readonly quantity: number
  readonly status: string
}

interface OrderOfApi {
  readonly id: string
  readonly status: string
  readonly designs: ReadonlyArray<{ readonly id: string; readonly status: string }>
}

/** An order as the REST API tells it, with the ids of copied designs replaced by those of their originals. */
interface Told extends OrderOfApi {
  readonly lines: ReadonlyArray<Line> | undefined
}

/** What differs, of a kind. */
export interface Difference {
  readonly kind: string
  readonly text: string
  readonly isOpen: boolean
}

/** A webhook and what became of it. */
export interface Step {
  readonly topic: string
  readonly status: number
  readonly state: string | null
  readonly reason: string | null
  readonly differs: ReadonlyArray<Difference>
}

/** Delivers the webhooks of a case to a shop of its own. */
export interface CaseWorld {
  readonly send: (
    webhook: FieldWebhook,
  ) => Promise<{ readonly status: number; readonly json: Readonly<Record<string, Json>> }>
  /** Saves the designs that are saved before the webhook with this number. */
  readonly save: (index: number) => Promise<void>
  /** All orders; `undefined` once the shop is gone. */
  readonly orders: () => Promise<ReadonlyArray<Told> | undefined>
  readonly info: ShopOfCase
}

/** Makes the shop of a case. */
export const worldOf = async (designwire: Designwire, spec: FieldCase, suffix: string): Promise<CaseWorld> => {
  const info = { id: `${spec.id}-${suffix}`, domain: `${spec.id}-${suffix}.myshopify.com` }
  await designwire.shops.put(info.id, {
    domain: info.domain,
    currency: spec.shop.currency,
    imageBase: "https://images.example.com",
  })
  await designwire.customizers.put(info.id, 1, {
    title: "Ring",
    platformProductId: "gid://platform/Product/1",
    assetBase: "https://assets.example.com",
  })
  await designwire.customizers.publish(info.id, 1, { definition })
  const { token } = await designwire.tokens.create(info.id, { name: "corpus" })
  const designs = (expand(spec.designs, info) as ReadonlyArray<Json>).map((each) =>
    typeof each === "string" ? { id: each, before: 0 } : (each as { readonly id: string; readonly before: number }),
  )
  const get = async (path: string) => {
    const headers = { authorization: `Bearer ${token}` }
    return designwire.handler(new Request(`http://localhost/api/v1${path}`, { headers }))
  }
  const told = async (order: OrderOfApi): Promise<Told> => {
    const answer = await get(`/orders/${encodeURIComponent(order.id)}/lines`)
    if (answer.status !== 200) return { ...order, lines: undefined }
    const { data } = (await answer.json()) as { readonly data: ReadonlyArray<Line> }
    const originals = new Map(data.flatMap(({ copyOf, designId }) => (copyOf === null ? [] : [[designId, copyOf]])))
    const original = (id: string): string => originals.get(id) ?? id
    return {
      ...order,
      designs: order.designs.map((design) => ({ ...design, id: original(design.id) })),
      lines: data.map((line) => ({ ...line, designId: original(line.designId) })),
    }
  }
  return {
    info,
    send: async ({ body, headers, raw }) => {
      const text = raw ?? JSON.stringify(expand(body, info))
      const signature = createHmac("sha256", secrets[spec.platform]).update(text).digest("base64")
      const sent = Object.entries(headers).map(([name, value]): [string, string] => [
        name,
        isObject(value) && "$sign" in value ? signature : String(expand(value, info)),
      ])
      const url = `http://localhost/ingest/${spec.platform}/${info.id}`
      const answer = await designwire.handler(new Request(url, { method: "POST", headers: sent, body: text }))
      const content = await answer.text()
      return { status: answer.status, json: content === "" ? {} : JSON.parse(content) }
    },
    save: async (index) => {
      for (const { id } of designs.filter(({ before }) => before === index)) {
        const selection = { engraving: { text: `text of ${id}` } }
        await designwire.designs.save(info.id, id, { customizerId: 1, basePrice: 4_800, selection })
      }
    },
    orders: async () => {
      const answer = await get("/orders?limit=100")
      if (answer.status === 401) return undefined
      const { data } = (await answer.json()) as { readonly data: ReadonlyArray<OrderOfApi> }
      return Promise.all(data.map(told))
    },
  }
}

/** What is to be made: the pieces of each design of each order. One piece if the service tells none. */
export const production = (orders: ReadonlyArray<Told>): Readonly<Record<string, Readonly<Record<string, number>>>> =>
  Object.fromEntries(
    orders
      .filter(({ status }) => status === "ordered")
      .map(({ designs, id, lines }) => [
        id,
        Object.fromEntries(
          designs
            .filter(({ status }) => status === "ordered")
            .map((design) => [
              design.id,
              lines
                ?.filter(({ designId }) => designId === design.id)
                .reduce((all, { quantity }) => all + quantity, 0) ?? 1,
            ]),
        ),
      ])
      .filter(([, designs]) => Object.keys(designs as object).length > 0),
  )

/** The end of some webhooks that arrive in a shop of their own: what is to be made, and what became of the last one. */
export const endOf = async (
  designwire: Designwire,
  spec: FieldCase,
  { arriving, suffix }: { readonly arriving: ReadonlyArray<FieldWebhook>; readonly suffix: string },
) => {
  const world = await worldOf(designwire, spec, suffix)
  for (let index = 0; index < spec.sequence.length; index++) await world.save(index)
  let last: Json
  for (const webhook of arriving) {
    const { json, status } = await world.send(webhook)
    if (status >= 500) throw new Error(`${webhook.topic} was answered ${status}`)
    last = json["id"]
  }
  // What is tried again may have let others be tried again.
  for (let time = 0; time < 2; time++) await designwire.drain({ max: 1, seconds: 5 })
  const became = typeof last === "string" ? await designwire.inbox.get(world.info.id, last) : undefined
  return { made: production((await world.orders()) ?? []), became }
}

const compare = (expected: Expectation, orders: ReadonlyArray<Told>): Array<Omit<Difference, "isOpen">> => {
  const found: Array<Omit<Difference, "isOpen">> = []
  const actual = production(orders)
  const wanted = Object.fromEntries(Object.entries(expected.produce).map(([id, each]) => [id, piecesIn(each)]))
  for (const [order, designs] of Object.entries(wanted)) {
    for (const [design, count] of Object.entries(designs)) {
      const told = actual[order]?.[design]
      const what = `order ${order}: ${count} of ${design}`
      if (told === undefined) found.push({ kind: "missing", text: `${what} should be made` })
      else if (told !== count) found.push({ kind: "pieces", text: `${what} should be made, not ${told}` })
      const lines = expected.lines?.[order]?.[design]
      if (told === undefined || lines === undefined) continue
      const all = orders.find(({ id }) => id === order)?.lines?.filter(({ designId }) => designId === design)
      const toldLines = Object.fromEntries(all?.map(({ lineItemId, quantity }) => [lineItemId, quantity]) ?? [])
      const sorted = [lines, toldLines].map((each) => JSON.stringify(Object.entries(each).sort()))
      if (sorted[0] !== sorted[1]) found.push({ kind: "lines", text: `${what} is on ${sorted[0]}, not ${sorted[1]}` })
    }
  }
  for (const [order, designs] of Object.entries(actual)) {
    for (const design of Object.keys(designs)) {
      if (wanted[order]?.[design] === undefined)
        found.push({ kind: "extra", text: `order ${order}: ${design} is made` })
    }
  }
  return found
}

/** Runs a case, and returns its steps. */
export const runCase = async (
  designwire: Designwire,
  spec: FieldCase,
  suffix: string,
): Promise<ReadonlyArray<Step>> => {
  const world = await worldOf(designwire, spec, suffix)
  const steps: Array<Step> = []
  for (const [index, webhook] of spec.sequence.entries()) {
    const expected = expand(spec.expect[index], world.info) as Expectation
    await world.save(index)
    const { json, status } = await world.send(webhook)
    const differs: Array<Omit<Difference, "isOpen">> = []
    if (expected.answer === undefined ? status < 200 || status > 299 : status !== expected.answer) {
      differs.push({ kind: "answer", text: `answered ${status}: ${JSON.stringify(json).slice(0, 160)}` })
    }
    await designwire.drain({ max: 1, seconds: 5 })
    const orders = await world.orders()
    if (expected.shopGone === true || orders === undefined) {
      if (expected.shopGone !== true || orders !== undefined) differs.push({ kind: "privacy", text: "the shop" })
      steps.push({ topic: webhook.topic, status, state: "removed", reason: null, differs: differs.map(firm) })
      continue
    }
    differs.push(...compare(expected, orders))
    const kept = typeof json["id"] === "string" ? await designwire.inbox.get(world.info.id, json["id"]) : undefined
    const state = kept?.state ?? null
    const reason = kept?.reason ?? null
    const needsSomebody = state === "failed" || state === "waiting"
    const isTold = needsSomebody || (state === "applied" && reason !== null)
    let isOpen = expected.open !== undefined
    if (expected.otherwise !== undefined && differs.length > 0) {
      if (isTold) isOpen = true
      else differs.push({ kind: "untold", text: expected.otherwise })
    } else if (expected.owner !== null && !isTold) differs.push({ kind: "untold", text: expected.owner })
    if (expected.owner === null && expected.otherwise === undefined && needsSomebody) {
      differs.push({ kind: "alarm", text: `${state} without need` })
    }
    for (const [order, ids] of Object.entries(expected.redacted ?? {})) {
      const text = JSON.stringify(orders.find(({ id }) => id === order)?.designs ?? [])
      for (const id of ids) if (text.includes(`text of ${id}`)) differs.push({ kind: "privacy", text: id })
    }
    steps.push({ topic: webhook.topic, status, state, reason, differs: differs.map((each) => ({ ...each, isOpen })) })
  }
  return steps
}

const firm = (each: Omit<Difference, "isOpen">): Difference => ({ ...each, isOpen: false })
