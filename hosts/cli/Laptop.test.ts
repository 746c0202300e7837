/** `designwire listen`, `trigger` and `deliveries` as processes, against a host of this machine. */
import { createServer, request as httpRequest, type Server } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { expect, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { Command } from "effect/cli"
import { afterAll } from "vitest"
import { freePort } from "../../conformance/testkit/processes/FreePort.ts"
import { runHere } from "../../conformance/testkit/processes/InProcess.ts"
import {
  address,
  run as asProcess,
  keptManageKey,
  send,
  start,
  stop,
  usedDataDirectory,
} from "../../conformance/testkit/processes/Processes.ts"
import { webhookReceiver } from "../../conformance/testkit/workers/WebhookReceiver.ts"
import { bulkCommands } from "./bulk/Commands.ts"
import { laptopCommands } from "./laptop/Commands.ts"

/** The commands within this process: that they are some of the program is shown by those that start as processes. */
const run = (parameters: ReadonlyArray<string>, environment: Readonly<Record<string, string>> = {}) =>
  runHere(Command.runWith(designwire, { version: "0" })(parameters), environment)

const designwire = Command.make("designwire").pipe(Command.withSubcommands([...bulkCommands, ...laptopCommands]))

const scope = Scope.makeUnsafe()
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

/** A demo host, its token, and the parameters of its management commands. */
const startDemo = Effect.gen(function* () {
  const directory = yield* usedDataDirectory
  const process = yield* start(["serve", "--demo"], { DESIGNWIRE_DATA_DIR: directory })
  const base = yield* address(process)
  const [, token = ""] = yield* process.line(/^ *curl -H 'Authorization: Bearer (\S+)'/)
  return { base, token, directory, key: keptManageKey(directory) }
})

let started: Promise<Effect.Success<typeof startDemo>> | undefined

/** One host for all tests: none of them depends on what another has made there. */
const demo = Effect.promise(() => {
  started ??= Effect.runPromise(Scope.provide(startDemo, scope))
  return started
})

it.live("listen MUST forward trigger's events, signed with the secret that --print-secret prints, until Ctrl-C", () =>
  Effect.gen(function* () {
    const { base, directory, token } = yield* demo
    const receiver = yield* webhookReceiver(() => Effect.succeed(204))
    const printed = yield* run(["listen", "--token", token, "--print-secret"])
    const secret = printed.stdout.trim()
    expect([printed.code, secret]).toEqual([0, expect.stringMatching(/^whsec_/)])
    expect((yield* run(["listen", "--print-secret"], { DESIGNWIRE_TOKEN: token })).stdout.trim()).toBe(secret)
    receiver.trust("/hook", secret)
    const listening = yield* start(["listen", "--url", base, "--forward-to", receiver.url("/hook")], {
      DESIGNWIRE_TOKEN: token,
      // No proxy is asked for what is on this machine.
      HTTP_PROXY: "http://127.0.0.1:1",
      http_proxy: "http://127.0.0.1:1",
    })
    yield* listening.line(/^Ready: following /)
    const made = yield* run(["trigger", "--url", base, "order.cancelled"], { DESIGNWIRE_DATA_DIR: directory })
    expect([made.code, made.stdout]).toEqual([
      0,
      expect.stringMatching(/^order\.cancelled: order trigger-\w+ of shop demo /),
    ])
    yield* receiver.until(() => receiver.requests.filter(({ signed }) => signed !== undefined).length >= 3)
    const kinds = receiver.requests.map(({ body }) => (JSON.parse(body) as { readonly event: string }).event)
    expect(kinds).toEqual(["design.created", "design.ordered", "order.cancelled"])
    expect(receiver.requests.map(({ signed }) => signed)).toEqual([true, true, true])
    yield* listening.line(/ {2}<-- {2}204 {2}\d+ ms {2}evt_/)
    expect((yield* stop(listening, "SIGINT")).code).toBe(0)
  }),
)

it.live("listen MUST end with 1 and a sentence if the token is unknown or missing", () =>
  Effect.gen(function* () {
    const { base } = yield* demo
    const unknown = yield* run(["listen", "--url", base, "--token", "cmz_unknown"])
    expect([unknown.code, unknown.stderr.trim().split("\n")]).toEqual([1, [expect.stringMatching(/token/i)]])
    const missing = yield* run(["listen", "--url", base])
    expect([missing.code, missing.stderr.trim()]).toEqual([1, "Give an API token: --token cmz_…, or DESIGNWIRE_TOKEN"])
  }),
)

it.live("deliveries MUST list deliveries, and send one again", () =>
  Effect.gen(function* () {
    const { base, directory, key } = yield* demo
    const inDirectory = { DESIGNWIRE_DATA_DIR: directory }
    const test = yield* run(["trigger", "--url", base, "ping"], inDirectory)
    const [, id = ""] = /delivery (dlv_\w+)/.exec(test.stdout) ?? []
    const listed = yield* run(["deliveries", "list", "--url", base, "--key", key, "--shop", "demo"])
    expect(listed.code).toBe(0)
    expect(listed.stdout).toMatch(/^whe_\w+ {2}http:/)
    expect(listed.stdout).toContain(id)
    const again = yield* run(["deliveries", "redeliver", "--url", base, id], inDirectory)
    expect([again.code, again.stdout]).toEqual([0, expect.stringMatching(/^dlv_\w+ {2}design\.ordered {2}to http:/)])
    const [made] = again.stdout.split("  ")
    const { data } = (yield* send("GET", `${base}/manage/v1/shops/demo/webhooks`, { token: key })).json() as {
      readonly data: ReadonlyArray<{ readonly id: string }>
    }
    const log = yield* send("GET", `${base}/manage/v1/shops/demo/webhooks/${data[0]?.id}/deliveries`, { token: key })
    expect(log.text).toContain(`"${made}"`)
    const gone = yield* run(["deliveries", "redeliver", "--url", base, "dlv_nobody"], inDirectory)
    expect([gone.code, gone.stderr]).toEqual([1, expect.stringContaining("dlv_nobody")])
    const refused = yield* run(["deliveries", "list", "--url", base, "--key", "wrong-key-of-16-letters"])
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("401")])
  }),
)

it.live("trigger, deliveries and listen MUST find the service by the variables that it has too", () =>
  Effect.gen(function* () {
    const [api, management] = [yield* Effect.promise(freePort), yield* Effect.promise(freePort)]
    const environment = {
      ...{ DESIGNWIRE_DATA_DIR: yield* usedDataDirectory, DESIGNWIRE_SHOPIFY_SECRET: "a-secret-of-shopify" },
      ...{
        PORT: `${api}`,
        HOST: "localhost",
        DESIGNWIRE_MANAGE_PORT: `${management}`,
        DESIGNWIRE_MANAGE_HOST: "127.0.0.1",
      },
    }
    const process = yield* start(["serve", "--demo"], environment)
    yield* address(process)
    const [, token = ""] = yield* process.line(/^ *curl -H 'Authorization: Bearer (\S+)'/)
    const listening = yield* start(["listen", "--token", token], environment)
    yield* listening.line(new RegExp(`^Ready: following http://localhost:${api}/api/v1 `))
    const made = yield* asProcess(["trigger", "design.ordered"], environment)
    expect([made.code, made.stdout]).toEqual([0, expect.stringMatching(/^design\.ordered: order trigger-/)])
    yield* listening.line(/--> {2}design\.ordered/)
    const platform = yield* asProcess(["trigger", "shopify:orders/create"], environment)
    expect([platform.code, platform.stdout]).toEqual([0, expect.stringContaining(`:${api}/ingest/shopify/demo: 200`)])
    expect((yield* asProcess(["deliveries", "list"], environment)).stdout).toMatch(/^whe_\w+ {2}http:/)
    // The listener of the API does not manage.
    const elsewhere = yield* asProcess(["deliveries", "list"], { ...environment, DESIGNWIRE_MANAGE_PORT: "" })
    expect([elsewhere.code, elsewhere.stderr]).toEqual([1, expect.stringContaining("give --url")])
  }),
)

it.live("trigger, deliveries and listen MUST name --url if nothing listens there, or the port is not known", () =>
  Effect.gen(function* () {
    const nobody = `${yield* Effect.promise(freePort)}`
    const commands = [
      ["trigger", "ping", "--key", "k"],
      ["deliveries", "list", "--key", "k"],
      ["listen", "--token", "cmz_x"],
    ]
    for (const command of commands) {
      const { code, stderr } = yield* run(command, { PORT: nobody })
      expect([code, stderr]).toEqual([1, expect.stringContaining(`http://127.0.0.1:${nobody}`)])
      expect(stderr).toContain("give --url")
      const unknown = yield* run(command, { PORT: "0" })
      expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringMatching(/^PORT: is 0.*Or give --url\n$/s)])
    }
  }),
)

it.live("the help of a command MUST list the choices of what it is given", () =>
  Effect.gen(function* () {
    const choices = {
      trigger: ["design.ordered", "order.cancelled", "ping", "shopify:orders/create", "woocommerce:order.deleted"],
      export: ["orders", "designs", "jsonl", "csv"],
      import: ["customizers", "designs", "orders"],
    }
    for (const [command, names] of Object.entries(choices)) {
      const { stdout } = yield* run([command, "--help"])
      const lines = stdout
        .split("\n")
        .filter((line) => / choice /.test(line))
        .join("\n")
      for (const name of names) expect(lines).toContain(name)
    }
  }),
)

it.live("trigger MUST NOT make anything up on a host that is not on this machine", () =>
  Effect.gen(function* () {
    const { code, stderr } = yield* run([
      "trigger",
      "--url",
      "https://designs.example.com",
      "--key",
      "k",
      "design.ordered",
    ])
    expect([code, stderr]).toEqual([1, expect.stringContaining("--url must be a host on this machine")])
  }),
)

/** A proxy that leads every connection to one port, and records the requested addresses. */
const proxy = (port: number, asked: Array<string>) =>
  Effect.acquireRelease(
    Effect.callback<Server>((resume) => {
      const server = createServer((request, response) => {
        const { host, pathname, search } = new URL(request.url ?? "")
        asked.push(host)
        const onward = httpRequest({ port, path: pathname + search, headers: request.headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers)
          answer.pipe(response)
        })
        onward.end()
      })
      server.on("connect", (request, socket) => {
        asked.push(request.url ?? "")
        const onward = connect(port, "127.0.0.1", () => {
          socket.write("HTTP/1.1 200 Connection established\r\n\r\n")
          onward.pipe(socket).pipe(onward)
        })
        for (const end of [onward, socket]) end.on("error", () => undefined)
      })
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.sync(() => server.close().closeAllConnections()),
  )

it.live("listen MUST reach the service through HTTP_PROXY, except for hosts that NO_PROXY names", () =>
  Effect.gen(function* () {
    const { base, token } = yield* demo
    const asked: Array<string> = []
    const server = yield* proxy(Number(new URL(base).port), asked)
    const environment = { HTTP_PROXY: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
    const parameters = ["listen", "--url", "http://designs.test:8080", "--token", token]
    const listening = yield* start(parameters, environment)
    yield* listening.line(/^Ready: following http:\/\/designs\.test:8080\/api\/v1 from now on$/)
    expect((yield* stop(listening, "SIGINT")).code).toBe(0)
    expect(new Set(asked)).toEqual(new Set(["designs.test:8080"]))
    asked.length = 0
    const direct = yield* start(parameters, { ...environment, NO_PROXY: "designs.test" })
    yield* direct.ended
    expect(asked).toEqual([])
  }),
)
