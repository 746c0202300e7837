/** Debian's nginx and HAProxy in front of two cells, for tests. */
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import process from "node:process"
import { Effect, Schedule, type Scope } from "effect"
import { freePort } from "./FreePort.ts"

/** Proxies that read the map of `designwire cells map`. */
export const proxies = ["nginx", "haproxy"] as const

export type ProxyName = (typeof proxies)[number]

/** Debian installs them outside the usual PATH. */
const binaryOf = (name: ProxyName): string | undefined =>
  [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin"]
    .map((directory) => join(directory, name))
    .find((path) => existsSync(path))

/** Why tests with a proxy are skipped; `undefined` if they can run. */
export const noProxy = (name: ProxyName): string | undefined =>
  binaryOf(name) === undefined ? `${name} is not installed (Debian: apt-get install ${name})` : undefined

/** A proxy that finds a shop's cell in a map, by the path: `/{shop}/api/…` and `/manage/v1/shops/{shop}…`. */
export interface Proxy {
  readonly url: string
  /** Lets it read the map again. */
  readonly reload: Effect.Effect<void>
  /** The same as a command of the shell. */
  readonly reloading: string
}

/** Addresses of the cells' hosts by the cells' names, and the file with the map. */
export interface ProxyOptions {
  readonly cells: Readonly<Record<string, string>>
  readonly map: string
}

const nginx = ({ cells, map }: ProxyOptions, port: number, directory: string) => `daemon off;
pid ${directory}/nginx.pid;
error_log stderr warn;
worker_processes 1;
events { worker_connections 1024; }
http {
  access_log off;
  ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${directory}/${name};`).join(" ")}
  map_hash_max_size 262144;
  map_hash_bucket_size 128;
  map $uri $shop {
    "~^/manage/v1/shops/(?<managed>[^/]+)" $managed;
    "~^/(?<first>[^/]+)/api/" $first;
  }
  map $shop $cell {
    default none;
    include ${map};
  }
  ${Object.entries(cells)
    .map(([name, url]) => `upstream ${name} { server ${new URL(url).host}; }`)
    .join("\n  ")}
  server {
    listen 127.0.0.1:${port};
    if ($cell = none) { return 404; }
    location /manage/ { proxy_pass http://$cell; }
    location ~ ^/[^/]+(?<rest>/api/.*)$ { proxy_pass http://$cell$rest$is_args$args; }
  }
}
`

const haproxy = ({ cells, map }: ProxyOptions, port: number, directory: string) => `global
  stats socket ${directory}/haproxy.sock mode 600 level admin expose-fd listeners
  maxconn 1000
defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
frontend designs
  bind 127.0.0.1:${port}
  http-request set-var(txn.shop) path,word(1,/)
  http-request set-var(txn.shop) path,word(4,/) if { path_beg /manage/v1/shops/ }
  http-request replace-path /[^/]+(/api/.*) \\1 if !{ path_beg /manage/ }
  use_backend %[var(txn.shop),map(${map},none)]
backend none
  http-request return status 404
${Object.entries(cells)
  .map(([name, url]) => `backend ${name}\n  server ${name} ${new URL(url).host}`)
  .join("\n")}
`

const parametersOf = {
  nginx: (file: string, directory: string) => ["-p", directory, "-c", file],
  haproxy: (file: string) => ["-W", "-f", file],
}

/** Starts a proxy, until the scope closes. */
export const startProxy = Effect.fnUntraced(function* (
  name: ProxyName,
  options: ProxyOptions,
): Effect.fn.Return<Proxy, unknown, Scope.Scope> {
  const directory = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), `designwire-${name}-`))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true })),
  )
  const port = yield* Effect.promise(freePort)
  const file = join(directory, "proxy.conf")
  writeFileSync(file, (name === "nginx" ? nginx : haproxy)(options, port, directory))
  const log: Array<string> = []
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const started = spawn(binaryOf(name) ?? name, parametersOf[name](file, directory), {
        stdio: ["ignore", "ignore", "pipe"],
      })
      started.stderr.setEncoding("utf8").on("data", (text: string) => log.push(text))
      started.once("error", (error) => log.push(String(error)))
      return started
    }),
    ended,
  )
  const url = `http://127.0.0.1:${port}`
  yield* Effect.tryPromise(() => fetch(url)).pipe(
    Effect.retry({ schedule: Schedule.spaced("20 millis"), times: 500 }),
    Effect.mapError((cause) => new Error(`${name} did not start:\n${log.join("")}`, { cause })),
  )
  const signal = name === "nginx" ? "SIGHUP" : "SIGUSR2"
  return {
    ...{ url, reloading: `kill -${signal.slice(3)} ${child.pid}` },
    reload: Effect.sync(() => void child.kill(signal)),
  }
})

const ended = (child: ChildProcess) =>
  Effect.callback<void>((resume) => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return resume(Effect.void)
    child.once("close", () => resume(Effect.void))
    child.kill("SIGTERM")
  })
