/** Spans of what the core does, by the names of OpenTelemetry's conventions for messages. */
import { Context, Effect, References, Tracer } from "effect"
import { type EventRecord, eventOf, type Happening } from "../model/events/Event.ts"
import { traceContextOf } from "../model/log/TraceContext.ts"
import type { Shop } from "../model/shops/Shop.ts"
import { newId } from "./NewId.ts"

/** Whether a tracer takes spans. Effect's own keeps them for nobody, so that none need be made. */
export const isTraced: Effect.Effect<boolean> = Effect.zipWith(
  Tracer.Tracer,
  References.TracerEnabled,
  (tracer, isEnabled) => isEnabled && tracer !== Tracer.nativeTracer,
)

/** The `tracestate` that came with the current request's `traceparent`. */
export const TraceState = Context.Reference<string | undefined>("designwire/TraceState", {
  defaultValue: () => undefined,
})

/** Whether receivers of webhooks get the headers `traceparent` and `tracestate`, if spans are made (D70). */
export const TraceReceivers = Context.Reference<boolean>("designwire/TraceReceivers", { defaultValue: () => true })

/** Attributes of a span that handles events of a kind. */
export const messagingAttributes = (operation: "create" | "receive" | "send" | "settle", destination?: string) => ({
  "messaging.system": "designwire",
  "messaging.operation.name": operation,
  "messaging.operation.type": operation,
  ...(destination === undefined ? {} : { "messaging.destination.name": destination }),
})

/** A new event, with a span of its own if there is a tracer: the parent of every attempt to deliver the event. */
export const newEvent = (shop: Shop, happening: Omit<Happening, "id" | "trace">) =>
  Effect.flatMap(Effect.all([newId("evt_"), isTraced]), ([id, traced]) =>
    traced ? tracedEvent(shop, { ...happening, id }) : Effect.succeed(eventOf(shop, { ...happening, id })),
  )

const tracedEvent = (shop: Shop, happening: Happening): Effect.Effect<EventRecord> =>
  Effect.useSpan(
    `create ${happening.event}`,
    {
      kind: "producer",
      attributes: {
        ...messagingAttributes("create", happening.event),
        "messaging.message.id": happening.id,
        "designwire.shop.id": shop.id,
      },
    },
    (span) => Effect.map(TraceState, (state) => eventOf(shop, { ...happening, trace: traceContextOf(span, state) })),
  )
