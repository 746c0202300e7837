/** The command as a process of its own, for tests: its output, its address and its end. */
import { type ChildProcess, spawn } from "node:child_process"
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { Effect, type Scope } from "effect"
import { bundled } from "./Bundles.ts"

/** How a process ended. */
export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** A process that runs the command. */
export interface Process {
  readonly child: ChildProcess
  /**
   * The first line of stdout, printed before or to come, that fits; fails with all that was printed when the process
   * ends without it.
   */
  readonly line: (pattern: RegExp) => Effect.Effect<RegExpExecArray, Error>
  /** Everything that was printed so far. */
  readonly printed: () => string
  readonly ended: Effect.Effect<Ended>
}

const main = resolve(import.meta.dirname, "../../../hosts/cli/main.ts")

/** No optimized code for the embedded database: compiling it takes longer than these processes run. */
const quickly = "--liftoff-only"

/** What Node is started with: the bundle of an entry, or its source. */
export const programOf = (entry: string): ReadonlyArray<string> => {
  const bundle = bundled(entry)
  return bundle === undefined ? ["--import", resolve(import.meta.dirname, "Tsx.ts"), entry] : [bundle]
}

/** Node's cache of compiled modules, which halves the start of a process. */
const compiled = resolve(import.meta.dirname, "../../../node_modules/.cache/node-compile")

/** The variables that processes need. No configuration of the user who runs the tests comes with them. */
const surroundings = Object.fromEntries(
  ["PATH", "HOME", "TMPDIR", "SystemRoot"].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  }),
)

/** The settings of processes that are given no others. An empty one is left out: then the log is for programs. */
const ours = { NODE_COMPILE_CACHE: compiled, PORT: "0", NO_COLOR: "1", DESIGNWIRE_LOG_FORMAT: "pretty" }

/** The environment of a process that is given these variables. */
export const environmentWith = (environment: Readonly<Record<string, string>>): Record<string, string> => ({
  ...surroundings,
  ...ours,
  ...environment,
})

/** Where a process starts, and what it reads. */
interface StartOptions {
  readonly cwd?: string
  readonly entry?: string
  /** Its standard input. */
  readonly input?: string
}

/** Starts the command; a process that is still there when the scope closes is killed. */
export const start = (
  parameters: ReadonlyArray<string>,
  environment: Readonly<Record<string, string>> = {},
  { cwd = process.cwd(), entry = main, input }: StartOptions = {},
): Effect.Effect<Process, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const child = spawn(process.execPath, [quickly, ...programOf(entry), ...parameters], {
        cwd,
        env: environmentWith(environment),
        stdio: ["pipe", "pipe", "pipe"],
      })
      child.stdin.on("error", () => undefined).end(input ?? "")
      let stdout = ""
      let stderr = ""
      const listeners = new Set<() => void>()
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        stdout += text
        for (const listener of [...listeners]) listener()
      })
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        stderr += text
      })
      const ended = new Promise<Ended>((resolve, reject) => {
        child.once("error", reject)
        child.once("close", (code, signal) => {
          resolve({ code, signal, stdout, stderr })
          for (const listener of [...listeners]) listener()
        })
      })
      const line = (pattern: RegExp) =>
        Effect.callback<RegExpExecArray, Error>((resume) => {
          const look = () => {
            // The last piece may be half a line.
            for (const text of stdout.split("\n").slice(0, -1)) {
              const match = pattern.exec(text)
              if (match === null) continue
              listeners.delete(look)
              return resume(Effect.succeed(match))
            }
            if (child.exitCode === null && child.signalCode === null) return
            listeners.delete(look)
            resume(Effect.fail(new Error(`Ended without a line like ${pattern}:\n${stdout}\n${stderr}`)))
          }
          listeners.add(look)
          look()
          return Effect.sync(() => listeners.delete(look))
        })
      const made: Process = { child, line, printed: () => stdout + stderr, ended: Effect.promise(() => ended) }
      return made
    }),
    ({ child, ended }) =>
      Effect.suspend(() => {
        child.kill("SIGKILL")
        return ended
      }),
  )

/** Parameters of Node that make a program take it for Deno. */
export const imitatingDeno: ReadonlyArray<string> = [
  "--import",
  `data:text/javascript,${encodeURIComponent(
    'Object.defineProperty(process, "versions", { value: { ...process.versions, deno: "2.9.6" } })',
  )}`,
]

/** Runs the command to its end. */
export const run = (
  parameters: ReadonlyArray<string>,
  environment?: Readonly<Record<string, string>>,
  options?: StartOptions,
): Effect.Effect<Ended> => Effect.scoped(Effect.flatMap(start(parameters, environment, options), ({ ended }) => ended))

/** Sends a signal and waits for the end. */
export const stop = (process: Process, signal: NodeJS.Signals = "SIGTERM"): Effect.Effect<Ended> =>
  Effect.suspend(() => {
    process.child.kill(signal)
    return process.ended
  })

/** Waits until the process is ready; answers its base address. */
export const address = (process: Process): Effect.Effect<string, Error> =>
  Effect.map(process.line(/ready at (http:\/\/\S+)$/), (match) => match[1] as string)

/** A directory that is there until the scope closes. */
export const temporaryDirectory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "designwire-cli-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true })),
)

let template: string | undefined

/** A data directory that was in use before: a copy of one that is made once, because making one takes seconds. */
export const usedDataDirectory = Effect.gen(function* () {
  const path = join(yield* temporaryDirectory, "data")
  if (template === undefined) {
    const made = mkdtempSync(join(tmpdir(), "designwire-template-"))
    process.once("exit", () => rmSync(made, { recursive: true, force: true }))
    const { code, stderr } = yield* run(["migrate"], { DESIGNWIRE_DATA_DIR: made })
    if (code !== 0) return yield* Effect.die(new Error(stderr))
    template = made
  }
  cpSync(template, path, { recursive: true })
  // The copy has its files' modes, and not its own.
  chmodSync(path, 0o700)
  return path
})

/** The secrets of a host whose settings bring them. */
export const secrets = {
  DESIGNWIRE_MANAGE_KEY: "a-manage-key-for-tests",
  DESIGNWIRE_ENCRYPTION_KEYS: Buffer.alloc(32, 7).toString("base64"),
}

/** The answer of a host. */
export interface Answer {
  readonly status: number
  readonly text: string
  /** The body as JSON. */
  readonly json: () => unknown
}

/** Makes a request with a bearer token; fails when nothing comes back. A body goes out as JSON. */
export const send = (
  method: string,
  url: string,
  { body, token }: { readonly body?: unknown; readonly token?: string } = {},
): Effect.Effect<Answer, Error> =>
  Effect.tryPromise({
    try: async (signal) => {
      const response = await fetch(url, {
        method,
        signal,
        headers: {
          connection: "close",
          "content-type": "application/json",
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      return { status: response.status, text, json: () => JSON.parse(text) as unknown }
    },
    catch: (cause) => new Error(`${method} ${url} got no answer`, { cause }),
  })

/** The manage key that a host keeps in its data directory. */
export const keptManageKey = (directory: string): string => readFileSync(join(directory, "manage-key"), "utf8").trim()
