import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import type { Subject } from "../../../core/model/events/Event.ts"
import { format } from "../../../core/model/Instant.ts"
import type { Attempt, DeliveryRecord } from "../../../core/model/webhooks/Delivery.ts"
import type { FoundDelivery } from "../../../core/model/webhooks/LoggedDelivery.ts"
import { DeliveryLog } from "../../../core/ports/DeliveryLog.ts"
import { mapped } from "../statements/Errors.ts"
import { fixed } from "../statements/Fixed.ts"
import { fitting } from "../statements/Rows.ts"
import { select } from "../statements/Table.ts"
import { activity } from "./AttemptCounts.ts"
import { attemptOf, pageOfDeliveries, standingColumns, withEvent } from "./DeliveryPages.ts"
import { deliveryFields, hasMissed } from "./DeliveryRules.ts"
import { countResendable } from "./Resend.ts"
import { spellings } from "./Spellings.ts"

interface DeliveryRow extends Omit<DeliveryRecord, "attempts"> {
  /** A JSON array of {@link Attempt}. */
  readonly attempts: string
}

const columns = fixed(`${select("d", deliveryFields)}, d.attempt_log::text AS attempts`)

const delivery = ({ attempts, ...row }: DeliveryRow): DeliveryRecord => ({
  ...row,
  attempts: (JSON.parse(attempts) as ReadonlyArray<Attempt>).map(attemptOf),
})

interface FoundRow extends DeliveryRow, Subject, Pick<FoundDelivery, "body" | "claimedUntil" | "isBehind"> {}

const foundDelivery = ({ body, claimedUntil, design, isBehind, order, ...row }: FoundRow): FoundDelivery => ({
  delivery: delivery(row),
  ...{ body, claimedUntil, isBehind, subject: { order, design } },
})

const newestFirst = fixed("created_at DESC, id DESC")

/** `DeliveryLog` over SQL. */
export const layerDeliveryLog: Layer.Layer<DeliveryLog, never, SqlClient.SqlClient> = Layer.effect(
  DeliveryLog,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const all = columns

    return {
      list: (shop, endpointId, limit, part) => {
        const { after = null, bytes } = part ?? {}
        const rest =
          after === null ? sql`` : sql` AND (d.created_at, d.id) < (${format(after.at)}::timestamptz, ${after.id})`
        const found = sql`SELECT d.*, octet_length(d.attempt_log::text) AS bytes FROM designwire.deliveries d
WHERE d.shop = ${shop} AND d.endpoint_id = ${endpointId}${rest}
ORDER BY d.created_at DESC, d.id DESC LIMIT ${limit}::int4`
        return sql<DeliveryRow>`SELECT ${all} FROM (${fitting(sql, found, newestFirst, bytes)}) d
ORDER BY d.created_at DESC, d.id DESC`.pipe(
          Effect.map((rows) => rows.map(delivery)),
          mapped("Reading deliveries"),
        )
      },
      find: (shop, endpointId, id) =>
        sql<FoundRow>`SELECT ${all}, ${standingColumns}, ev.body FROM designwire.deliveries d ${withEvent}
WHERE d.shop = ${shop} AND (${endpointId}::text IS NULL OR d.endpoint_id = ${endpointId}) AND d.id = ${id}`.pipe(
          Effect.map(([row]) => Option.map(Option.fromUndefinedOr(row), foundDelivery)),
          mapped("Reading a delivery"),
        ),
      page: (query) => pageOfDeliveries(sql, query).pipe(mapped("Reading deliveries")),
      activity: (shop, span) => activity(sql, shop, span).pipe(mapped("Reading the activity of a shop")),
      spellings: (query) => spellings(sql, query).pipe(mapped("Looking for ids")),
      missed: (shop, endpointId, since) =>
        sql<{ missed: number }>`SELECT count(*)::int4 AS missed
FROM designwire.endpoints e JOIN designwire.events ev ON ev.shop = e.shop AND ev.created_at >= ${format(since)}::timestamptz
WHERE e.shop = ${shop} AND e.id = ${endpointId} AND ${hasMissed}`.pipe(
          Effect.map((rows) => rows[0]?.missed ?? 0),
          mapped("Counting missed events"),
        ),
      resendable: (shop, endpointId, filter) =>
        mapped("Counting deliveries to send again")(countResendable(sql, shop, endpointId, filter)),
    }
  }),
)
