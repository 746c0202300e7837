/** Writers of orders: each begins one at a steady rate, whether or not those before it have ended. */
import { Cause, Effect, Exit } from "effect"
import { designData, eventOf } from "../../../core/model/Event.ts"
import type { Shop } from "../../../core/model/Shop.ts"
import { type Change, OrderStore } from "../../../core/ports/OrderStore.ts"
import { StaleRevision } from "../../../core/ports/StorageError.ts"
import { instant, pause } from "../support/Clock.ts"
import { sample } from "../support/Sample.ts"
import type { Stores } from "./Stores.ts"

/** An order that was acknowledged. Its place in the list of all is its number. */
export interface Write {
  readonly shop: string
  /** Milliseconds since 1970 of the first try, and of the acknowledgement. */
  readonly begun: number
  readonly done: number
  /** Tries that failed without saying whether the order is stored. */
  readonly unknown: number
  /** Whether a try found it stored: after an unknown one, that was stored; as the first try, it was stored twice. */
  readonly found: boolean
}

/** Ids of what a write stores. The digits are its number. */
export const idsOf = (number: number) => {
  const digits = String(number).padStart(21, "0")
  return { order: `8${digits}`, design: `dsn_w${digits}`, event: `evt_w${digits}` }
}

/** The number of an event, by its envelope; `undefined` if no writer made it. */
export const numberOf = (body: string): number | undefined => {
  const digits = /^\{"id":"evt_w(\d+)"/.exec(body)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

const templates = new Map<string, ReturnType<typeof sample>>()

/** A new order of one design. */
const change = (shop: Shop, number: number): Change => {
  const template = templates.get(shop.id) ?? sample(shop, { designs: 2, orders: 1 })
  templates.set(shop.id, template)
  const [design, order] = [template.designs[0], template.orders[0]]
  if (design === undefined || order === undefined) throw new Error("A sample has one order")
  const [ids, now] = [idsOf(number), Date.now()]
  const own = (text: string) => text.replaceAll(design.id, ids.design).replaceAll(order.id, ids.order)
  const wire = own(design.wire)
  return {
    shop: shop.id,
    designs: [{ ...design, id: ids.design, orderId: ids.order, wire, createdAt: now, revision: 1 }],
    order: { ...order, id: ids.order, head: own(order.head), orderedAt: now },
    events: [eventOf(shop, { id: ids.event, event: "design.ordered", data: designData(wire), now })],
  }
}

/** The writes and failures so far. */
export interface Log {
  readonly writes: Array<Write>
  /** How often a try failed, by reason. */
  readonly failures: Record<string, number>
}

/** Stores an order: tries again until it is stored, as a platform does that gets no answer. */
const place = async (stores: Stores, shop: Shop, number: number, log: Log): Promise<void> => {
  const [begun, order] = [instant(), change(shop, number)]
  for (let unknown = 0; ; unknown++) {
    const exit = await stores.runPromise(Effect.exit(OrderStore.use((store) => store.commit(order))))
    const error = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
    if (error === undefined || error instanceof StaleRevision) {
      log.writes[number] = { shop: shop.id, begun, done: instant(), unknown, found: error !== undefined }
      return
    }
    const reason = String(error instanceof Error ? error.message : error)
    log.failures[reason] = (log.failures[reason] ?? 0) + 1
    await pause(50)
  }
}

/** How each writer writes. */
export interface Pace {
  readonly writers: number
  /** Orders per second of each writer, and how many of them may be under way. */
  readonly perSecond: number
  readonly atOnce: number
}

/** Writes until it is over, and returns once every order is acknowledged. */
export const writeAll = async (
  stores: Stores,
  shops: ReadonlyArray<Shop>,
  { atOnce, perSecond, writers }: Pace,
  log: Log,
  isOver: () => boolean,
): Promise<void> => {
  let next = 0
  const write = async (writer: number) => {
    const underWay = new Set<Promise<void>>()
    let due = instant() + (1_000 / perSecond) * (writer / writers)
    while (!isOver()) {
      await pause(Math.max(0, due - instant()))
      while (underWay.size >= atOnce) await Promise.race(underWay)
      // Orders that had to wait for earlier ones are not caught up with.
      due = Math.max(due + 1_000 / perSecond, atOnce === 1 ? instant() : 0)
      const number = next++
      const placed: Promise<void> = place(stores, shops[number % shops.length] as Shop, number, log).finally(() =>
        underWay.delete(placed),
      )
      underWay.add(placed)
    }
    await Promise.all(underWay)
  }
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))
}
