// Rewrites the imports of Effect in what tsc wrote: `import { Effect } from "effect"` becomes `import * as Effect from "effect/Effect"`.
// Bundlers such as esbuild keep the whole of a module that they reach through an `export * as`: for one schema 300 KB of it.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const directory = join(import.meta.dirname, "../dist")
const barrel = /^import \{([^}]*)\} from "(effect(?:\/[a-z-]+)?)";$/gm

const isModule = (specifier) => existsSync(fileURLToPath(import.meta.resolve(specifier)))

for (const file of readdirSync(directory, { recursive: true })) {
  if (!file.endsWith(".js")) continue
  const path = join(directory, file)
  const before = readFileSync(path, "utf8")
  const after = before.replace(barrel, (_, names, from) =>
    names
      .split(",")
      .map((name) => {
        const [imported, local = imported] = name.trim().split(" as ")
        const specifier = `${from}/${imported}`
        if (!isModule(specifier)) throw new Error(`${file}: import ${imported} from its own module, not from ${from}`)
        return `import * as ${local} from "${specifier}";`
      })
      .join("\n"),
  )
  if (after !== before) writeFileSync(path, after)
}
