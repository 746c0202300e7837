/** Redacts designs, and the kept events that contain them (D43). */
import { Effect, Option } from "effect"
import type { Definition } from "../model/catalog/Definition.ts"
import { changeWire, type DesignRecord, fromWire } from "../model/catalog/Design.ts"
import { designData, type EventRecord, orderData } from "../model/events/Event.ts"
import { memberOf, replaceMembers, split } from "../model/json/JsonText.ts"
import { CustomizerStore } from "../ports/CustomizerStore.ts"
import { EventStore } from "../ports/EventStore.ts"
import { KeptAnswers } from "../ports/KeptAnswers.ts"
import { redactDesign } from "../rules/orders/Redaction.ts"
import { etagOf } from "./Etag.ts"

/** The size of the pages in which events are searched. */
const pageSize = 50

/** A function that redacts the wire form of a design. */
export type Redact = Effect.Success<ReturnType<typeof makeRedact>>

/** Makes the function that redacts wire forms of a shop's designs, each with its own version of its customizer. */
export const makeRedact = Effect.fnUntraced(function* (shop: string) {
  const customizers = yield* CustomizerStore
  const definitions = new Map<string, Definition>()
  return Effect.fnUntraced(function* (wire: string) {
    const design = fromWire(wire)
    const { id, version } = design.customizer
    const key = `${id}/${version}`
    const definition =
      definitions.get(key) ??
      (JSON.parse(Option.getOrThrow(yield* customizers.definition(shop, id, version))) as Definition)
    definitions.set(key, definition)
    const { productionData, selection, summary } = redactDesign(design, definition)
    return changeWire(wire, { selection, summary, productionData })
  })
})

/** A design's next record, redacted; the same record if nothing in it is left to redact. */
export const redactRecord = Effect.fnUntraced(function* (record: DesignRecord, redact: Redact) {
  const text = yield* redact(record.wire)
  return text === record.wire
    ? record
    : { ...record, wire: text, etag: yield* etagOf(text), revision: record.revision + 1 }
})

/**
 * A page of the events that contain one of these designs, with the redacted bodies of those that change. `next` is
 * `null` on the last page.
 */
const redactedPage = Effect.fnUntraced(function* (
  shop: string,
  designIds: ReadonlySet<string>,
  redact: Redact,
  after: string | null,
) {
  const page: ReadonlyArray<EventRecord> = yield* EventStore.use((events) =>
    events.ofDesigns({ shop, designIds: [...designIds], after, limit: pageSize }),
  )
  const redacted = yield* Effect.forEach(page, ({ body, id }) =>
    Effect.map(redactBody(body, designIds, redact), (after) => ({ id, body: after })),
  )
  const changed = redacted.filter(({ body }, index) => body !== page[index]?.body)
  return { changed, next: page.length < pageSize ? null : (page.at(-1)?.id ?? null) }
})

/** The redacted bodies of all kept events that contain a design, without those that stay as they are. */
export const redactedEventsOf = Effect.fnUntraced(function* (shop: string, designId: string, redact: Redact) {
  const all: Array<Pick<EventRecord, "id" | "body">> = []
  let after: string | null = null
  do {
    const page: Effect.Success<ReturnType<typeof redactedPage>> = yield* redactedPage(
      shop,
      new Set([designId]),
      redact,
      after,
    )
    all.push(...page.changed)
    after = page.next
  } while (after !== null)
  return all
})

/** Redacts the kept events that contain one of these designs, and erases kept answers that may do so (D49). */
export const redactEvents = Effect.fnUntraced(function* (shop: string, designIds: ReadonlySet<string>, redact: Redact) {
  // Repeated until nothing is found: an event may have been made from the design before it was redacted.
  while (yield* redactOnce(shop, designIds, redact));
  yield* KeptAnswers.use((answers) => answers.eraseTexts(shop))
})

/** Returns whether there were any. */
const redactOnce = Effect.fnUntraced(function* (shop: string, designIds: ReadonlySet<string>, redact: Redact) {
  let changedAny = false
  let after: string | null = null
  do {
    const page: Effect.Success<ReturnType<typeof redactedPage>> = yield* redactedPage(shop, designIds, redact, after)
    if (page.changed.length > 0) {
      yield* EventStore.use((events) => events.redact(shop, page.changed))
      changedAny = true
    }
    after = page.next
  } while (after !== null)
  return changedAny
})

/** A body with these designs redacted. All its other bytes stay. */
const redactBody = Effect.fnUntraced(function* (body: string, designIds: ReadonlySet<string>, redact: Redact) {
  const redactIf = (wire: string) => (designIds.has(fromWire(wire).id) ? redact(wire) : Effect.succeed(wire))
  const data = memberOf(body, "data") ?? "{}"
  const design = memberOf(data, "design")
  if (design !== undefined) return replaceMembers(body, new Map([["data", designData(yield* redactIf(design))]]))
  const order = memberOf(data, "order")
  if (order === undefined) return body
  const designs = yield* Effect.forEach(split(memberOf(order, "designs") ?? "[]"), redactIf)
  const changed = replaceMembers(order, new Map([["designs", `[${designs.join(",")}]`]]))
  return replaceMembers(body, new Map([["data", orderData(changed)]]))
})
