import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { EventRecord } from "../../../core/model/Event.ts"
import { EventStore, type EventsOfDesigns } from "../../../core/ports/EventStore.ts"
import { redacted } from "../../../core/rules/Redaction.ts"
import { deliveriesOfEvent } from "../queue/DeliveryRules.ts"
import { mapped, storageError, withoutDefects } from "../statements/Errors.ts"
import { milliseconds, rows } from "../statements/Rows.ts"
import { readFeed } from "./Feed.ts"

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
UPDATE designwire.deliveries d SET attempt_log = (
  SELECT jsonb_agg(CASE WHEN a.attempt ->> 'responseStart' IS NULL THEN a.attempt ELSE a.attempt || jsonb_build_object('responseStart', ${redacted}::text) END ORDER BY a.place)
  FROM jsonb_array_elements(d.attempt_log) WITH ORDINALITY a (attempt, place)
)
FROM changed ev CROSS JOIN LATERAL (${sql.literal(deliveriesOfEvent)}) o
WHERE d.shop = ${shop} AND d.id = o.id AND d.attempts > 0`

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
