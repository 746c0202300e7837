import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { format, type Instant } from "../../../core/model/Instant.ts"
import type { Shop } from "../../../core/model/shops/Shop.ts"
import { ShopViews, setUpMark } from "../../../core/ports/ShopViews.ts"
import { usedId } from "../access/SettingsSessions.ts"
import { total } from "../orders/OrderCounts.ts"
import { mapped } from "../statements/Errors.ts"
import { type Fixed, fixed } from "../statements/Fixed.ts"
import { as } from "../statements/Table.ts"
import { type EndpointRow, columns as endpointColumns, endpointOf } from "../webhooks/Endpoints.ts"
import { shopColumns } from "./Shops.ts"

/** A shop beside one of its endpoints; the endpoint's columns are null if it has none. */
type Row = Omit<Shop, "id"> & { readonly shopId: string; readonly isSetUp: boolean } & EndpointRow

/** `ShopViews` over SQL. */
export const layer: Layer.Layer<ShopViews, never, SqlClient.SqlClient> = Layer.effect(
  ShopViews,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const both = fixed(`${as("s.id", "shopId")}, ${shopColumns("s")}, ${endpointColumns}`)

    const page = ({ after, limit, search }: Parameters<ShopViews["Service"]["page"]>[0]) => {
      const conditions = [
        ...(after === null ? [] : [sql`s.id > ${after}`]),
        ...(search === null
          ? []
          : [sql.or([begins(sql, fixed("s.id"), search), begins(sql, fixed("s.domain"), search)])]),
        sql`true`,
      ]
      return sql<Shop>`SELECT s.id, ${shopColumns("s")} FROM designwire.shops s
WHERE ${sql.and(conditions)} ORDER BY s.id LIMIT ${limit}::int4`
    }

    return {
      withEndpoints: (shop) =>
        sql<Row>`SELECT ${both}, EXISTS (
  SELECT FROM designwire.settings_marks m WHERE m.shop = s.id AND m.id = ${usedId(setUpMark)}
) AS "isSetUp" FROM designwire.shops s LEFT JOIN designwire.endpoints e ON e.shop = s.id
WHERE s.id = ${shop} ORDER BY e.created_at, e.id`.pipe(
          Effect.map((rows) =>
            Option.map(
              Option.fromUndefinedOr(rows[0]),
              ({ currency, domain, imageBase, isSetUp, plan, roundingStep, shopId }) => ({
                shop: { id: shopId, domain, currency, plan, roundingStep, imageBase },
                endpoints: rows.flatMap((row) => (row.id === null ? [] : [endpointOf(withoutShop(row))])),
                isSetUp,
              }),
            ),
          ),
          mapped("Reading a shop and its endpoints"),
        ),
      page: (query) => page(query).pipe(mapped("Reading a page of shops")),
      mark: (shop, now) =>
        mark(sql, shop, now).pipe(
          Effect.map((rows) => rows[0]?.mark ?? ""),
          mapped("Reading the mark of a shop"),
        ),
    }
  }),
)

const withoutShop = ({
  currency: _currency,
  domain: _domain,
  imageBase: _imageBase,
  isSetUp: _isSetUp,
  plan: _plan,
  roundingStep: _roundingStep,
  shopId: _shopId,
  ...endpoint
}: Row): EndpointRow => endpoint

/** A column begins with a text. As a range, so that an index serves any text. */
const begins = (sql: SqlClient.SqlClient, of: Fixed, text: string) =>
  sql`(${of} COLLATE "C" >= ${text} AND ${of} COLLATE "C" < ${`${text}\u{10ffff}`})`

/** The number of an endpoint's newest deliveries, and of those that are due first, that a mark distinguishes. */
const newest = 60

/**
 * `ShopViews.mark`. Each part reads a few rows from the end of an index. What commits late, and is not the newest of
 * all, is among the newest.
 */
const mark = (sql: SqlClient.SqlClient, shop: string, now: Instant) =>
  sql<{ mark: string }>`SELECT json_build_array(
  (SELECT hashtextextended(s::text, 0) FROM designwire.shops s WHERE s.id = ${shop}),
  (SELECT hashtextextended(string_agg(e::text, ' ' ORDER BY e.id), 0) FROM designwire.endpoints e WHERE e.shop = ${shop}),
  (SELECT hashtextextended(string_agg(concat_ws(' ', d.id, d.queue), ' ' ORDER BY d.id), 0)
    FROM designwire.endpoints e CROSS JOIN LATERAL (
      SELECT d.id, d.queue FROM designwire.deliveries d WHERE d.shop = e.shop AND d.endpoint_id = e.id
      ORDER BY d.created_at DESC, d.id DESC LIMIT ${sql.literal(String(newest))}
    ) d WHERE e.shop = ${shop}),
  (SELECT hashtextextended(string_agg(d.claim_token, ' ' ORDER BY d.id), 0)
    FROM designwire.endpoints e CROSS JOIN LATERAL (
      SELECT d.id, d.claim_token FROM designwire.deliveries d
      WHERE d.shop = e.shop AND d.endpoint_id = e.id AND d.queue = 'due'
      ORDER BY d.next_attempt_at, d.id LIMIT ${sql.literal(String(newest))}
    ) d WHERE e.shop = ${shop}),
  (SELECT json_agg(c) FROM designwire.endpoints e CROSS JOIN LATERAL (
      SELECT c.hour, c.succeeded, c.failed_attempts, c.given_up FROM designwire.attempt_counts c
      WHERE c.shop = e.shop AND c.endpoint_id = e.id ORDER BY c.hour DESC LIMIT 2
    ) c WHERE e.shop = ${shop}),
  (SELECT hashtextextended(string_agg(t.id, ' ' ORDER BY t.id), 0) FROM designwire.tokens t WHERE t.shop = ${shop}),
  (SELECT json_agg(ev.id) FROM (
      SELECT ev.id FROM designwire.events ev WHERE ev.shop = ${shop} ORDER BY ev.created_at DESC, ev.id DESC LIMIT 5
    ) ev),
  (SELECT json_agg(n.id) FROM (
      SELECT n.id FROM designwire.notices n WHERE n.shop = ${shop} AND n.created_at <= ${format(now)}::timestamptz
      ORDER BY n.created_at DESC, n.id DESC LIMIT 5
    ) n),
  (SELECT json_agg(o.etag) FROM (
      SELECT o.etag FROM designwire.orders o WHERE o.shop = ${shop} ORDER BY o.ordered_at DESC, o.id DESC LIMIT 5
    ) o),
  ${total(sql, shop, null)}
)::text AS mark`
