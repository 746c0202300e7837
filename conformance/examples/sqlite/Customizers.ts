import {
  type Audited,
  type CustomizerRecord,
  CustomizerStore,
  type CustomizerSummary,
  type CustomizerVersion,
  type CustomizerDescription as Description,
  type PublishedDefinition,
} from "designwire/ports"
import { Effect, Option } from "effect"
import { addChange } from "./Audit.ts"
import type { Host } from "./Host.ts"

/** Customizers and every version of their definitions. */
export const makeCustomizers = ({ database }: Host): CustomizerStore["Service"] => {
  const find = (shop: string, id: number): CustomizerRecord | undefined => {
    const description = database.record<Description>(
      "SELECT record FROM customizers WHERE shop = ? AND id = ?",
      shop,
      id,
    )
    const published = database.first<Pick<CustomizerRecord, "version" | "definition" | "digest">>(
      "SELECT version, definition, digest FROM versions WHERE shop = ? AND customizer = ? ORDER BY version DESC LIMIT 1",
      shop,
      id,
    )
    return description && { version: null, definition: null, digest: null, ...published, ...description }
  }
  const list = (shop: string, after: number, limit: number) =>
    database
      .all<{ id: number }>(
        "SELECT id FROM customizers WHERE shop = ? AND id > ? ORDER BY id LIMIT ?",
        shop,
        after,
        limit,
      )
      .flatMap(({ id }) => find(shop, id) ?? [])
      .map(summaryOf)
  const publish = (
    shop: string,
    id: number,
    { definition, digest }: PublishedDefinition,
    now: number,
    audited: Audited<CustomizerSummary> | undefined,
  ) => {
    const before = find(shop, id)
    if (before === undefined) return undefined
    const sql = "INSERT INTO versions VALUES (?, ?, ?, ?, ?, ?)"
    database.run(sql, shop, id, (before.version ?? 0) + 1, definition, digest, now)
    const after = find(shop, id)
    addChange(database, audited, before, after)
    return after
  }
  const put = (description: Description, audited: Audited<Description> | undefined) => {
    const { assetBase, id, platformProductId, shop, title } = description
    const record = { shop, id, title, platformProductId, assetBase }
    addChange(database, audited, find(shop, id), record)
    database.run("INSERT OR REPLACE INTO customizers VALUES (?, ?, ?)", shop, id, JSON.stringify(record))
    return { version: null, definition: null, digest: null, ...record, ...find(shop, id) }
  }
  const definitionOf = (shop: string, id: number, version: number) =>
    database.first<{ definition: string }>(
      "SELECT definition FROM versions WHERE shop = ? AND customizer = ? AND version = ?",
      shop,
      id,
      version,
    )?.definition
  const attempt = <A>(what: string, run: () => A | undefined) =>
    database.attempt(what, () => Option.fromUndefinedOr(run()))
  return CustomizerStore.of({
    find: (shop, id) => attempt("Reading a customizer", () => find(shop, id)),
    summary: (shop, id) =>
      Effect.map(
        attempt("Reading a customizer", () => find(shop, id)),
        Option.map(summaryOf),
      ),
    list: ({ after, limit, shop }) => database.attempt("Reading customizers", () => list(shop, after, limit)),
    versions: ({ before, id, limit, shop }) =>
      database.attempt("Reading versions", () =>
        database
          .all<CustomizerVersion>(
            `SELECT version, published_at AS publishedAt FROM versions
             WHERE shop = ? AND customizer = ? AND version < ? ORDER BY version DESC LIMIT ?`,
            shop,
            id,
            before,
            limit,
          )
          .map((row) => ({ ...row })),
      ),
    definition: (shop, id, version) => attempt("Reading a definition", () => definitionOf(shop, id, version)),
    put: (description, audited) => database.attempt("Storing a customizer", () => put(description, audited)),
    publish: (shop, id, published, now, audited) =>
      attempt("Publishing a definition", () => publish(shop, id, published, now, audited)),
  })
}

const summaryOf = ({ definition: _, ...summary }: CustomizerRecord): CustomizerSummary => summary
