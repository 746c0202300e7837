/**
 * Lets Node load `.tsx` files from the sources, as it loads `.ts` files. Tests and benchmarks start their processes
 * with `--import` of this file.
 */
import { readFileSync } from "node:fs"
import { createRequire, registerHooks } from "node:module"
import { fileURLToPath } from "node:url"
import type { transformSync } from "@swc/core"

const require = createRequire(import.meta.url)

registerHooks({
  load: (url, context, next) => {
    if (!url.endsWith(".tsx")) return next(url, context)
    // Most processes load none.
    const swc = require("@swc/core") as { readonly transformSync: typeof transformSync }
    const { code } = swc.transformSync(readFileSync(fileURLToPath(url), "utf8"), {
      configFile: false,
      swcrc: false,
      jsc: {
        target: "es2024",
        parser: { syntax: "typescript", tsx: true },
        transform: { react: { runtime: "automatic", importSource: "preact" } },
      },
    })
    return { format: "module", source: code, shortCircuit: true }
  },
})
