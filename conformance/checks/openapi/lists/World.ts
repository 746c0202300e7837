/** A shop whose every list has several pages, with entries of every size, and walks through lists to their ends. */
import { Context, Effect, Layer, Logger, Option } from "effect"
import type { AuditEntry } from "../../../../core/model/audit/AuditEntry.ts"
import { eventOf } from "../../../../core/model/events/Event.ts"
import type { InboxItem } from "../../../../core/model/ingest/InboxItem.ts"
import { InboxStates } from "../../../../core/model/ingest/InboxView.ts"
import { AuditStore } from "../../../../core/ports/AuditStore.ts"
import { Inbox } from "../../../../core/ports/Inbox.ts"
import { OrderStore } from "../../../../core/ports/OrderStore.ts"
import { idAt } from "../../../../core/support/NewId.ts"
import { perMinute, TokenRateLimit } from "../../../../core/usecases/access/LimitRequest.ts"
import { exampleOf } from "../../../../hosts/settings/EventCatalogue.ts"
import { shopInput } from "../../../suites/service/Samples.ts"
import { busyShop, type Past, past } from "../../../testkit/browsers/BusyShop.ts"
import { bodyOf, inProcess, manage, memory, newToken } from "../../../testkit/hosts/TestHost.ts"

export const shop = "busy"

const minute = 60_000

/** Lengths of texts, in bytes: two of the long ones exceed the budget of a page together, and one of them alone. */
const sizes = [10, 10, 700_000, 10, 2_000_000, 700_000, 10, 10, 10]

const inboxItem = (index: number, length: number): InboxItem => ({
  ...{ shop, id: idAt("inb_", Date.UTC(2026, 0, 1, index)), source: "shopify", topic: `topic-${index}`, eventId: null },
  ...{
    orderId: `order-${index}`,
    change: "place",
    modifiedAt: null,
    triggeredAt: null,
    content: `content-${index}`,
    property: "_design",
  },
  ...{ receivedAt: Date.UTC(2026, 0, 1, index), designId: null, body: "{}", reason: "x".repeat(length) },
  state: InboxStates.literals[index % InboxStates.literals.length] ?? "failed",
})

const auditEntry = (index: number, length: number): AuditEntry => ({
  ...{ shop, id: `aud_0${index}`, at: Date.now() - Math.floor(index / 3) * minute, before: null },
  ...{ actor: { type: "person", name: "Ada" }, action: "order.redacted", after: { description: "x".repeat(length) } },
  subject: { type: index % 2 === 0 ? "order" : "design", id: `subject-${index}` },
})

const sizeOf = (index: number): number => sizes[index] ?? 10

const times = <A>(count: number, make: (index: number) => A): ReadonlyArray<A> =>
  Array.from({ length: count }, (_, index) => make(index))

const refused = { statusCode: 500, responseStart: "no", error: null, durationMs: 10 } as const

/** Makes the shop. */
export const world = Effect.gen(function* () {
  const ports = yield* Layer.build((yield* memory.open).ports)
  const send = yield* Effect.provideService(inProcess(Layer.succeedContext(ports)), TokenRateLimit, perMinute(100_000))
  const url = "https://93.184.216.34/"
  const urls = { healthy: `${url}a`, failing: `${url}b`, off: `${url}c`, quiet: `${url}d` }
  const { endpoints } = yield* busyShop(send, ports, { id: shop, urls })
  // Nothing else is due yet.
  const owner = { ...shopInput, id: shop }
  const failed = times(60, (index): Past => {
    const responseStart = "x".repeat(sizeOf(index))
    return { minutesAgo: 600 + index, outcomes: [{ ...refused, responseStart }], status: "failed" }
  })
  const tests = times(
    30,
    (index): Past => ({ minutesAgo: 700 + index, test: true, outcomes: [refused], status: "failed" }),
  )
  const pending = times(70, (index): Past => ({ minutesAgo: 900 + index, outcomes: [refused], status: "pending" }))
  yield* Effect.provideContext(past(owner, endpoints.quiet, [...failed, ...tests]), ports)
  yield* Effect.provideContext(past(owner, endpoints.failing, pending), ports)
  const at = (path: string) => `/shops/${shop}${path}`
  for (const index of times(45, (index) => index)) {
    yield* bodyOf(200, yield* manage(send, "PUT", `/shops/store-${String(index).padStart(2, "0")}`, shopInput))
  }
  for (const index of times(30, (index) => 1_000 + index)) {
    const customizer = { title: `Ring ${index}`, platformProductId: `gid://s/Product/${index}`, assetBase: url }
    yield* bodyOf(200, yield* manage(send, "PUT", at(`/customizers/${index}`), customizer))
  }
  for (const index of times(30, (index) => index))
    yield* bodyOf(201, yield* manage(send, "POST", at("/tokens"), { name: `System ${index % 2 === 0 ? "A" : "B"}` }))
  // Three orders each were placed at the same time; some are cancelled.
  for (const index of times(50, (index) => index)) {
    const id = `n-${String(index).padStart(2, "0")}`
    const selection = { metal: "silver", size: "s54", engrave: "no" }
    yield* bodyOf(
      201,
      yield* manage(send, "PUT", at(`/designs/${id}-d`), { customizerId: 101, selection, basePrice: 1 }),
    )
    const orderedAt = new Date(Date.UTC(2026, 0, 1 + Math.floor(index / 3))).toISOString()
    const lines = [{ designId: `${id}-d`, lineItemId: "1" }]
    yield* bodyOf(200, yield* manage(send, "PUT", at(`/orders/${id}`), { name: `#${id}`, orderedAt, lines }))
    if (index % 3 === 0) yield* bodyOf(200, yield* manage(send, "POST", at(`/orders/${id}/cancel`)))
  }
  // Two of these exceed a page together, and one of them alone.
  const store = Context.get(ports, OrderStore)
  for (const [id, length] of [
    ["n-05", 4_300_000],
    ["n-06", 4_300_000],
    ["n-20", 8_600_000],
  ] as const) {
    const { designs, order } = Option.getOrThrow(yield* store.order(shop, id))
    const longer = designs.map((design) => {
      const wire = JSON.parse(design.wire) as { customizer: { title: string } }
      wire.customizer.title = "x".repeat(length)
      return { ...design, wire: JSON.stringify(wire), revision: design.revision + 1 }
    })
    yield* store.commit({ shop, designs: longer, order: { ...order, revision: order.revision + 1 }, events: [] })
  }
  const large = times(4, (index) => {
    const [kind, length] = [
      index % 2 === 0 ? "design.ordered" : "order.cancelled",
      index === 2 ? 8_600_000 : 4_300_000,
    ] as const
    const { data } = JSON.parse(exampleOf(owner, kind)) as {
      readonly data: { design?: { customizer: { title: string } }; order?: { name: string } }
    }
    if (data.design !== undefined) data.design.customizer.title = "x".repeat(length)
    if (data.order !== undefined) data.order.name = "x".repeat(length)
    return eventOf(owner, { id: `evt_large${index}`, event: kind, now: Date.now(), data: JSON.stringify(data) })
  })
  yield* store.commit({ shop, designs: [], order: null, events: large })
  for (const index of times(100, (index) => index)) {
    yield* Context.get(ports, Inbox).put(inboxItem(index, sizeOf(index)))
    yield* Context.get(ports, AuditStore).add(auditEntry(index, sizeOf(index)))
  }
  const { token } = yield* newToken(send, shop)
  return { ports, send, endpoints, token }
})

/** The world, made once for the tests of a file. */
export class World extends Context.Service<World, Effect.Success<typeof world>>()("designwire/test/World") {}

export const layerWorld = Layer.effect(World, world).pipe(Layer.provide(Logger.layer([])))

/** Goes from the first page to the last. Fails if a list does not end. */
export const walk = Effect.fnUntraced(function* <A, C, E, R>(
  page: (
    cursor: C | undefined,
  ) => Effect.Effect<{ readonly entries: ReadonlyArray<A>; readonly next: C | undefined }, E, R>,
) {
  const all: Array<A> = []
  let next: C | undefined
  let pages = 0
  do {
    const part = yield* page(next)
    all.push(...part.entries)
    next = part.next
    if (++pages > 2_000) return yield* Effect.die(new Error("The list does not end"))
  } while (next !== undefined)
  return { all, pages }
})
