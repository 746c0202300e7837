/**
 * The root file system of the image, alone: read-only, under a user without rights, with no other file of this machine.
 * hosts/cli/Dockerfile only copies it.
 */
import { spawnSync } from "node:child_process"
import { chmodSync, lstatSync, readdirSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { expect, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { freshDatabase } from "../../../conformance/testkit/databases/Database.ts"
import { freePort } from "../../../conformance/testkit/processes/FreePort.ts"
import { npm } from "../../../conformance/testkit/processes/Install.ts"
import { run, secrets, send, temporaryDirectory } from "../../../conformance/testkit/processes/Processes.ts"
import { rebuild } from "../../../conformance/testkit/processes/Rebuild.ts"
import manifest from "../../../package.json" with { type: "json" }

/** The user of the image, in a sandbox too. A user who is not root can be mapped to it. */
const user = process.getuid?.() === 0 ? { uid: 65532, gid: 65532 } : {}
const mapped = "uid" in user ? [] : ["--uid", "65532", "--gid", "65532"]

/** Options of bubblewrap: the directory as the read-only root, the network, and nothing else of this machine. */
const around = (root: string, environment: Readonly<Record<string, string>>): ReadonlyArray<string> => [
  ...["--unshare-all", "--share-net", ...mapped, "--die-with-parent", "--ro-bind", root, "/", "--dev", "/dev"],
  ...["--proc", "/proc", "--chdir", "/", "--clearenv", "--setenv", "PATH", "/usr/local/bin"],
  ...Object.entries(environment).flatMap(([name, value]) => ["--setenv", name, value]),
]

const left = (): string | undefined => {
  const { error, status, stderr } = spawnSync("bwrap", [...around("/", {}), "/bin/true"], { ...user, encoding: "utf8" })
  if (error !== undefined) return "bwrap is not installed (Debian: apt-get install bubblewrap)"
  if (status !== 0) return `bwrap is not allowed here: ${stderr.trim()}`
  return spawnSync("strip", ["--version"]).status === 0 ? undefined : "strip is not installed (Debian: binutils)"
}

/** Bytes of everything below a directory. */
const bytesIn = (directory: string): number =>
  readdirSync(directory, { recursive: true, encoding: "utf8" })
    .map((path) => lstatSync(join(directory, path)))
    .filter((entry) => entry.isFile())
    .reduce((sum, { size }) => sum + size, 0)

const rootFileSystem = Effect.gen(function* () {
  const directory = yield* temporaryDirectory
  // Another user has to find the way.
  chmodSync(directory, 0o755)
  const tarball = yield* Effect.promise(() => rebuild(join(directory, "copy")))
  const root = join(directory, "root")
  const checkout = resolve(import.meta.dirname, "../../..")
  yield* Effect.promise(() => npm(checkout, "run", "--silent", "image:rootfs", "--", tarball, root))
  return { directory, root }
})

/** A program that prints what it is inside. Machines of some kinds have a /lib64 with the loader. */
const look = `
  const { readdirSync, writeFileSync } = require("node:fs")
  const failureOf = (call) => { try { call() } catch (error) { return error.code } }
  const files = readdirSync("/").filter((name) => name !== "lib64")
  console.log(JSON.stringify({ user: process.getuid(), files, failure: failureOf(() => writeFileSync("/tmp/new", "")) }))
`

const quoted = (parameters: ReadonlyArray<string>) => parameters.map((text) => `'${text}'`).join(" ")

const reason = left()
const title = "the image MUST pass the service suite with nothing but its root file system, read-only, in 150 MB"

if (reason !== undefined) it.skip(`${title}. Left out: ${reason}`)
else
  it.live(
    title,
    () =>
      Effect.gen(function* () {
        const { directory, root } = yield* rootFileSystem
        expect(bytesIn(root)).toBeLessThan(150_000_000)
        const schedule = "100ms,200ms,10s"
        const port = yield* Effect.promise(freePort)
        const environment = {
          ...{ ...secrets, PORT: String(port), DATABASE_URL: yield* freshDatabase, DESIGNWIRE_LEASE: "6s" },
          ...{ DESIGNWIRE_ALLOW_NETWORKS: "127.0.0.0/8", DESIGNWIRE_ALLOW_HTTP: "true" },
          DESIGNWIRE_RETRY_SCHEDULE: schedule,
        }
        const within = (...parameters: ReadonlyArray<string>) => [...around(root, environment), ...parameters]
        const inside = (...parameters: ReadonlyArray<string>) => {
          const { status, stderr, stdout } = spawnSync("bwrap", within(...parameters), { ...user, encoding: "utf8" })
          return { status, stderr, stdout }
        }
        expect(inside("designwire", "--version").stdout).toContain(manifest.version)
        expect(JSON.parse(inside("node", "--eval", look).stdout)).toEqual({
          user: 65532,
          files: ["app", "dev", "etc", "lib", "proc", "sys", "tmp", "usr", "var"],
          failure: "EROFS",
        })
        expect(inside("designwire", "migrate")).toMatchObject({ status: 0 })
        expect(inside("designwire", "health")).toMatchObject({ status: 1 })

        // Ends the service as a crash would, and starts it.
        const identity = "uid" in user ? "setpriv --reuid 65532 --regid 65532 --clear-groups " : ""
        const restart = `cd '${directory}'; [ -f pid ] && kill -9 "$(cat pid)"
        ${identity}bwrap ${quoted(within("designwire", "serve"))} >> log 2>&1 & echo $! > pid`
        writeFileSync(join(directory, "restart.sh"), restart)
        const again = `sh '${directory}/restart.sh'`
        yield* Effect.addFinalizer(() =>
          Effect.sync(() => spawnSync("sh", ["-c", `kill -9 $(cat '${directory}/pid')`])),
        )
        spawnSync("sh", ["-c", again], { stdio: "ignore" })
        const origin = `http://127.0.0.1:${port}`
        yield* Effect.retry(send("GET", `${origin}/livez`), { schedule: Schedule.spaced("100 millis"), times: 600 })
        expect(inside("designwire", "health")).toEqual({ status: 0, stderr: "", stdout: "" })
        const { code, stderr, stdout } = yield* run([
          ...["conformance", "--url", `${origin}/api/v1`, "--manage-url", `${origin}/manage/v1`],
          ...["--manage-key", secrets.DESIGNWIRE_MANAGE_KEY, "--receive", "127.0.0.1:0", "--schedule", schedule],
          ...["--restart", again],
        ])
        expect(stdout + stderr).toMatch(/\nservice: \d{3} passed, 0 failed/)
        expect(code).toBe(0)
      }).pipe(Effect.scoped),
    // It builds the package and installs it before the suite begins.
    900_000,
  )
