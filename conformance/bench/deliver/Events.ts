import { randomBytes } from "node:crypto"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { ManagedRuntime } from "effect"
import { type EventRecord, eventOf } from "../../../core/model/events/Event.ts"
import type { Shop } from "../../../core/model/shops/Shop.ts"
import { newId } from "../../../core/support/NewId.ts"
import type { Job } from "./Send.ts"

/** A shop and the ids of its endpoints. */
export interface StagedShop {
  readonly shop: Shop
  readonly endpoints: ReadonlyArray<string>
}

const crypto = ManagedRuntime.make(NodeCrypto.layer)

/** Ids as a service makes them: they begin with the time, so that rows of a moment are close to each other. */
export const freshId = (prefix: "evt_" | "whe_"): string => crypto.runSync(newId(prefix))

/** Bytes of every body. */
const bodyBytes = 2_048

/** A new event `design.ordered` with a body of 2 KiB whose content differs from event to event. */
export const makeEvent = (shop: Shop): EventRecord => {
  const id = freshId("evt_")
  const answers = randomBytes(256).toString("hex")
  const summary = Array.from({ length: 32 }, (_, index) => ({
    key: `Question ${index}`,
    value: answers.slice(16 * index, 16 * index + 16),
  }))
  const of = (note: string) =>
    eventOf(shop, {
      id,
      event: "design.ordered",
      data: JSON.stringify({ design: { id: "dsn_bench", summary, note } }),
      now: Date.now(),
    })
  return of("-".repeat(Math.max(0, bodyBytes - of("").body.length)))
}

/** The id of the delivery of an event to an endpoint (D22). */
export const deliveryId = (eventId: string, endpointId: string): string =>
  `dlv_${eventId.slice(4)}${endpointId.slice(4)}`

/** Creates jobs for the other queues with the same bodies and endpoints. */
export const jobsOf = (
  shops: ReadonlyArray<StagedShop>,
  origin: string,
  secret: string,
): ((count: number) => ReadonlyArray<Job>) => {
  const endpoints = shops.flatMap(({ endpoints, shop }) => endpoints.map((endpoint) => ({ endpoint, shop })))
  let turn = 0
  return (count) =>
    Array.from({ length: count }, () => {
      const { endpoint, shop } = endpoints[turn++ % endpoints.length] as (typeof endpoints)[number]
      const { body, event, id } = makeEvent(shop)
      return { id: deliveryId(id, endpoint), url: `${origin}/${endpoint}`, secret, event, body }
    })
}
