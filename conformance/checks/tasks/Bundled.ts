/**
 * The package for tests: each entry and the command, bundled from the sources, in a directory with a manifest like that
 * of the package. It takes a second, and needs no build.
 */
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import process from "node:process"
import { build } from "esbuild"
import manifest from "../../../package.json" with { type: "json" }

const root = resolve(import.meta.dirname, "../../..")

/** The source of a file of the build. */
const sourceOf = (built: string): string => join(root, built.replace(/^\.\/dist\/(.*)\.js$/, "$1.ts"))

/** Bundles the package into a directory within the repository, whose packages it uses, and answers its path. */
export const bundlePackage = async (): Promise<string> => {
  const directory = join(root, ".vitest", `package-${process.pid}`)
  rmSync(directory, { recursive: true, force: true })
  const entries = Object.values(manifest.exports).flatMap((entry) =>
    typeof entry === "string" ? [] : [sourceOf(entry.default)],
  )
  await build({
    entryPoints: [...entries, sourceOf(manifest.bin.designwire)],
    outbase: root,
    outdir: join(directory, "dist"),
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    target: "node22",
    jsx: "automatic",
    jsxImportSource: "preact",
    packages: "external",
    logLevel: "error",
  })
  const { bin, exports, name, optionalDependencies, peerDependencies, engines, type, version } = manifest
  const own = { name, version, type, bin, exports, engines, optionalDependencies, peerDependencies }
  writeFileSync(join(directory, "package.json"), JSON.stringify(own))
  for (const file of ["adapters/pglite/cluster.br", "conformance/examples"]) {
    mkdirSync(dirname(join(directory, file)), { recursive: true })
    cpSync(join(root, file), join(directory, file), { recursive: true })
  }
  return directory
}
