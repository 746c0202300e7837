/** In which order a commit takes the rows that it changes. */
import { expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { changed, makeDesign, newShop } from "../../conformance/storage/Fixtures.ts"
import { migratedDatabase } from "../../conformance/worlds/Fleet.ts"
import { OrderStore } from "../../core/ports/OrderStore.ts"
import { layer } from "./index.ts"

/** Notes every design that is written, in the order in which they are. */
const noteDesigns = [
  "CREATE TABLE written (place serial, id text)",
  `CREATE FUNCTION note_design() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO written (id) VALUES (NEW.id);
  RETURN NEW;
END $$`,
  "CREATE TRIGGER note_design BEFORE INSERT OR UPDATE ON designwire.designs FOR EACH ROW EXECUTE FUNCTION note_design()",
]

it.live(
  "a commit MUST take its designs by their ids, in whatever order they are given: else two wait for each other until the server ends one (D6)",
  () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const store = yield* OrderStore
        const shop = yield* newShop
        for (const statement of noteDesigns) yield* sql.unsafe(statement)
        const written = Effect.gen(function* () {
          const rows = yield* sql<{ id: string }>`SELECT id FROM written ORDER BY place`
          yield* sql`TRUNCATE written`
          return rows.map(({ id }) => id)
        })
        const made = ["d", "b", "a", "c"].map((id) => makeDesign(shop, id))
        const ids = ["a", "b", "c", "d"]
        for (const designs of [made, made.map((design) => changed(design))]) {
          yield* store.commit({ shop, designs, order: null, events: [] })
          expect(yield* written).toEqual(ids)
        }
      }).pipe(Effect.provide(layer({ url: Redacted.make(url), maxConnections: 1 })))
    }).pipe(Effect.scoped),
)
