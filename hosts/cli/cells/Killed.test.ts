/** `designwire shop move`, killed at random, and its servers, alongside everything else that uses the shop. */
import { expect, it } from "@effect/vitest"
import { Effect, References } from "effect"
import { afterAll, beforeAll, inject } from "vitest"
import { endsWithin } from "../../../conformance/testkit/databases/Cells.ts"
import { cuttableWire } from "../../../conformance/testkit/databases/CuttableWire.ts"
import { type StartedPostgres, startPostgres } from "../../../conformance/testkit/databases/EmbeddedPostgres.ts"
import { freshDatabaseOn } from "../../../conformance/testkit/databases/FreshDatabase.ts"
import { type Process, secrets, start } from "../../../conformance/testkit/processes/Processes.ts"
import { type Draw, makeDraw, random } from "../../../conformance/testkit/requests/Draw.ts"
import { lease, type ShopInUse, shopInUse } from "../../../conformance/testkit/workers/BusyCells.ts"
import { migrate } from "../../../conformance/testkit/workers/Fleet.ts"

/** When servers were killed. */
const kills: Array<number> = []

let servers: readonly [StartedPostgres, StartedPostgres]

beforeAll(async () => {
  // What hosts have stored must be there after a crash, and a slot whose reader is gone soon be free.
  const settings = ["synchronous_commit=on", "fsync=on", "wal_sender_timeout=2s", "wal_receiver_timeout=2s"]
  servers = [
    await startPostgres([...settings, "wal_retrieve_retry_interval=500ms"]),
    await startPostgres([...settings, "wal_retrieve_retry_interval=500ms"]),
  ]
})
afterAll(() => Promise.all(servers.map(({ stop }) => stop())))

/** Number of moves, and how many of them are disturbed in each way, in turn. */
const rounds = inject("wholeMatrix") ? Number(process.env["ROUNDS"] ?? 100) : 1
const ways = ["before a message", "server of the source", "at some time", "server of the target"] as const

/** About how many messages the command sends for a small shop, and milliseconds that it takes. */
const [messages, duration] = [650, 4_000]

/** Addresses of the cells for the command, whose messages can be counted, and what to do before one of them. */
const watchedCells = Effect.fnUntraced(function* (urls: ReadonlyArray<string>) {
  const at: { message: number; kill: (() => void) | undefined; sent: number } = {
    ...{ message: Number.POSITIVE_INFINITY, kill: undefined, sent: 0 },
  }
  const watch = () => {
    let isCommand: boolean | undefined
    return (message: Buffer) => {
      isCommand ??= message.includes("designwire\0")
      if (!isCommand || ++at.sent < at.message) return true
      at.kill?.()
      return false
    }
  }
  const wires = yield* Effect.forEach(urls, (url) => cuttableWire(url, undefined, watch))
  return { at, addresses: wires.map(({ url }) => url) }
})

type Watched = Effect.Success<ReturnType<typeof watchedCells>>

/** Runs the command once, disturbed in a way, and returns whether it has ended well. */
const runOnce = (
  { addresses, at }: Watched,
  shop: string,
  from: 0 | 1,
  { draw, undo = false, way }: { readonly draw: Draw; readonly undo?: boolean; readonly way?: (typeof ways)[number] },
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const [source = "", target = ""] = from === 0 ? addresses : addresses.toReversed()
      Object.assign(at, { sent: 0, message: Number.POSITIVE_INFINITY, kill: undefined })
      const command: Process = yield* start(
        ["shop", "move", shop, "--from", source, "--to", target, ...(undo ? ["--undo"] : [])],
        secrets,
      )
      const kill = () => void command.child.kill("SIGKILL")
      if (way === "before a message") Object.assign(at, { message: 1 + Math.floor(draw.next() * messages), kill })
      else if (way === "at some time") {
        yield* Effect.forkScoped(Effect.delay(Effect.sync(kill), 300 + draw.next() * duration))
      } else if (way !== undefined) {
        const server = servers[way === "server of the source" ? from : 1 - from] as StartedPostgres
        yield* Effect.sleep(draw.next() * duration)
        kills.push(performance.now())
        yield* Effect.promise(server.kill)
        yield* endsWithin("the server to be up again", "30 seconds", Effect.promise(server.restart))
      }
      const ended = yield* endsWithin(`the command to end: ${shop}`, "100 seconds", command.ended, command.printed)
      return { isDone: ended.code === 0, ...ended }
    }),
  )

/** Runs the command until it has ended well, as an operator does. */
const untilDone = (cells: Watched, shop: string, from: 0 | 1, draw: Draw) =>
  Effect.gen(function* () {
    for (let triesLeft = 20; ; triesLeft--) {
      const { isDone, stderr } = yield* runOnce(cells, shop, from, { draw })
      if (isDone) return
      if (triesLeft === 0) return yield* Effect.die(new Error(`The command never ended well:\n${stderr}`))
      yield* Effect.sleep("500 millis")
    }
  })

it.live(
  `${rounds} moves that are killed at random, or their servers, MUST lose nothing and repeat nothing (D91, D92)`,
  () =>
    Effect.gen(function* () {
      const seed = Number(process.env["SEED"] ?? Date.now() % 1_000_000)
      console.log(`SEED=${seed} draws the kills`)
      const draw = makeDraw(random(seed))
      const urls = yield* Effect.forEach(servers, ({ url }) => freshDatabaseOn(url))
      yield* Effect.forEach(urls, migrate)
      const use: ShopInUse = yield* shopInUse(urls)
      const cells = yield* watchedCells(urls)
      let at: 0 | 1 = 0
      const seen = new Map<string, number>()
      const count = (what: string) => void seen.set(what, (seen.get(what) ?? 0) + 1)
      for (let round = 0; round < rounds; round++) {
        const way = ways[(seed + round) % ways.length] as (typeof ways)[number]
        const { isDone } = yield* runOnce(cells, use.shop, at, { draw, way })
        const goesBack = !isDone && draw.chance(0.25)
        if (goesBack) {
          const { stderr } = yield* runOnce(cells, use.shop, at, { draw, undo: true })
          // It was open at the target already, or a server is not up yet.
          count(stderr === "" ? "went back" : "could not go back")
        }
        yield* untilDone(cells, use.shop, at, draw)
        at = at === 0 ? 1 : 0
        count(`${way}: ${isDone ? "done at once" : "done again"}`)
        yield* endsWithin(`round ${round} to be checked`, "60 seconds", use.check(at))
      }
      const { deliveries, repeats } = yield* use.end(at)
      console.log(
        JSON.stringify({ rounds, ...use.counts(), deliveries, repeats: repeats.length, ...Object.fromEntries(seen) }),
      )
      // A crash of a server forgets claims of its last moments.
      const forgotten = (from: number, to: number) => kills.some((kill) => from - 1_000 < kill && kill < to)
      const early = repeats.filter(({ first, second }) => second - first < lease - 1_000 && !forgotten(first, second))
      expect(early).toEqual([])
    }).pipe(Effect.scoped, Effect.provideService(References.MinimumLogLevel, "None")),
  // Each is checked, and says what it waits for.
  Math.max(300_000, rounds * 60_000),
)
