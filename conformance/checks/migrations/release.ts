/**
 * Keeps a database of a release, which later ones migrate in tests: `npm run migrations:release`, once for each
 * release, after its version is set.
 */
import { mkdirSync, writeFileSync } from "node:fs"
import { Effect, Layer, Redacted } from "effect"
import { layer, migrate } from "../../../adapters/postgres/index.ts"
import { allSql } from "../../../adapters/sql/index.ts"
import manifest from "../../../package.json" with { type: "json" }
import { startPostgres } from "../../testkit/databases/EmbeddedPostgres.ts"
import { rowsScript } from "./Rows.ts"
import { fill } from "./Sample.ts"

const folder = new URL("./released/", import.meta.url)
const { stop, url } = await startPostgres()
const [kept, rows] = await Layer.build(layer({ url: Redacted.make(url) })).pipe(
  Effect.flatMap((ports) =>
    Effect.provideContext(Effect.andThen(migrate, Effect.all([fill(ports), rowsScript])), ports),
  ),
  Effect.scoped,
  Effect.runPromise,
)
mkdirSync(folder, { recursive: true })
writeFileSync(new URL(`${manifest.version}.sql`, folder), `${allSql()}\n${rows}`)
writeFileSync(new URL(`${manifest.version}.json`, folder), `${JSON.stringify(kept, null, 2)}\n`)
await stop()
