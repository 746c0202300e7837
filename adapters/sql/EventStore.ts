import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { EventRecord } from "../../core/model/Event.ts"
import { EventStore, type EventsOfDesigns } from "../../core/ports/EventStore.ts"
import { redacted } from "../../core/rules/Redaction.ts"
import { deliveriesOfEvent } from "./DeliveryRules.ts"
import { mapped, storageError, withoutDefects } from "./Errors.ts"
import { readFeed } from "./Feed.ts"
import { milliseconds, rows } from "./Rows.ts"

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

    const redact = (shop: string, events: ReadonlyArray<Pick<EventRecord, "id" | "body">>) =>
      sql`WITH changed AS (
  UPDATE designwire.events ev SET body = r.body FROM ${rows(sql, "r", { id: "text", body: "text" }, events)}
  WHERE ev.shop = ${shop} AND ev.id = r.id RETURNING ev.shop, ev.id
)
UPDATE designwire.attempts a SET response_start = ${redacted}
FROM changed ev CROSS JOIN LATERAL (${sql.literal(deliveriesOfEvent)}) d
WHERE a.shop = ${shop} AND a.delivery_id = d.id AND a.response_start IS NOT NULL`

    return {
      feed: (query) =>
        readFeed(sql, query).pipe(
          withoutDefects,
          Effect.mapError((error) => (error._tag === "SqlError" ? storageError("Reading the feed")(error) : error)),
        ),
      ofDesigns: (query) => ofDesigns(query).pipe(mapped("Looking for events")),
      redact: (shop, events) => redact(shop, events).pipe(Effect.asVoid, mapped("Redacting events")),
    }
  }),
)
