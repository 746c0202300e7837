/** Everything that keeps shops from moving is reported before anything is changed. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { newShopInUse, openCells } from "../../conformance/testkit/databases/Cells.ts"
import { startPostgres } from "../../conformance/testkit/databases/EmbeddedPostgres.ts"
import { freshDatabaseOn } from "../../conformance/testkit/databases/FreshDatabase.ts"
import { migrate } from "../../conformance/testkit/workers/Fleet.ts"
import { checkMove, moveShop } from "./index.ts"

/** A server with the settings of one that has never been prepared for moves. */
const unprepared = Effect.acquireRelease(
  Effect.promise(() =>
    startPostgres([
      "wal_level=replica",
      "max_replication_slots=1",
      "max_wal_senders=1",
      "max_logical_replication_workers=1",
    ]),
  ),
  ({ stop }) => Effect.promise(stop),
)

it.live("everything that keeps a shop from moving MUST be reported before anything is changed (D93)", () =>
  Effect.gen(function* () {
    const { url } = yield* unprepared
    const urls = [yield* freshDatabaseOn(url), yield* freshDatabaseOn(url)] as const
    yield* migrate(urls[0])
    const owned = yield* openCells(...urls)
    const { shop } = yield* owned.source.onHost(newShopInUse)
    for (const { sql } of [owned.source, owned.target]) {
      yield* sql`CREATE SCHEMA IF NOT EXISTS designwire`
      yield* sql`DO 'BEGIN IF to_regrole(''plain'') IS NULL THEN CREATE ROLE plain LOGIN PASSWORD ''plain''; END IF; END'`
      yield* sql`GRANT USAGE ON SCHEMA designwire TO plain`
      yield* sql`GRANT SELECT ON ALL TABLES IN SCHEMA designwire TO plain`
    }
    const asPlain = (text: string) => Object.assign(new URL(text), { username: "plain", password: "plain" }).href
    const { options, source, target } = yield* openCells(asPlain(urls[0]), asPlain(urls[1]))
    for (const call of [checkMove, moveShop]) {
      const { message } = yield* Effect.flip<unknown, { readonly message: string }, never>(call(options(shop)))
      for (const sentence of [
        /target lacks .*\. Run "designwire migrate" on it first/,
        /The server of source has wal_level = replica\. Set wal_level = logical, and restart it/,
        /source has too few free replication slots\. Raise max_replication_slots/,
        /source has too few free WAL senders\. Raise max_wal_senders/,
        /The user plain may not replicate from source\. Let a superuser run: ALTER ROLE plain REPLICATION/,
        /The user plain may not publish in source\. Let its owner run: GRANT CREATE ON DATABASE/,
        /The user plain may not make functions in source\. Use the owner of the schema/,
        /target has too few free replication workers\. Raise max_logical_replication_workers/,
        /The user plain may not subscribe in target\. Let a superuser run: GRANT pg_create_subscription TO plain/,
      ]) {
        expect(message).toMatch(sentence)
      }
    }
    const same = yield* Effect.flip(checkMove({ ...options(shop), target: { ...target, sql: source.sql } }))
    expect(same).toMatchObject({ message: expect.stringContaining("source and target are the same database") })
    const made = yield* owned.source.sql`SELECT pubname FROM pg_publication UNION ALL SELECT slot_name
FROM pg_replication_slots UNION ALL SELECT shop FROM designwire.moves`
    expect(made).toEqual([])
  }).pipe(Effect.scoped),
)
