import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import type { Audited } from "../../../core/model/audit/AuditEntry.ts"
import type { CustomizerRecord } from "../../../core/model/catalog/Customizer.ts"
import { format } from "../../../core/model/Instant.ts"
import {
  type CustomizerDescription,
  CustomizerStore,
  type CustomizerSummary,
  type CustomizerVersion,
} from "../../../core/ports/CustomizerStore.ts"
import { insertEntry, lockCreation } from "../audit/Audit.ts"
import { mapped } from "../statements/Errors.ts"
import { fixed } from "../statements/Fixed.ts"
import { select } from "../statements/Table.ts"

const fields = {
  ...({ shop: "text", id: "int8", title: "text", platformProductId: "text", assetBase: "text" } as const),
  version: "int4",
} as const

/** The columns of a {@link CustomizerSummary} of `customizers c` and its published version `v`. */
const summary = fixed(`${select("c", fields)}, v.digest`)

/** `CustomizerStore` over SQL. */
export const layerCustomizers: Layer.Layer<CustomizerStore, never, SqlClient.SqlClient> = Layer.effect(
  CustomizerStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const published = sql`LEFT JOIN designwire.customizer_versions v ON v.shop = c.shop AND v.customizer_id = c.id AND v.version = c.version`
    const first = <A>(rows: ReadonlyArray<A>) => Option.fromUndefinedOr(rows[0])

    const findSummary = (shop: string, id: number) =>
      Effect.map(
        sql<CustomizerSummary>`SELECT ${summary} FROM designwire.customizers c ${published}
WHERE c.shop = ${shop} AND c.id = ${id}::float8::int8`,
        first,
      )

    const put = Effect.fnUntraced(function* (
      customizer: CustomizerDescription,
      audited: Audited<CustomizerDescription> | undefined,
    ) {
      if (audited !== undefined) {
        const { id, shop } = customizer
        yield* lockCreation(sql, "customizer", shop, String(id))
        const before = Option.getOrNull(yield* findSummary(shop, id))
        yield* insertEntry(sql, audited(before, customizer))
      }
      const [stored] = yield* sql<CustomizerRecord>`WITH c AS (
  INSERT INTO designwire.customizers (shop, id, title, platform_product_id, asset_base)
  VALUES (${customizer.shop}, ${customizer.id}::float8::int8, ${customizer.title}, ${customizer.platformProductId}, ${customizer.assetBase})
  ON CONFLICT (shop, id) DO UPDATE SET title = excluded.title, platform_product_id = excluded.platform_product_id,
    asset_base = excluded.asset_base
  RETURNING *
)
SELECT ${summary}, v.definition FROM c ${published}`
      return stored as CustomizerRecord
    })

    /** The versions of a customizer are consecutive, so the one before follows from the new one. */
    const auditPublished = (
      published: CustomizerRecord | undefined,
      audited: Audited<CustomizerSummary> | undefined,
    ) => {
      if (published === undefined || audited === undefined) return Effect.void
      const { definition: _, ...after } = published
      const version = after.version === null || after.version === 1 ? null : after.version - 1
      return insertEntry(sql, audited({ ...after, version, digest: null }, after))
    }

    return {
      find: (shop, id) =>
        sql<CustomizerRecord>`SELECT ${summary}, v.definition FROM designwire.customizers c ${published}
WHERE c.shop = ${shop} AND c.id = ${id}::float8::int8`.pipe(Effect.map(first), mapped("Reading a customizer")),

      summary: (shop, id) => findSummary(shop, id).pipe(mapped("Reading a customizer")),

      list: ({ after, limit, shop }) =>
        sql<CustomizerSummary>`SELECT ${summary} FROM designwire.customizers c ${published}
WHERE c.shop = ${shop} AND c.id > ${after}::float8::int8 ORDER BY c.id LIMIT ${limit}::int4`.pipe(
          mapped("Reading customizers"),
        ),

      versions: ({ before, id, limit, shop }) =>
        sql<CustomizerVersion>`SELECT ${select("v", { version: "int4", publishedAt: "timestamptz" })}
FROM designwire.customizer_versions v
WHERE shop = ${shop} AND customizer_id = ${id}::float8::int8 AND version < ${before}::int4
ORDER BY version DESC LIMIT ${limit}::int4`.pipe(mapped("Reading versions")),

      definition: (shop, id, version) =>
        sql<{ definition: string }>`SELECT definition FROM designwire.customizer_versions
WHERE shop = ${shop} AND customizer_id = ${id}::float8::int8 AND version = ${version}::int4`.pipe(
          Effect.map((rows) => Option.map(first(rows), ({ definition }) => definition)),
          mapped("Reading a definition"),
        ),

      // Within a transaction, so that nothing takes effect of a call that is interrupted while it waits for a lock (D49).
      put: (customizer, audited) => sql.withTransaction(put(customizer, audited)).pipe(mapped("Storing a customizer")),

      publish: (shop, id, { definition, digest }, now, audited) =>
        sql
          .withTransaction(
            Effect.tap(
              sql<CustomizerRecord>`WITH c AS (
  UPDATE designwire.customizers SET version = coalesce(version, 0) + 1
  WHERE shop = ${shop} AND id = ${id}::float8::int8 RETURNING *
), v AS (
  INSERT INTO designwire.customizer_versions (shop, customizer_id, version, definition, digest, published_at)
  SELECT shop, id, version, ${definition}, ${digest}, ${format(now)}::timestamptz FROM c
  RETURNING definition, digest
)
SELECT ${summary}, v.definition FROM c, v`,
              ([stored]) => auditPublished(stored, audited),
            ),
          )
          .pipe(Effect.map(first), mapped("Publishing a customizer")),
    }
  }),
)
