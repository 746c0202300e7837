/**
 * What users of an installed package pay for it in memory and bandwidth: what an import loads, and what a bundle
 * weighs.
 */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { build } from "esbuild"
import { entries } from "./Entries.ts"
import { node } from "./Installation.ts"

/** What `conformance/checks/package/sizes.json` says. */
export interface Sizes {
  /** By entry: what importing it loads beyond what `effect` loads, as modules and bytes of their source. */
  readonly loads: Readonly<Record<string, { readonly modules: number; readonly bytes: number }>>
  /** By program: the bytes of its bundle, `effect` included, minified; and compressed. */
  readonly bundles: Readonly<Record<string, { readonly bytes: number; readonly gzip: number }>>
}

/** Programs whose bundles are measured, and how many bytes they may have at most. */
const programs: Readonly<Record<string, { readonly text: string; readonly most: { bytes?: number; gzip?: number } }>> =
  {
    "Orders.place": {
      text: `import { Orders } from "designwire"; export const place = Orders.place`,
      most: { bytes: 200_000 },
    },
    evaluate: { text: `export { choicesOf, compile, evaluate } from "designwire"`, most: { gzip: 10_240 } },
    createClient: { text: `export { createClient } from "designwire/client"`, most: { gzip: 4_096 } },
    verifyWebhook: { text: `export { verifyWebhook } from "designwire/receiver"`, most: { bytes: 4_000 } },
  }

/** Prints the modules that an entry loads beyond `effect`'s own, and their bytes. */
const counter = `
import { statSync } from "node:fs"
import { registerHooks } from "node:module"
import { fileURLToPath } from "node:url"

let files = new Set()
registerHooks({
  load: (url, context, next) => {
    if (url.startsWith("file:")) files.add(url)
    return next(url, context)
  },
})
await import("effect")
files = new Set()
await import(process.argv[2])
const bytes = [...files].reduce((sum, url) => sum + statSync(fileURLToPath(url)).size, 0)
console.log(JSON.stringify({ modules: files.size, bytes }))
`

/** What each entry loads in a project in which the package is installed with all its optional packages. */
export const loadsIn = async (project: string): Promise<Sizes["loads"]> => {
  await writeFile(join(project, "count.mjs"), counter)
  const loads: Record<string, Sizes["loads"][string]> = {}
  for (const { specifier } of entries) {
    const { stderr, stdout, succeeded } = await node(project, "count.mjs", specifier)
    if (!succeeded) throw new Error(stderr)
    loads[specifier] = JSON.parse(stdout)
  }
  return loads
}

/** The bundles of programs in such a project. */
export const bundlesIn = async (project: string): Promise<Sizes["bundles"]> => {
  const bundles: Record<string, Sizes["bundles"][string]> = {}
  for (const [name, { text }] of Object.entries(programs)) {
    const { outputFiles } = await build({
      stdin: { contents: text, resolveDir: project },
      bundle: true,
      minify: true,
      format: "esm",
      platform: "neutral",
      write: false,
    })
    const [{ contents } = { contents: new Uint8Array() }] = outputFiles
    bundles[name] = { bytes: contents.length, gzip: gzipSync(contents, { level: 9 }).length }
  }
  return bundles
}

/** A size may be so far from what was recorded. */
const tolerance = 0.05

/** Sentences about sizes that are larger than they may be, or no longer what was recorded. */
export const compare = (measured: Sizes, recorded: Sizes): ReadonlyArray<string> => {
  const problems: Array<string> = []
  for (const [name, { most }] of Object.entries(programs)) {
    for (const unit of ["bytes", "gzip"] as const) {
      const size = measured.bundles[name]?.[unit] ?? 0
      if (size > (most[unit] ?? Infinity))
        problems.push(`The bundle of ${name} has ${size} ${unit}: more than ${most[unit]}`)
    }
  }
  for (const kind of ["loads", "bundles"] as const) {
    const before = flatten(recorded[kind])
    const after = flatten(measured[kind])
    for (const name of new Set([...before.keys(), ...after.keys()])) {
      const [was, is] = [before.get(name), after.get(name)]
      if (was !== undefined && is !== undefined && Math.abs(is - was) <= tolerance * was) continue
      problems.push(`${kind}, ${name}: ${is ?? "gone"}, recorded as ${was ?? "nothing"}`)
    }
  }
  return problems
}

const flatten = (sizes: Readonly<Record<string, Readonly<Record<string, number>>>>): ReadonlyMap<string, number> =>
  new Map(
    Object.entries(sizes).flatMap(([name, units]) =>
      Object.entries(units).map(([unit, size]) => [`${unit} of ${name}`, size] as const),
    ),
  )
