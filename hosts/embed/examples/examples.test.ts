/** The examples as processes, on a Postgres server: what their readers are promised. */
import { readdirSync, readFileSync } from "node:fs"
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net"
import { join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { describe, expect, inject, it } from "@effect/vitest"
import { Effect } from "effect"
import pg from "pg"
import { freshDatabase } from "../../../conformance/testkit/databases/Database.ts"
import { freePort } from "../../../conformance/testkit/processes/FreePort.ts"
import { install } from "../../../conformance/testkit/processes/Install.ts"
import { secrets, send, start, stop } from "../../../conformance/testkit/processes/Processes.ts"
import { abortedPost } from "../../../conformance/testkit/requests/Aborted.ts"

const worlds = resolve(import.meta.dirname, "../../../conformance/testkit/processes")

const examples = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".mts"))

/** What listens for an example: itself, or what stands for its framework's server. */
const entryOf = (example: string) =>
  example === "next.mts" ? join(worlds, "NextServer.ts") : join(import.meta.dirname, example)

/** Drizzle, which an example imports. */
await install(new URL("../../../conformance/checks/libraries/", import.meta.url))

/** Starts a program that imports this package by its name, and waits until it listens. */
const started = Effect.fnUntraced(function* (entry: string, environment: Readonly<Record<string, string>>) {
  const port = yield* Effect.promise(freePort)
  const process = yield* start([], { ...environment, ...byName, PORT: `${port}` }, { entry })
  yield* process.line(/Listening on/)
  return { process, origin: `http://127.0.0.1:${port}` }
})

const byName = { NODE_OPTIONS: `--import=${pathToFileURL(join(worlds, "OwnPackage.ts"))}` }

/** A port on which another program listens, on all addresses, as the examples do. */
const takenPort = Effect.map(
  Effect.acquireRelease(
    Effect.callback<Server>((resume) => {
      const server = createServer().listen(0, () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.sync(() => server.close()),
  ),
  (server) => (server.address() as AddressInfo).port,
)

/** A connection that sends nothing, as browsers open them ahead of requests. The server may close it. */
const unusedConnection = (origin: string) =>
  Effect.acquireRelease(
    Effect.callback<Socket>((resume) => {
      const socket = connect(Number(new URL(origin).port), "127.0.0.1", () => resume(Effect.succeed(socket)))
      socket.on("error", () => undefined)
    }),
    (socket) => Effect.sync(() => socket.destroy()),
  )

/** Runs an example to its end. */
const runToEnd = (example: string, environment: Readonly<Record<string, string>>) =>
  Effect.flatMap(start([], { ...environment, ...byName }, { entry: entryOf(example) }), ({ ended }) => ended)

/** The rows of the application's own table. */
const rowsIn = (connectionString: string) =>
  Effect.promise(async () => {
    const client = new pg.Client({ connectionString })
    await client.connect()
    const { rows } = await client.query("SELECT id FROM my_orders")
    await client.end()
    return rows.map(({ id }) => id)
  })

/** The applications: in every change one by promises and one by effects. `Mounts.test.ts` holds each framework. */
const applications = examples.filter((name) =>
  inject("wholeMatrix") ? name !== "receiver.mts" : ["express.mts", "effect.mts"].includes(name),
)

/** Those that listen themselves. In every change one application, and the receiver. */
const portTakers = examples.filter(
  (name) => name !== "next.mts" && (inject("wholeMatrix") || ["express.mts", "receiver.mts"].includes(name)),
)

describe("Every example", () => {
  it.each(examples)("MUST be under 60 lines: %s", (name) => {
    const lines = readFileSync(join(import.meta.dirname, name), "utf8")
      .trimEnd()
      .split("\n")
    expect(lines.length).toBeLessThan(60)
  })

  for (const example of applications) {
    it.live(`MUST keep its row and our order together, and have it delivered: ${example}`, () =>
      Effect.gen(function* () {
        const database = yield* freshDatabase
        const receiverPort = yield* Effect.promise(freePort)
        const app = yield* started(entryOf(example), {
          DATABASE_URL: database,
          DESIGNWIRE_ENCRYPTION_KEYS: secrets.DESIGNWIRE_ENCRYPTION_KEYS,
          DESIGNWIRE_ALLOW_NETWORKS: "127.0.0.0/8",
          DESIGNWIRE_ALLOW_HTTP: "true",
          WEBHOOK_URL: `http://127.0.0.1:${receiverPort}/webhooks`,
        })
        const [, token = "", secret = ""] = yield* app.process.line(/^Token (\S+), signing secret (\S+)$/)
        const receiver = yield* start(
          [],
          { ...byName, PORT: `${receiverPort}`, WEBHOOK_SECRET: secret },
          {
            entry: entryOf("receiver.mts"),
          },
        )
        yield* receiver.line(/Listening on/)

        const body = { engraving: { text: "Jo" } }
        const failed = yield* send("POST", `${app.origin}/checkout/1001?fail`, { body })
        expect([failed.status, yield* rowsIn(database)]).toEqual([500, []])
        const orders = `${app.origin}/integrations/designs/v1/orders`
        expect((yield* send("GET", orders, { token })).json()).toMatchObject({ data: [], pagination: { total: 0 } })

        const placed = yield* send("POST", `${app.origin}/checkout/1002`, { body })
        expect([placed.status, placed.json()]).toEqual([200, { id: "1002", total: 12_900 }])
        expect(yield* rowsIn(database)).toEqual(["1002"])
        const [order] = ((yield* send("GET", orders, { token })).json() as { data: ReadonlyArray<unknown> }).data
        expect(order).toMatchObject({ id: "1002", name: "#1002", designs: [{ selection: body }] })
        expect((yield* send("GET", orders, { token: "cmz_none" })).status).toBe(401)
        yield* receiver.line(/^Verified design\.ordered #1002$/)
        expect(receiver.printed()).not.toMatch(/#1001|Refused/)

        yield* unusedConnection(app.origin)
        expect(yield* stop(app.process)).toMatchObject({ code: 0, signal: null })
        expect(yield* stop(receiver)).toMatchObject({ code: 0, signal: null, stderr: "" })
      }),
    )
  }

  it.live.each(portTakers)("MUST end if its port is taken: %s", (example) =>
    Effect.gen(function* () {
      const port = yield* takenPort
      const ended = yield* runToEnd(example, {
        PORT: `${port}`,
        DATABASE_URL: yield* freshDatabase,
        DESIGNWIRE_ENCRYPTION_KEYS: secrets.DESIGNWIRE_ENCRYPTION_KEYS,
        DESIGNWIRE_ALLOW_NETWORKS: "127.0.0.0/8",
        WEBHOOK_URL: "https://93.184.216.34/webhooks",
      })
      expect(ended.code).not.toBe(0)
      expect(ended.stdout + ended.stderr).toContain("EADDRINUSE")
      expect(ended.stdout).not.toContain("Listening")
    }),
  )

  it.live("MUST outlive an aborted delivery, and refuse one that is not signed with its secret: receiver.mts", () =>
    Effect.gen(function* () {
      const { origin, process } = yield* started(entryOf("receiver.mts"), { WEBHOOK_SECRET: "whsec_other" })
      yield* Effect.promise(() => abortedPost(`${origin}/webhooks`))
      expect((yield* send("POST", `${origin}/webhooks`, { body: {} })).status).toBe(401)
      yield* process.line(/^Refused: /)
      yield* unusedConnection(origin)
      expect((yield* stop(process)).code).toBe(0)
    }),
  )
})
