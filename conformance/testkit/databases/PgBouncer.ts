/** A PgBouncer in transaction mode in front of a database, for tests. */
import { type ChildProcess, spawn } from "node:child_process"
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import process from "node:process"
import { Effect, Schedule, type Scope } from "effect"
import { freePort } from "../processes/FreePort.ts"

/** Path of the program; `undefined` if it is not installed. Debian installs it outside the usual PATH. */
const binary = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin"]
  .map((directory) => join(directory, "pgbouncer"))
  .find((path) => existsSync(path))

/** Why tests with a PgBouncer are skipped; `undefined` if they can run. */
export const noPgBouncer: string | undefined =
  binary === undefined ? "pgbouncer is not installed (Debian: apt-get install pgbouncer)" : undefined

/**
 * Starts a PgBouncer in transaction mode in front of a database and returns its URL. Stops it when the scope closes.
 */
export const pgBouncer = Effect.fnUntraced(function* (
  databaseUrl: string,
  { poolSize }: { readonly poolSize: number },
): Effect.fn.Return<string, unknown, Scope.Scope> {
  const database = new URL(databaseUrl)
  const { port } = yield* startPgBouncer({
    map: `[databases]
* = host=${database.hostname} port=${database.port} user=${database.username} password=${database.password}`,
    settings: `auth_type = any\ndefault_pool_size = ${poolSize}`,
  })
  database.port = String(port)
  database.hostname = "127.0.0.1"
  return database.href
})

/** What a PgBouncer is started with. */
interface PgBouncerOptions {
  /** The beginning of its file. */
  readonly map: string
  /** More of the section `[pgbouncer]`. */
  readonly settings: string
  /** The passwords of users that it knows. */
  readonly users?: Readonly<Record<string, string>>
}

/** Starts a PgBouncer in transaction mode with a map of its own. Stops it when the scope closes. */
export const startPgBouncer = Effect.fnUntraced(function* ({
  map,
  settings,
  users = {},
}: PgBouncerOptions): Effect.fn.Return<
  { readonly port: number; readonly file: string; readonly log: ReadonlyArray<string> },
  unknown,
  Scope.Scope
> {
  const port = yield* Effect.promise(freePort)
  const directory = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "designwire-pgbouncer-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true })),
  )
  const [file, userFile] = [join(directory, "pgbouncer.ini"), join(directory, "users.txt")]
  const isRoot = process.getuid?.() === 0
  writeFileSync(
    userFile,
    Object.entries(users)
      .map(([name, password]) => `"${name}" "${password}"\n`)
      .join(""),
  )
  writeFileSync(
    file,
    `${map}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_file = ${userFile}
pool_mode = transaction
max_client_conn = 500
${settings}
${isRoot ? "user = postgres" : ""}
`,
  )
  // It does not run as root, and the user that it switches to must be able to read its configuration.
  if (isRoot)
    for (const [path, mode] of [
      [directory, 0o755],
      [file, 0o644],
      [userFile, 0o644],
    ] as const)
      chmodSync(path, mode)
  const log: Array<string> = []
  yield* Effect.acquireRelease(
    Effect.sync(() => {
      const child = spawn(binary ?? "pgbouncer", [file], {
        stdio: ["ignore", "ignore", "pipe"],
      })
      child.stderr.setEncoding("utf8").on("data", (text: string) => log.push(text))
      child.once("error", (error) => log.push(String(error)))
      return child
    }),
    ended,
  )
  yield* accepts(port).pipe(
    Effect.retry({ schedule: Schedule.spaced("20 millis"), times: 250 }),
    Effect.mapError((cause) => new Error(`PgBouncer did not start:\n${log.join("")}`, { cause })),
  )
  return { port, file, log }
})

const ended = (child: ChildProcess) =>
  Effect.callback<void>((resume) => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return resume(Effect.void)
    child.once("close", () => resume(Effect.void))
    child.kill("SIGKILL")
  })

const accepts = (port: number) =>
  Effect.callback<void, Error>((resume) => {
    const socket = connect(port, "127.0.0.1")
    socket.once("connect", () => resume(Effect.void))
    socket.once("error", (error) => resume(Effect.fail(error)))
    return Effect.sync(() => socket.destroy())
  })
