import { Effect, Layer } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import type { EventRecord } from "../../../core/model/events/Event.ts"
import type { EventsAbout } from "../../../core/model/webhooks/LoggedDelivery.ts"
import { EventStore, type EventsOfDesigns } from "../../../core/ports/EventStore.ts"
import { mapped, storageError, withoutDefects } from "../statements/Errors.ts"
import { PageReads } from "../statements/PageReads.ts"
import { inPieces } from "../statements/Pieces.ts"
import { rows } from "../statements/Rows.ts"
import { readFeed } from "./Feed.ts"
import { redactionTables } from "./Redaction.ts"
import { type EventRow, eventColumns, eventOf } from "./Subjects.ts"

/** `EventStore` over SQL. */
export const layerEventStore: Layer.Layer<EventStore, never, SqlClient.SqlClient | PageReads> = Layer.effect(
  EventStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const asPage = yield* PageReads

    // Each body is read once, whatever the number of designs: it may be long.
    const ofDesigns = ({ after, designIds, limit, shop }: EventsOfDesigns) =>
      sql<EventRow & { readonly body: string }>`SELECT ${eventColumns}, ev.body
FROM designwire.events ev WHERE ev.shop = ${shop} AND ev.id > ${after ?? ""} AND EXISTS (
  SELECT 1 FROM unnest(string_to_array(ev.body, '"id":')) AS member (value) JOIN ${rows(
    "r",
    { id: "text" },
    designIds.map((id) => ({ id: JSON.stringify(id) })),
  )} ON starts_with(member.value, r.id)
) ORDER BY ev.id LIMIT ${limit}::int4`

    return {
      find: ({ about, limit, shop }) =>
        sql<EventRow>`SELECT ${eventColumns} FROM designwire.events ev
WHERE ev.shop = ${shop} AND ${isAbout(sql, about)} ORDER BY ev.created_at DESC, ev.id DESC LIMIT ${limit}::int4`.pipe(
          Effect.map((found) => found.map(eventOf)),
          mapped("Looking for events"),
        ),
      feed: (query) =>
        readFeed(sql, asPage, query).pipe(
          withoutDefects,
          Effect.catch((error) =>
            error._tag === "SqlError" ? storageError("Reading the feed")(error) : Effect.fail(error),
          ),
        ),
      ofDesigns: (query) =>
        ofDesigns(query).pipe(
          Effect.map((found) => found.map((row): EventRecord => ({ ...eventOf(row), body: row.body }))),
          mapped("Looking for events"),
        ),
      redact: (shop, events) => {
        const pieces = inPieces(events, ({ body }) => body.length)
        const redacting = Effect.forEach(
          pieces,
          (piece) => sql`WITH ${redactionTables(sql, shop, piece)} SELECT count(*) FROM redacted`,
          { discard: true },
        )
        return sql.withTransaction(redacting).pipe(mapped("Redacting events"))
      },
    }
  }),
)

/** The indexes leave out events without the part of a subject. */
const isAbout = (sql: SqlClient.SqlClient, about: EventsAbout): Statement.Fragment => {
  if ("event" in about) return sql`ev.id = ${about.event}`
  return "order" in about
    ? sql`ev.order_id = ${about.order} AND ev.order_id <> ''`
    : sql`ev.design_id = ${about.design} AND ev.design_id <> ''`
}
