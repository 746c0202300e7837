import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type SealedSecret, SealedSecrets } from "../../../core/ports/SealedSecrets.ts"
import { mapped } from "../statements/Errors.ts"

/** `SealedSecrets` over SQL. */
export const layer: Layer.Layer<SealedSecrets, never, SqlClient.SqlClient> = Layer.effect(
  SealedSecrets,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    list: (after, limit) =>
      sql<SealedSecret>`SELECT e.shop, e.id AS "endpointId", s.sealed FROM (
  SELECT e.shop, e.id, e.secret, e.new_secret, e.options #>> '{headers,sealed}' AS headers,
    e.options #>> '{oauth,sealed}' AS oauth, e.options #>> '{clientCertificate,sealed}' AS certificate FROM designwire.endpoints e
  WHERE ${after === null ? sql`true` : sql`(e.shop, e.id) > (${after.shop}, ${after.endpointId})`}
  ORDER BY e.shop, e.id LIMIT ${limit}::int4
) e CROSS JOIN LATERAL (VALUES (e.secret), (e.new_secret), (e.headers), (e.oauth), (e.certificate)) s (sealed)
WHERE s.sealed IS NOT NULL ORDER BY e.shop, e.id`.pipe(mapped("Reading sealed secrets")),
    replace: ({ endpointId, sealed, shop }, anew) =>
      sql`UPDATE designwire.endpoints SET secret = CASE WHEN secret = ${sealed} THEN ${anew} ELSE secret END,
  new_secret = CASE WHEN new_secret = ${sealed} THEN ${anew} ELSE new_secret END,
  options = CASE ${sealed} WHEN options #>> '{headers,sealed}'
    THEN jsonb_set(options, '{headers,sealed}', to_jsonb(${anew}::text)) WHEN options #>> '{oauth,sealed}'
    THEN jsonb_set(options, '{oauth,sealed}', to_jsonb(${anew}::text)) WHEN options #>> '{clientCertificate,sealed}'
    THEN jsonb_set(options, '{clientCertificate,sealed}', to_jsonb(${anew}::text)) ELSE options END
WHERE shop = ${shop} AND id = ${endpointId}
  AND ${sealed} IN (secret, new_secret, options #>> '{headers,sealed}', options #>> '{oauth,sealed}',
    options #>> '{clientCertificate,sealed}')
RETURNING 1 AS replaced`.pipe(
        Effect.map((rows) => rows.length > 0),
        mapped("Replacing a sealed secret"),
      ),
  })),
)
