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
  const port = yield* Effect.promise(freePort)
  const directory = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "designwire-pgbouncer-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true })),
  )
  const settings = join(directory, "pgbouncer.ini")
  const isRoot = process.getuid?.() === 0
  writeFileSync(
    settings,
    `[databases]
* = host=${database.hostname} port=${database.port} user=${database.username} password=${database.password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 500
${isRoot ? "user = postgres" : ""}
`,
  )
  // It does not run as root, and the user that it switches to must be able to read its configuration.
  if (isRoot)
    for (const [path, mode] of [
      [directory, 0o755],
      [settings, 0o644],
    ] as const)
      chmodSync(path, mode)
  const log: Array<string> = []
  yield* Effect.acquireRelease(
    Effect.sync(() => {
      const child = spawn(binary ?? "pgbouncer", [settings], { stdio: ["ignore", "ignore", "pipe"] })
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
  database.port = String(port)
  database.hostname = "127.0.0.1"
  return database.href
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
