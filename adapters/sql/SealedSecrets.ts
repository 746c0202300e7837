import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type SealedSecret, SealedSecrets } from "../../core/ports/SealedSecrets.ts"
import { mapped } from "./Errors.ts"

/** `SealedSecrets` over SQL. */
export const layer: Layer.Layer<SealedSecrets, never, SqlClient.SqlClient> = Layer.effect(
  SealedSecrets,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    list: (after, limit) =>
      sql<SealedSecret>`SELECT e.shop, e.id AS "endpointId", e.secret AS sealed FROM designwire.endpoints e
WHERE ${after === null ? sql`true` : sql`(e.shop, e.id) > (${after.shop}, ${after.endpointId})`}
ORDER BY e.shop, e.id LIMIT ${limit}::int4`.pipe(mapped("Reading sealed secrets")),
    replace: ({ endpointId, sealed, shop }, anew) =>
      sql`UPDATE designwire.endpoints SET secret = ${anew}
WHERE shop = ${shop} AND id = ${endpointId} AND secret = ${sealed} RETURNING 1 AS replaced`.pipe(
        Effect.map((rows) => rows.length > 0),
        mapped("Replacing a sealed secret"),
      ),
  })),
)
