import { AttemptCounts } from "designwire"
import { type EndpointRecord, type Shop, ShopViews, setUpMark, type Waiting } from "designwire/ports"
import { Option } from "effect"
import type { Host } from "./Host.ts"
import { usedId } from "./Sessions.ts"

/** What pages for people show at once. */
export const makeViews = ({ database }: Host): ShopViews["Service"] => {
  const endpoints = (shop: string) =>
    database.records<EndpointRecord>("SELECT record FROM endpoints WHERE shop = ? ORDER BY created_at, id", shop)
  return ShopViews.of({
    withEndpoints: (id) =>
      database.attempt("Reading a shop and its endpoints", () =>
        Option.map(
          Option.fromUndefinedOr(database.record<Shop>("SELECT record FROM shops WHERE id = ?", id)),
          (shop) => ({
            shop,
            endpoints: endpoints(id),
            isSetUp:
              database.first("SELECT 1 FROM marks WHERE shop = ? AND id = ?", id, usedId(setUpMark)) !== undefined,
          }),
        ),
      ),
    activity: (shop, { from, step, until }) =>
      database.attempt("Reading activity", () => {
        const waiting = database.all<Waiting>(
          `SELECT id AS endpointId, (
             SELECT count(*) FROM deliveries d WHERE d.shop = e.shop AND d.endpoint = e.id AND d.status = 'pending'
           ) AS pending, (
             SELECT max(created_at) FROM deliveries d WHERE d.shop = e.shop AND d.endpoint = e.id
           ) AS latest FROM endpoints e WHERE shop = ?`,
          shop,
        )
        return waiting.map((each) => ({
          ...each,
          steps: database
            .all<{ at: number; records: string }>(
              `SELECT hour - (hour - ?3) % ?5 AS at, json_group_array(json(record)) AS records FROM attempt_counts
               WHERE shop = ?1 AND endpoint = ?2 AND hour >= ?3 AND hour < ?4 GROUP BY 1`,
              ...[shop, each.endpointId, from, until, step],
            )
            .map(({ at, records }) => ({ at, ...AttemptCounts.sum(JSON.parse(records)) })),
        }))
      }),
    page: ({ after, limit, search }) =>
      database.attempt("Reading a page of shops", () =>
        database.records<Shop>(
          `SELECT record FROM shops WHERE (?1 IS NULL OR id > ?1) AND (?2 IS NULL OR substr(id, 1, length(?2)) = ?2
             OR substr(record ->> 'domain', 1, length(?2)) = ?2) ORDER BY id LIMIT ?3`,
          ...[after, search, limit],
        ),
      ),
    mark: (shop, now) =>
      database.attempt("Reading the mark of a shop", () => {
        const parts = [
          "SELECT record FROM shops WHERE id = ?",
          "SELECT record FROM endpoints WHERE shop = ? ORDER BY id",
          "SELECT id FROM tokens WHERE shop = ? ORDER BY id",
          "SELECT record FROM deliveries WHERE shop = ? ORDER BY created_at DESC, id DESC LIMIT 60",
          "SELECT token FROM deliveries WHERE shop = ? AND status = 'pending' AND token IS NOT NULL ORDER BY id",
          "SELECT record FROM attempt_counts WHERE shop = ? ORDER BY hour DESC LIMIT 10",
          "SELECT id FROM events WHERE shop = ? ORDER BY created_at DESC, id DESC LIMIT 5",
          "SELECT id, revision FROM orders WHERE shop = ? ORDER BY ordered_at DESC, id DESC LIMIT 5",
          "SELECT count(*) FROM orders WHERE shop = ?",
        ]
        const notices = database.all(
          "SELECT id FROM notices WHERE shop = ? AND created_at <= ? ORDER BY created_at DESC, id DESC LIMIT 5",
          ...[shop, now],
        )
        return JSON.stringify([...parts.map((sql) => database.all(sql, shop)), notices])
      }),
  })
}
