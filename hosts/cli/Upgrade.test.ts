/** Hosts of two versions on one database, one migration apart, while it is migrated. */
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { freshDatabase } from "../../conformance/testkit/databases/Database.ts"
import { contracting, expanding, type laterVersions } from "../../conformance/testkit/databases/LaterVersions.ts"
import {
  bodyOf,
  keptAlive,
  manage,
  manageKey,
  newDesign,
  newOrder,
  newShop,
  read,
  type Send,
  sender,
} from "../../conformance/testkit/hosts/TestHost.ts"
import { address, type Process, run, secrets, start, stop } from "../../conformance/testkit/processes/Processes.ts"
import { localReceivers } from "../../conformance/testkit/workers/Fleet.ts"
import { webhookReceiver } from "../../conformance/testkit/workers/WebhookReceiver.ts"

const entry = join(import.meta.dirname, "../../conformance/testkit/processes/LaterVersion.ts")

type Environment = Readonly<Record<string, string>>

/** Starts a command of a later version. */
const startLater = (version: keyof typeof laterVersions, command: string, environment: Environment) =>
  start([version, command], environment, { entry })

/** Runs a command of a later version to its end. */
const runLater = (...parameters: Parameters<typeof startLater>) =>
  Effect.scoped(Effect.flatMap(startLater(...parameters), ({ ended }) => ended))

const common = {
  ...secrets,
  ...localReceivers,
  DESIGNWIRE_MANAGE_KEY: manageKey,
  DESIGNWIRE_RATE_LIMIT: "100000",
}

/** Requests to a host, over connections that it keeps. */
const sendTo = Effect.fnUntraced(function* (host: Process) {
  return sender(Number(new URL(yield* address(host)).port), yield* keptAlive)
})

/** Some new shops, each with an endpoint for its orders. */
const newShops = Effect.fnUntraced(function* (send: Send, hook: string) {
  const shops = yield* Effect.replicateEffect(newShop(send), 4)
  for (const { id } of shops) {
    const endpoint = { url: hook, events: ["design.ordered"] }
    yield* bodyOf(201, yield* manage(send, "POST", `/shops/${id}/webhooks`, endpoint))
  }
  return shops
})

/** The ids of what a page of a feed or of orders holds, and the cursor after it. */
interface Page {
  readonly data: ReadonlyArray<{ readonly id: string }>
  readonly pagination: { readonly nextCursor: string | null; readonly total?: number; readonly hasMore?: boolean }
}

/** The uses of a shop by a platform and its systems, by one host after the other. Each request must succeed. */
const use = (
  shop: { readonly id: string; readonly token: string; readonly tokenId: string },
  hosts: () => ReadonlyArray<Send>,
) => {
  const orders: Array<string> = []
  const followed: Array<string> = []
  let [turn, after]: [number, string | null] = [0, null]
  const next = (): Send => {
    const all = hosts()
    return all[turn++ % all.length] as Send
  }
  const get = (path: string) =>
    Effect.map(
      Effect.flatMap(read(next(), shop.token, path), (answer) => bodyOf(200, answer)),
      (body) => body as unknown as Page,
    )
  const follow: Effect.Effect<void> = Effect.gen(function* () {
    for (;;) {
      const from = after === null ? "" : `&after=${encodeURIComponent(after)}`
      const { data, pagination } = yield* get(`/events?limit=100&types=design.ordered${from}`)
      followed.push(...data.map(({ id }) => id))
      after = pagination.nextCursor
      if (pagination.hasMore !== true) return
    }
  })
  return {
    orders,
    followed,
    /** Orders a design, reads a page of orders, and follows the feed. */
    step: Effect.gen(function* () {
      const id = `${shop.id}-${orders.length}`
      yield* newDesign(next(), shop, `d-${id}`)
      yield* newOrder(next(), shop, id, [`d-${id}`])
      orders.push(id)
      yield* get("/orders?limit=10")
      yield* follow
    }),
    /** Expects every order once, as each host lists them. */
    check: Effect.gen(function* () {
      yield* follow
      for (const _ of hosts()) expect((yield* get("/orders?limit=1")).pagination.total).toBe(orders.length)
      expect(followed.length).toBe(orders.length)
      expect(new Set(followed).size).toBe(orders.length)
    }),
  }
}

it.live(
  "old and new hosts MUST serve together on one database while it is migrated, and lose and double nothing (D78)",
  () =>
    Effect.gen(function* () {
      const environment: Environment = { ...common, DATABASE_URL: yield* freshDatabase }
      expect((yield* run(["migrate"], environment)).code).toBe(0)
      const receiver = yield* webhookReceiver(() => Effect.succeed(204))
      const old = yield* Effect.forEach(["serve", "worker"], (command) => start([command], environment))
      const [oldHost = yield* Effect.die("No host")] = old
      const oldSend = yield* sendTo(oldHost)
      let hosts: ReadonlyArray<Send> = [oldSend]
      const uses = (yield* newShops(oldSend, receiver.url("/"))).map((shop) => use(shop, () => hosts))
      const isOver = yield* Deferred.make<void>()
      const ready = Effect.suspend(() =>
        Effect.forEach(hosts, (send) => Effect.map(send("GET", "/readyz"), ({ status }) => expect(status).toBe(200))),
      )
      const using = yield* Effect.forkScoped(
        Effect.forEach(
          [...uses.map(({ step }) => step), ready],
          // With pauses, as most of the time processes start.
          (each) => Effect.repeat(Effect.delay(each, "150 millis"), { until: () => Deferred.isDone(isOver) }),
          { concurrency: "unbounded", discard: true },
        ),
      )
      /** Waits for some steps more of every shop. Fails with the first request that failed. */
      const someSteps = Effect.suspend(() => {
        const enough = uses.map(({ orders }) => orders.length + 3)
        const waiting = Effect.repeat(Effect.sleep("20 millis"), {
          until: () => uses.every(({ orders }, index) => orders.length >= (enough[index] ?? 0)),
        })
        return Effect.raceFirst(waiting, Fiber.join(using))
      })
      yield* someSteps

      const migrated = yield* runLater("next", "migrate", environment)
      expect([migrated.code, migrated.stderr]).toEqual([0, ""])
      expect(migrated.stdout).toMatch(new RegExp(`^Migrated: .*${expanding.at(-1)}\n$`))
      yield* someSteps
      const newHost = yield* startLater("next", "serve", environment)
      hosts = [oldSend, yield* sendTo(newHost)]
      yield* someSteps

      // The old version starts, and its commands work.
      const isNewer = `newer than this version, which works with it: it has ${expanding.join(", ")}`
      expect(yield* run(["migrate"], environment)).toMatchObject({ code: 0, stdout: `The database is ${isNewer}\n` })
      expect((yield* run(["doctor"], environment)).stdout).toContain(`ok\tschema: ${isNewer}\n`)
      expect((yield* runLater("next", "doctor", environment)).stdout).toContain("ok\tschema: current\n")
      const again = yield* start(["serve"], environment)
      hosts = [...hosts, yield* sendTo(again)]
      yield* someSteps
      hosts = hosts.slice(0, 2)
      yield* someSteps
      expect((yield* stop(again)).code).toBe(0)

      // A migration that the old version can't continue with.
      hosts = hosts.slice(1)
      yield* someSteps
      const contracted = yield* runLater("afterNext", "migrate", environment)
      expect(contracted.code).toBe(0)
      const sentence = `Before this migration, stop .* versions without ${expanding.at(-1)}\\. .*`
      expect(contracted.stdout).toMatch(new RegExp(`^${sentence}\nMigrated: .*${contracting}\n$`))
      for (const host of old) {
        const { code, stderr } = yield* host.ended
        expect(code).toBe(1)
        expect(stderr).toMatch(/migrated by a newer version of designwire: .* Use that version/)
      }
      yield* someSteps
      const refused = yield* run(["serve"], environment)
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(`it has ${contracting}; `)])
      yield* Deferred.succeed(isOver, undefined)
      yield* Fiber.join(using)

      for (const { check } of uses) yield* check
      const orders = uses.reduce((sum, each) => sum + each.orders.length, 0)
      yield* receiver.until(() => receiver.requests.length >= orders)
      expect((yield* stop(newHost)).code).toBe(0)
      const delivered = receiver.requests.map(({ eventId }) => eventId)
      expect(delivered.toSorted()).toEqual(uses.flatMap(({ followed }) => followed).toSorted())
    }).pipe(Effect.scoped),
)
