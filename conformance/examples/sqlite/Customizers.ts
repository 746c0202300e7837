import { type CustomizerRecord, CustomizerStore, type CustomizerSummary } from "designwire/ports"
import { Effect, Option } from "effect"
import type { Host } from "./Host.ts"

type Description = Omit<CustomizerSummary, "version" | "digest">

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
  const publish = (shop: string, id: number, definition: string, digest: string) => {
    const before = find(shop, id)
    if (before === undefined) return undefined
    database.run("INSERT INTO versions VALUES (?, ?, ?, ?, ?)", shop, id, (before.version ?? 0) + 1, definition, digest)
    return find(shop, id)
  }
  const put = (description: Description) => {
    const { assetBase, id, platformProductId, shop, title } = description
    const record = { shop, id, title, platformProductId, assetBase }
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
        Option.map(({ definition: _, ...summary }) => summary),
      ),
    definition: (shop, id, version) => attempt("Reading a definition", () => definitionOf(shop, id, version)),
    put: (description) => database.attempt("Storing a customizer", () => put(description)),
    publish: (shop, id, { definition, digest }) =>
      attempt("Publishing a definition", () => publish(shop, id, definition, digest)),
  })
}
