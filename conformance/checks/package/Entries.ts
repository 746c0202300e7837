/** The entries of the package, from `exports` in package.json: the one list that all checks of the package use. */
import { posix } from "node:path"
import manifest from "../../../package.json" with { type: "json" }

/** A module that users import. */
export interface Entry {
  /** The specifier of an import: `designwire/postgres`. */
  readonly specifier: string
  /**
   * The name of its files in this folder and its neighbours: `postgres`, `conformance-requirements`, `designwire` for
   * the package itself.
   */
  readonly name: string
  /** Its declarations, from the root of the package: `./dist/adapters/postgres/index.d.ts`. */
  readonly types: string
}

/** Every entry, in the order of package.json. */
export const entries: ReadonlyArray<Entry> = Object.entries(manifest.exports).flatMap(([path, target]) =>
  typeof target === "string"
    ? []
    : {
        specifier: posix.join(manifest.name, path),
        name: path === "." ? manifest.name : path.slice("./".length).replaceAll("/", "-"),
        types: target.types,
      },
)
