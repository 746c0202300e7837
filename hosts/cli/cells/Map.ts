import { readFile, rename, writeFile } from "node:fs/promises"
import { Console, Context, Effect, Layer, Option, Result } from "effect"
import { SqlClient } from "effect/sql"
import { listShops } from "../../../adapters/cells/index.ts"
import * as Postgres from "../../../adapters/postgres/index.ts"
import { reasonOf } from "../../../adapters/sql/statements/Reason.ts"
import { parseDatabaseUrl } from "../../../core/rules/catalog/ConfigValues.ts"
import { configError, readConfig } from "../ReadConfig.ts"
import { formatPlaces, type formats } from "./Places.ts"
import { placesOf } from "./PlacesOf.ts"

/** How to write the map. */
export interface MapOptions {
  readonly format: (typeof formats)[number]
  readonly write: Option.Option<string>
}

/** `designwire cells map`: reads the shops of every cell, and prints or writes the map that proxies route by. */
export const cellsMap = Effect.fn("cells.map")(function* ({ format, write }: MapOptions) {
  const { publicUrl, schema } = yield* readConfig(process.env, [])
  const cells = yield* readCells
  const shops = yield* Effect.forEach(
    cells,
    ([name, url]) =>
      Effect.gen(function* () {
        const client = yield* Layer.build(Layer.fresh(Postgres.layerClient({ url, maxConnections: 1 })))
        return [name, yield* listShops(Context.get(client, SqlClient.SqlClient), schema)] as const
      }).pipe(Effect.mapError((error) => configError(`${name}: ${reasonOf(error)}`))),
    { concurrency: 8 },
  )
  const { places, problems } = placesOf(new Map(shops))
  if (problems.length > 0) return yield* configError(problems.join("\n"))
  const text = formatPlaces(places, format, publicUrl)
  if (Option.isNone(write)) {
    process.stdout.write(text)
    return
  }
  const changed = yield* Effect.tryPromise({
    try: () => replace(write.value, text),
    catch: (cause) => configError(`${write.value}: ${reasonOf(cause)}`),
  })
  yield* Console.log(changed ? `${write.value} has changed: reload the proxy` : `${write.value} is up to date`)
}, Effect.scoped)

/** The cells on standard input: a name and the address of the database on each line. */
const readCells = Effect.gen(function* () {
  const text = yield* Effect.promise(async () => {
    const chunks: Array<Buffer> = []
    for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk))
    return Buffer.concat(chunks).toString("utf8")
  })
  const lines = text.split("\n").flatMap((line) => line.replace(/#.*/, "").trim() || [])
  const problems: Array<string> = []
  const cells = lines.flatMap((line) => {
    const [, name = "", rest = ""] = /^([A-Za-z0-9._-]+)\s+(\S+)$/.exec(line) ?? []
    const url = parseDatabaseUrl(rest)
    if (Result.isSuccess(url)) return [[name, url.success] as const]
    problems.push(`a cell must be a name and ${url.failure}`)
    return []
  })
  if (cells.length === 0) problems.push("name the cells on standard input, one a line: first postgres://…")
  if (new Set(cells.map(([name]) => name)).size < cells.length) problems.push("each cell must be named once")
  return problems.length > 0 ? yield* configError([...new Set(problems)].join("\n")) : cells
})

/** Replaces a file at once, so that a proxy never reads half of it. Returns whether it has changed. */
const replace = async (path: string, text: string): Promise<boolean> => {
  const before = await readFile(path, "utf8").catch(() => undefined)
  if (before === text) return false
  const draft = `${path}.new`
  await writeFile(draft, text)
  await rename(draft, path)
  return true
}
