/**
 * The root file system of the image, alone: read-only, under a user without rights, with no other file of this machine.
 * hosts/cli/Dockerfile only copies it.
 */
import { spawnSync } from "node:child_process"
import { chmodSync, globSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { afterAll, beforeAll, expect, it } from "@effect/vitest"
import { Effect, Schedule, type Scope } from "effect"
import { freshDatabase } from "../../../conformance/testkit/databases/Database.ts"
import { freePort } from "../../../conformance/testkit/processes/FreePort.ts"
import { npm } from "../../../conformance/testkit/processes/Install.ts"
import { run, secrets, send } from "../../../conformance/testkit/processes/Processes.ts"
import { rebuild } from "../../../conformance/testkit/processes/Rebuild.ts"
import manifest from "../../../package.json" with { type: "json" }

const checkout = resolve(import.meta.dirname, "../../..")

/** The bill of materials in CycloneDX, as far as it is read. */
interface Bill {
  readonly components: ReadonlyArray<{
    readonly purl: string
    readonly hashes?: ReadonlyArray<{ readonly alg: string; readonly content: string }>
  }>
}

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version: string; readonly integrity?: string }>>
}

/** The user of the image, in a sandbox too. A user who is not root can be mapped to it. */
const user = process.getuid?.() === 0 ? { uid: 65532, gid: 65532 } : {}
const mapped = "uid" in user ? [] : ["--uid", "65532", "--gid", "65532"]

/**
 * Options of bubblewrap: the directory as the read-only root, the network, and nothing else of this machine. As in a
 * container, the command is process 1.
 */
const around = (root: string, environment: Readonly<Record<string, string>>): ReadonlyArray<string> => [
  ...["--unshare-all", "--share-net", "--as-pid-1", ...mapped, "--die-with-parent", "--ro-bind", root, "/"],
  ...["--dev", "/dev", "--proc", "/proc", "--chdir", "/", "--clearenv", "--setenv", "PATH", "/usr/local/bin"],
  ...Object.entries(environment).flatMap(([name, value]) => ["--setenv", name, value]),
]

/** Why the files can't be made here. */
const noFiles = ["strip", "ldd", "dpkg"]
  .filter((command) => spawnSync(command, ["--version"]).status !== 0)
  .map((command) => `${command} is not installed (Debian: binutils, libc-bin, dpkg)`)
  .at(0)

/** Why they can't be run here alone. */
const noSandbox = (): string | undefined => {
  const { error, status, stderr } = spawnSync("bwrap", [...around("/", {}), "/bin/true"], { ...user, encoding: "utf8" })
  if (error !== undefined) return "bwrap is not installed (Debian: apt-get install bubblewrap)"
  return status === 0 ? undefined : `bwrap is not allowed here: ${stderr.trim()}`
}

/** Bytes of everything below a directory. */
const bytesIn = (directory: string): number =>
  readdirSync(directory, { recursive: true, encoding: "utf8" })
    .map((path) => lstatSync(join(directory, path)))
    .filter((entry) => entry.isFile())
    .reduce((sum, { size }) => sum + size, 0)

let directory = ""
let root = ""
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "designwire-image-"))
  // Another user has to find the way.
  chmodSync(directory, 0o755)
  root = join(directory, "root")
  const tarball = await rebuild(join(directory, "copy"))
  if (noFiles === undefined) await npm(checkout, "run", "--silent", "image:rootfs", "--", tarball, root)
  // It builds the package and installs it.
}, 900_000)
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** A program that prints what it is inside. Machines of some kinds have a /lib64 with the loader. */
const look = `
  const { readdirSync, writeFileSync } = require("node:fs")
  const failureOf = (call) => { try { call() } catch (error) { return error.code } }
  const files = readdirSync("/").filter((name) => name !== "lib64")
  console.log(JSON.stringify({ user: process.getuid(), files, failure: failureOf(() => writeFileSync("/tmp/new", "")) }))
`

const quoted = (parameters: ReadonlyArray<string>) => parameters.map((text) => `'${text}'`).join(" ")

/** A test, or its title with the reason for which it is left out. */
const unless = (reason: string | undefined, title: string, test: () => Effect.Effect<void, unknown, Scope.Scope>) =>
  reason === undefined ? it.live(title, () => Effect.scoped(test()), 900_000) : it.skip(`${title}. Left out: ${reason}`)

unless(noFiles, "the image MUST NOT have more than 150 MB", () =>
  Effect.sync(() => expect(bytesIn(root)).toBeLessThan(150_000_000)),
)

unless(noFiles, "the image's bill of materials MUST name every package in it, as package-lock.json has them", () =>
  Effect.sync(() => {
    const { components } = JSON.parse(readFileSync(join(root, "sbom.cdx.json"), "utf8")) as Bill
    const named = components.map(({ purl }) => decodeURIComponent(purl))
    const modules = join(root, "app/node_modules")
    const installed = globSync(["*/package.json", "@*/*/package.json"], { cwd: modules })
      .concat(globSync("**/node_modules/{*,@*/*}/package.json", { cwd: modules }))
      .map((path) => JSON.parse(readFileSync(join(modules, path), "utf8")))
      .map(({ name, version }) => `pkg:npm/${name}@${version}`)
    const ofNpm = named.filter((purl) => purl.startsWith("pkg:npm/"))
    expect(ofNpm.toSorted()).toEqual([...new Set(installed)].toSorted())
    expect(ofNpm).toContain(`pkg:npm/effect@${manifest.devDependencies.effect}`)
    expect(named).toContain(`pkg:generic/node@${process.versions.node}`)
    expect(named.join("\n")).toMatch(/^pkg:deb\/\w+\/libc6@2\./m)

    const { packages } = JSON.parse(readFileSync(join(checkout, "package-lock.json"), "utf8")) as Lock
    const locked = new Map(
      Object.entries(packages).map(([path, { integrity, version }]) => [
        `pkg:npm/${path.split("node_modules/").at(-1)}@${version}`,
        integrity,
      ]),
    )
    for (const { hashes, purl } of components.filter(({ purl }) => purl.startsWith("pkg:npm/"))) {
      const name = decodeURIComponent(purl)
      if (name === `pkg:npm/${manifest.name}@${manifest.version}`) continue
      const digest = Buffer.from(hashes?.[0]?.content ?? "", "hex").toString("base64")
      expect(`${name} sha512-${digest}`).toBe(`${name} ${locked.get(name)}`)
    }
  }),
)

const title = "the image MUST pass the service suite, read-only, with nothing else of the machine"
unless(noFiles ?? noSandbox(), title, () =>
  Effect.gen(function* () {
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
      files: ["app", "dev", "etc", "lib", "proc", "sbom.cdx.json", "sys", "tmp", "usr", "var"],
      failure: "EROFS",
    })
    expect(inside("designwire", "migrate")).toMatchObject({ status: 0 })
    expect(inside("designwire", "health")).toMatchObject({ status: 1 })

    // Ends the service as a crash would, and starts it. Every process of the service holds the lock, so the next one
    // starts when the last of them has gone.
    const identity = "uid" in user ? "setpriv --reuid 65532 --regid 65532 --clear-groups " : ""
    const restart = `cd '${directory}'; [ -f pid ] && kill -9 "$(cat pid)"
      exec 9> lock; flock 9
      ${identity}bwrap ${quoted(within("designwire", "serve"))} >> log 2>&1 & echo $! > pid`
    writeFileSync(join(directory, "restart.sh"), restart)
    const again = `sh '${directory}/restart.sh'`
    yield* Effect.addFinalizer(() => Effect.sync(() => spawnSync("sh", ["-c", `kill -9 $(cat '${directory}/pid')`])))
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
  }),
)
