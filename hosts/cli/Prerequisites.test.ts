import { execFile } from "node:child_process"
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { freshDatabase } from "../../conformance/testkit/databases/Database.ts"
import { install as installFolder } from "../../conformance/testkit/processes/Install.ts"
import { imitatingDeno, secrets, start, temporaryDirectory } from "../../conformance/testkit/processes/Processes.ts"
import manifest from "../../package.json" with { type: "json" }
import { commandPackages, embeddedPackages } from "./Prerequisites.ts"

const root = resolve(import.meta.dirname, "../..")

/**
 * Installs the package in its own directory, with `effect` (or its manifest alone, with another version) and these
 * packages. Returns a function that runs it.
 */
const install = Effect.fnUntraced(function* (
  packages: ReadonlyArray<string>,
  changes: object = {},
  effect: "same" | "none" | `${number}.${string}` = "same",
) {
  const directory = yield* temporaryDirectory
  for (const folder of ["core", "adapters", "hosts", "conformance/suites/certificate"]) {
    cpSync(join(root, folder), join(directory, folder), { recursive: true })
  }
  writeFileSync(join(directory, "package.json"), JSON.stringify({ ...manifest, ...changes }))
  if (effect !== "same" && effect !== "none") {
    mkdirSync(join(directory, "node_modules/effect"), { recursive: true })
    const exports = { "./package.json": "./package.json", ".": "./index.js" }
    const other = { name: "effect", version: effect, type: "module", exports }
    writeFileSync(join(directory, "node_modules/effect/package.json"), JSON.stringify(other))
  }
  for (const name of [...(effect === "same" ? ["effect"] : []), ...packages]) {
    const path = join(directory, "node_modules", name)
    mkdirSync(dirname(path), { recursive: true })
    symlinkSync(join(root, "node_modules", name), path)
  }
  return (parameters: ReadonlyArray<string>, environment: Readonly<Record<string, string>> = {}) =>
    start(
      parameters,
      { DESIGNWIRE_DATA_DIR: join(directory, "data"), ...environment },
      { entry: join(directory, "hosts/cli/main.ts") },
    ).pipe(
      Effect.flatMap(({ ended }) => ended),
      Effect.scoped,
    )
})

const { optionalDependencies: optional } = manifest

it("MUST list every optional package, and develop with the versions that an installation gets", () => {
  expect([...commandPackages, ...embeddedPackages].sort()).toEqual(Object.keys(optional).sort())
  // npm on an old Node leaves optional packages out, and a checkout brings its own Node: there they are needed in any
  // case.
  expect(manifest.devDependencies).toMatchObject(optional)
})

it.live("without its optional packages the command MUST generate a key, which embedders need", () =>
  Effect.gen(function* () {
    const run = yield* install([])
    const { code, stderr, stdout } = yield* run(["key"])
    expect([code, stderr, Buffer.from(stdout, "base64").length]).toEqual([0, "", 32])
    expect(yield* run(["key"])).not.toMatchObject({ stdout })
  }),
)

it.live("without its optional packages the command MUST name them all and how to install them, and end with 1", () =>
  Effect.gen(function* () {
    const run = yield* install([])
    const names = [
      "@effect/platform-node",
      "@effect/sql-pg",
      "client-zip",
      "preact",
      "preact-render-to-string",
      "undici",
      "uqr",
    ] as const
    const hint = `npm install ${names.map((name) => `${name}@${optional[name]}`).join(" ")}`
    const missing = `the packages ${names.join(", ")}, which are not installed: ${hint}`
    for (const parameters of [[], ["serve"], ["worker"], ["migrate", "--dry-run"]]) {
      expect(yield* run(parameters)).toEqual({
        code: 1,
        signal: null,
        stdout: "",
        stderr: `${["designwire", ...parameters.slice(0, 1)].join(" ")} needs ${missing}\n`,
      })
    }
  }),
)

it.live("without its packages the embedded database MUST be refused with a sentence, and Postgres MUST work", () =>
  Effect.gen(function* () {
    const run = yield* install([...commandPackages, "@electric-sql/pglite-socket"])
    const hint = `npm install @electric-sql/pglite@${optional["@electric-sql/pglite"]}`
    for (const command of ["serve", "worker", "migrate"]) {
      expect(yield* run([command])).toEqual({
        code: 1,
        signal: null,
        stdout: "",
        stderr: `designwire ${command} needs the package @electric-sql/pglite, which is not installed: ${hint}\n`,
      })
    }
    const migrated = yield* run(["migrate"], { ...secrets, DATABASE_URL: yield* freshDatabase })
    expect(migrated).toMatchObject({ code: 0, stderr: "" })
  }),
)

it.live.each([
  ["none", "the package effect, which is not installed"],
  ["3.19.8", "effect ^4.1.0, not effect 3.19.8"],
  ["4.0.9", "effect ^4.1.0, not effect 4.0.9"],
  ["5.0.0", "effect ^4.1.0, not effect 5.0.0"],
] as const)("with another effect (%s) the command MUST say so and what to install, and end with 1", ([effect, what]) =>
  Effect.gen(function* () {
    const run = yield* install(commandPackages, {}, effect)
    for (const command of ["serve", "key"]) {
      const stderr = `designwire ${command} needs ${what}: npm install effect@${manifest.peerDependencies.effect}\n`
      expect(yield* run([command])).toEqual({ code: 1, signal: null, stdout: "", stderr })
    }
  }),
)

it.live("on a Node that is too old the command MUST say so before anything else, and end with 1", () =>
  Effect.gen(function* () {
    const run = yield* install([], { engines: { node: ">=999.19.0" } })
    expect(yield* run(["serve"])).toEqual({
      code: 1,
      signal: null,
      stdout: "",
      stderr: `designwire needs Node 999.19.0 or newer, and this is Node ${process.versions.node}\n`,
    })
  }),
)

const runners = await installFolder(new URL("../../conformance/checks/runners/", import.meta.url))
const [bun = ""] = readdirSync(join(runners, "node_modules/@oven"))

it.live.each([
  ["Bun", [join(runners, "node_modules/@oven", bun, "bin/bun")]],
  ["Deno", [process.execPath, ...imitatingDeno]],
] as const)(
  "on %s the commands that deliver webhooks MUST be refused, naming Node, and end with 1",
  ([name, command]) =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const run = (parameter: string) =>
        Effect.callback<ReadonlyArray<unknown>>((resume) => {
          const [file, ...parameters] = [...command, join(root, "hosts/cli/main.ts"), parameter]
          const { NODE_OPTIONS: _, ...environment } = process.env
          const env = { ...environment, DESIGNWIRE_DATA_DIR: join(directory, "data") }
          execFile(file, parameters, { env }, (error, stdout, stderr) =>
            resume(Effect.succeed([error?.code ?? 0, stdout, stderr])),
          )
        })
      const node = manifest.engines.node.replace(">=", "")
      for (const parameter of ["serve", "worker"]) {
        const refusal = `designwire ${parameter} needs Node ${node} or newer, and this is ${name} `
        expect(yield* run(parameter)).toEqual([1, "", expect.stringContaining(refusal)])
      }
      expect(readdirSync(directory)).toEqual([])
      expect(yield* run("key")).toEqual([0, expect.stringMatching(/^[A-Za-z0-9+/]{43}=\n$/), ""])
    }),
)
