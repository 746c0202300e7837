/** The order of rows: in lists, whatever plan reads them, and in locks, so that no statements deadlock. */
import { expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { describe } from "vitest"
import { register, storage } from "../../conformance/index.ts"
import { newShop, someTime } from "../../conformance/suites/storage/support/Fixtures.ts"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { RateLimits } from "../../core/ports/RateLimits.ts"
import { layer } from "./index.ts"

/** Settings of sessions with which no plan finds rows in the order of an index by chance. */
const withoutIndexes = encodeURIComponent(
  ["indexscan", "indexonlyscan", "bitmapscan"].map((plan) => `-c enable_${plan}=off`).join(" "),
)

register(
  storage({
    name: "storage over plans without indexes",
    lacks: { faults: "the cases are about lists", transaction: "the cases are about lists" },
    only: ["resources.page.ties", "tokens.list.ties", "endpoints.list.ties", "log.list.ties", "search.page"],
    open: Effect.map(migratedDatabase, (url) => layer({ url: Redacted.make(`${url}?options=${withoutIndexes}`) })),
  }),
  { describe, it },
)

it.live("requests that are counted together MUST lock their windows in the order of their tokens' ids (D16)", () =>
  Effect.gen(function* () {
    const url = yield* migratedDatabase
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const limits = yield* RateLimits
      const shop = yield* newShop
      yield* sql`CREATE TABLE counted (place serial, id text)`
      yield* sql`CREATE FUNCTION note_window() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO counted (id) VALUES (NEW.token_id);
  RETURN NEW;
END $$`
      yield* sql`CREATE TRIGGER note_window BEFORE INSERT ON designwire.rate_windows FOR EACH ROW EXECUTE FUNCTION note_window()`
      yield* Effect.forEach(
        ["d", "b", "a", "c"],
        (tokenId) => limits.take({ shop, tokenId, now: someTime, rate: { limit: 120, window: 60_000 } }),
        { concurrency: "unbounded" },
      )
      const counted = yield* sql<{ id: string }>`SELECT id FROM counted ORDER BY place`
      expect(counted.map(({ id }) => id)).toEqual(["a", "b", "c", "d"])
    }).pipe(Effect.provide(layer({ url: Redacted.make(url), maxConnections: 1 }), { local: true }))
  }).pipe(Effect.scoped),
)
