import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { EventRecord } from "../../../core/model/Event.ts"
import { EventStore, type EventsOfDesigns } from "../../../core/ports/EventStore.ts"
import { mapped, storageError, withoutDefects } from "../statements/Errors.ts"
import { milliseconds, rows } from "../statements/Rows.ts"
import { readFeed } from "./Feed.ts"
import { redactionTables } from "./Redaction.ts"

/** `EventStore` over SQL. */
export const layer: Layer.Layer<EventStore, never, SqlClient.SqlClient> = Layer.effect(
  EventStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const ofDesigns = ({ after, designIds, limit, shop }: EventsOfDesigns) =>
      sql<EventRecord>`SELECT ev.shop, ev.id, ev.event, ev.test, ${sql.literal(milliseconds("ev.created_at"))} AS "createdAt", ev.body
FROM designwire.events ev WHERE ev.shop = ${shop} AND ev.id > ${after ?? ""} AND EXISTS (
  SELECT 1 FROM ${rows(
    sql,
    "r",
    { mark: "text" },
    designIds.map((id) => ({ mark: `"id":${JSON.stringify(id)}` })),
  )} WHERE strpos(ev.body, r.mark) > 0
) ORDER BY ev.id LIMIT ${limit}::int4`

    return {
      feed: (query) =>
        readFeed(sql, query).pipe(
          withoutDefects,
          Effect.mapError((error) => (error._tag === "SqlError" ? storageError("Reading the feed")(error) : error)),
        ),
      ofDesigns: (query) => ofDesigns(query).pipe(mapped("Looking for events")),
      redact: (shop, events) =>
        sql`WITH ${redactionTables(sql, shop, events)} SELECT count(*) FROM redacted`.pipe(
          Effect.asVoid,
          mapped("Redacting events"),
        ),
    }
  }),
)
