/**
 * What an installation weighs: MiB and packages for those who keep everything in memory, for those who use a Postgres
 * server, and by default (everything); and which entry points of the package work there.
 *
 * Run with `npm run size`; the last line is JSON. It packs the package and installs it beside `effect`, with npm, in
 * temporary directories. In the checkout it writes nothing but `dist/`.
 */
import { mkdtemp, readdir, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, relative, sep } from "node:path"
import process from "node:process"
import { commandPackages } from "../../hosts/cli/Prerequisites.ts"
import manifest from "../../package.json" with { type: "json" }
import { entries } from "../checks/package/Entries.ts"
import { install, node, pack } from "../checks/package/Installation.ts"
import type { Cleanup } from "./support/Cleanup.ts"
import { main, note, withCleanup } from "./support/Main.ts"
import { finding, print, type Report } from "./support/Report.ts"

const { name: own, optionalDependencies: optional } = manifest

/** What npm is told beside the package and `effect`. */
const variants: ReadonlyArray<{ readonly name: string; readonly parameters: ReadonlyArray<string> }> = [
  { name: "memory", parameters: ["--omit=optional"] },
  { name: "Postgres", parameters: ["--omit=optional", ...commandPackages.map((name) => `${name}@${optional[name]}`)] },
  { name: "default", parameters: [] },
]

/** Bytes of all files below `node_modules`, by the directory of the package that they belong to. */
const bytesByPackage = async (directory: string): Promise<ReadonlyMap<string, number>> => {
  const bytes = new Map<string, number>()
  for (const entry of await readdir(join(directory, "node_modules"), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const path = relative(directory, file).split(sep).join("/")
    const [owner = path] = /^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []
    bytes.set(owner, (bytes.get(owner) ?? 0) + (await stat(file)).size)
  }
  return bytes
}

/** Whether a process of Node succeeds, or what it says is missing. */
const outcome = async (directory: string, ...parameters: ReadonlyArray<string>): Promise<string> => {
  const { stderr, succeeded } = await node(directory, ...parameters)
  return succeeded ? "works" : (/needs the packages? .+?(?=, which)/.exec(stderr)?.[0] ?? stderr)
}

const weigh = async (directory: string, tarball: string, { name, parameters }: (typeof variants)[number]) => {
  note(`Installing: ${name}`)
  await install(directory, tarball, ...parameters)
  const bytes = await bytesByPackage(directory)
  const packages = [...bytes].filter(([path]) => !path.startsWith("node_modules/."))
  const total = [...bytes.values()].reduce((sum, one) => sum + one, 0)
  const effect = bytes.get("node_modules/effect") ?? 0
  const outcomes: Record<string, string> = {}
  for (const { specifier } of entries) {
    outcomes[specifier] = await outcome(directory, "--input-type=module", "-e", `import '${specifier}'`)
  }
  const command = join("node_modules", own, manifest.bin.designwire)
  outcomes["designwire --version"] = await outcome(directory, command, "--version")
  return {
    name,
    total: mebibytes(total),
    effect: mebibytes(effect),
    besideEffect: mebibytes(total - effect),
    packages: packages.length,
    largest: packages
      .toSorted(([, one], [, other]) => other - one)
      .slice(0, 5)
      .map(([path, size]) => ({ package: path.slice("node_modules/".length), MiB: mebibytes(size) })),
    outcomes,
  }
}

const mebibytes = (bytes: number): number => Number((bytes / 2 ** 20).toFixed(2))

const measure = async (cleanup: Cleanup): Promise<Report> => {
  const directory = await mkdtemp(join(tmpdir(), "designwire-size-"))
  cleanup.add(() => rm(directory, { recursive: true, force: true }))
  note("Packing")
  const tarball = await pack(join(directory, "packed"))
  const installed: Array<Awaited<ReturnType<typeof weigh>>> = []
  for (const variant of variants) installed.push(await weigh(join(directory, variant.name), tarball, variant))
  const sorted = installed.toSorted((one, other) => one.total - other.total)
  console.table(
    Object.fromEntries(
      sorted.map(({ besideEffect, effect, name, packages, total }) => [
        name,
        { "MiB in all": total, "of effect": effect, "beside effect": besideEffect, packages },
      ]),
    ),
  )
  console.table(sorted.flatMap(({ largest, name }) => largest.map((one) => ({ variant: name, ...one }))))
  console.table(
    Object.fromEntries(
      Object.keys(sorted[0]?.outcomes ?? {}).map((key) => [
        key,
        Object.fromEntries(sorted.map(({ name, outcomes }) => [name, outcomes[key]])),
      ]),
    ),
  )
  const memory = installed.find(({ name }) => name === "memory")?.besideEffect ?? Number.NaN
  return {
    findings: [finding("Installation for memory, beside effect", "MiB", { designwire: memory }, { most: 10 })],
    context: { node: process.version, installed: sorted },
  }
}

await main(async () => {
  print("size", await withCleanup(measure), (bar) => ("least" in bar ? bar.least : bar.most))
})
