// Rewrites the imports of Effect in tsc's output: `import { Effect } from "effect"` becomes
// `import * as Effect from "effect/Effect"`. Bundlers such as esbuild keep the whole of a module that they reach
// through an `export * as`: for one schema 300 KB of it.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Function from "effect/Function"

const directory = join(import.meta.dirname, "../dist")
const imports = /^import \{([^}]*)\} from "(effect(?:\/[a-z-]+)?)";$/gm

const isModule = (specifier) => existsSync(fileURLToPath(import.meta.resolve(specifier)))

/** The import of one name that stood in an import from `from`. */
const directImport = (name, from) => {
  const [imported, local = imported] = name.split(" as ")
  const specifier = `${from}/${imported}`
  if (isModule(specifier)) return `import * as ${local} from "${specifier}";`
  // `pipe` and the like, the only functions that the package itself exports.
  if (from === "effect" && imported in Function) return `import { ${name} } from "effect/Function";`
  throw new Error(`No module of its own is known for ${imported} of ${from}`)
}

for (const file of readdirSync(directory, { recursive: true })) {
  if (!file.endsWith(".js")) continue
  const path = join(directory, file)
  const before = readFileSync(path, "utf8")
  const after = before.replace(imports, (_, names, from) =>
    names
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "")
      .map((name) => directImport(name, from))
      .join("\n"),
  )
  if (after !== before) writeFileSync(path, after)
}
