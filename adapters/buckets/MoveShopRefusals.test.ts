/** Refused moves of shops, and calls of hosts that know nothing of a move, or are in its way. */
import { expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Option, References } from "effect"
import { someTime } from "../../conformance/suites/storage/support/Fixtures.ts"
import { inTurn } from "../../conformance/suites/storage/support/TurnQueue.ts"
import { advance, hour, minute, request, success } from "../../conformance/suites/storage/support/Webhooks.ts"
import { endedMoves } from "../../conformance/testkit/databases/EndedMoves.ts"
import { afterStop, newShopInUse, newShopMoves, placesOf } from "../../conformance/testkit/databases/MovingShops.ts"
import { DeliveryQueue } from "../../core/ports/DeliveryQueue.ts"
import { NoticeStore } from "../../core/ports/NoticeStore.ts"
import { SealedSecrets } from "../../core/ports/SealedSecrets.ts"
import { ShopStore } from "../../core/ports/ShopStore.ts"
import { TokenStore } from "../../core/ports/TokenStore.ts"
import { Upkeep } from "../../core/ports/Upkeep.ts"
import { bucketName, type MoveShopOptions, migrate, moveShop, shopStatus } from "./index.ts"
import { moveRows } from "./move/MoveRows.ts"

const { endedBefore, refused } = endedMoves(moveShop)

/** Runs an effect before a change of a move. */
const before = (options: MoveShopOptions, change: string, effect: Effect.Effect<unknown, unknown>) =>
  moveShop({ ...options, onStep: (step) => (step === change ? Effect.orDie(Effect.asVoid(effect)) : Effect.void) })

/** How often a host reads the directory if it shall never learn of a move, in milliseconds. */
const never = 3_600_000

const name = (bucket: number) => bucketName(bucket, 4)

it.live("shops and buckets that can't be moved MUST be refused with a sentence that says what to do", () =>
  Effect.gen(function* () {
    const { deployment, first, onHost, options } = yield* newShopMoves()
    const { shop } = yield* onHost(newShopInUse)
    const { far, home, near } = placesOf(shop)
    expect(yield* refused(options(shop, 4))).toBe("The bucket 04 does not exist: they go from 00 to 03")
    expect(yield* refused(options("nobody", 1))).toMatch(
      /^There is no shop nobody: it would be in the bucket 0\d, and is not$/,
    )
    yield* endedBefore(options(shop, far), "copy")
    expect(yield* refused(options(shop, near))).toBe(
      `The shop ${shop} is moving from ${name(home)} to ${name(far)}. Complete that by --to ${name(far)}, ` +
        `or undo it by --to ${name(home)}, before it moves to ${name(near)}`,
    )
    expect(yield* shopStatus(options(shop, far))).toMatchObject([{ shop, source: home, target: far, phase: "copying" }])
    const rows = moveRows(first, "designwire")
    expect((yield* Effect.flip(rows.begin(far, "first", "second"))).message).toBe(
      `Bucket ${name(far)} can't move while the shop ${shop} is moved out of it or into it`,
    )
    const held = yield* Effect.flip(migrate(deployment))
    expect(held.message).toBe(`The shop ${shop} is being moved: let its move end, then migrate`)
    yield* moveShop(options(shop, home))
    yield* first`INSERT INTO designwire_directory.moves (bucket, source, target, phase)
VALUES (${far}, 'first', 'second', 'copying')`
    expect(yield* refused(options(shop, far))).toBe(`Bucket ${name(far)} is being moved: let its move end first`)
  }).pipe(Effect.scoped),
)

it.live("two commands MUST NOT move shops at the same time", () =>
  Effect.gen(function* () {
    const { onHost, options } = yield* newShopMoves()
    const { shop } = yield* onHost(newShopInUse)
    const { far, home } = placesOf(shop)
    let seen = ""
    yield* before(
      options(shop, far),
      "copy",
      Effect.map(refused(options(shop, home)), (message) => {
        seen = message
      }),
    )
    expect(seen).toBe("Another command is moving shops of designwire at this moment. Wait until it ends")
  }).pipe(Effect.scoped),
)

it.live("a command that was taken for dead MUST NOT switch a shop that another one has gone back with", () =>
  Effect.gen(function* () {
    const moves = yield* newShopMoves()
    const use = yield* moves.onHost(newShopInUse)
    const { far, home } = placesOf(use.shop)
    const stolen = moves.first`UPDATE designwire_directory.shop_moves SET command = 'another'`
    for (const change of ["make the gate", "close", "switch"]) {
      const end = yield* Effect.flip(before(moves.options(use.shop, far), change, stolen)).pipe(
        Effect.provideService(References.MinimumLogLevel, "None"),
      )
      expect(end.message).toContain("Another command moves")
      yield* moveShop(moves.options(use.shop, home))
      yield* moves.onHost(Effect.andThen(use.write, use.check))
    }
  }).pipe(Effect.scoped),
)

it.live("a command that was taken for dead MUST NOT change a place that the shop has come back to", () =>
  Effect.gen(function* () {
    const { departedFrom, first, onHost, options, remains } = yield* newShopMoves()
    const use = yield* onHost(newShopInUse)
    const { far, home } = placesOf(use.shop)
    const loseLock = first`SELECT pg_terminate_backend(l.pid) AS ended FROM pg_locks l
JOIN pg_database d ON d.oid = l.database AND d.datname = current_database()
WHERE l.locktype = 'advisory' AND l.pid <> pg_backend_pid()`
    for (const change of ["quieten the source", "clear the source", "note the departure", "remove the gate"]) {
      const another = Effect.andThen(loseLock, moveShop(options(use.shop, home)))
      const end = yield* Effect.flip(before(options(use.shop, far), change, another))
      expect([change, end.message]).toEqual([change, expect.stringContaining("was lost")])
      yield* onHost(Effect.andThen(use.write, use.check))
      expect([change, yield* departedFrom(home), yield* remains]).toEqual([change, [], []])
    }
  }).pipe(Effect.scoped),
)

it.live("while a shop is closed, its calls MUST wait, and calls for other shops MUST go on", () =>
  Effect.gen(function* () {
    const moves = yield* newShopMoves()
    const { onHost, options } = moves
    const use = yield* onHost(newShopInUse)
    const others = yield* onHost(Effect.forEach(Array.from({ length: 8 }), () => newShopInUse))
    const { far, home } = placesOf(use.shop)
    yield* onHost(Effect.forEach([use, ...others], ({ write }) => write))
    const queue = inTurn(yield* onHost(DeliveryQueue))
    const claims = yield* queue.claim(request())
    const settled = yield* Deferred.make<ReadonlyArray<boolean>>()
    const settling = Effect.flatMap(
      queue.settle(
        claims.map((claim) => success(claim)),
        advance,
      ),
      (took) => Deferred.succeed(settled, took),
    )
    const open = Effect.map(
      Effect.forEach([0, 1, 2, 3], (number) => {
        const { schema, sql } = moves.bucket(number)
        return sql.unsafe<{ shop: string }>(`SELECT shop FROM ${schema}.deliveries WHERE status = 'pending'`)
      }),
      (rows) => rows.flat().map(({ shop }) => shop),
    )
    const whileClosed = Effect.gen(function* () {
      yield* Effect.forkDetach(settling)
      // In the same bucket as well: only the settlement of the closed shop fails.
      yield* Effect.repeat(open, { until: (shops) => shops.length === 1 && shops[0] === use.shop })
      yield* onHost(Effect.forEach(others, ({ write }) => write))
      // Requests of the same moment share a statement, if they are of one shop.
      yield* Effect.forkDetach(onHost(use.count))
      yield* onHost(Effect.forEach(others, ({ count }) => count, { concurrency: "unbounded" }))
      const fresh = yield* queue.claim(request({ now: someTime + minute }))
      expect(fresh.map(({ shop }) => shop).toSorted()).toEqual(others.map(({ shop }) => shop).toSorted())
      yield* queue.release(fresh)
      yield* onHost(Upkeep.use((upkeep) => upkeep.prune({ keep: 50, eventsBefore: 0, now: 0, limit: 10, after: null })))
      expect(yield* Deferred.isDone(settled)).toBe(false)
    })
    yield* before(options(use.shop, far), "drain", whileClosed)
    expect(yield* Deferred.await(settled)).toEqual(claims.map(() => true))
    yield* onHost(Effect.forEach([use, ...others], ({ check }) => check))

    yield* endedBefore(options(use.shop, home), "drain")
    expect(yield* shopStatus(options(use.shop, home))).toMatchObject([{ phase: "switching" }])
    expect(yield* Effect.flip(onHost(use.write))).toMatchObject({
      isRetryable: true,
      message: expect.stringContaining("run `designwire bucket move-shop` again"),
    })
    yield* moveShop(options(use.shop, home))
  }).pipe(Effect.scoped),
)

it.live("a transaction at a place that a shop has left MUST be refused as retryable, and store nothing", () =>
  Effect.gen(function* () {
    const { newHost, onHost, options, rowsOf } = yield* newShopMoves()
    const old = yield* newHost(never)
    const use = yield* onHost(newShopInUse)
    const { home, near } = placesOf(use.shop)
    const sql = old.sqlOf(home)
    const within = (call: typeof use.write) => Effect.flip(sql.withTransaction(old.onHost(call)))
    let error: unknown
    const tried = Effect.map(within(use.write), (refusal) => {
      error = refusal
    })
    yield* old.onHost(use.follow)
    yield* before(options(use.shop, near), "clear the source", tried)
    expect(error).toMatchObject({ isRetryable: true, message: expect.stringContaining("roll the transaction back") })
    expect(yield* rowsOf(use.shop, home)).toEqual({})
    yield* onHost(use.check)
  }).pipe(Effect.scoped),
)

it.live("a host that does not know of a move MUST write nothing at the old place, and find its tokens", () =>
  Effect.gen(function* () {
    const { newHost, onHost, options } = yield* newShopMoves()
    const { onHost: onOldHost } = yield* newHost(never)
    const use = yield* onHost(newShopInUse)
    const { far, home } = placesOf(use.shop)
    yield* onOldHost(use.write)
    yield* before(options(use.shop, far), "clear the source", onOldHost(use.write))
    yield* onHost(use.check)
    const { onHost: onOtherOldHost } = yield* newHost(never)
    yield* moveShop(options(use.shop, home))
    const found = yield* onOtherOldHost(TokenStore.use((tokens) => tokens.find(use.token)))
    expect(Option.isSome(found)).toBe(true)
    yield* onOtherOldHost(use.check)
  }).pipe(Effect.scoped),
)

it.live("a shop with rows in two buckets MUST be listed, claimed for and sent notices of once", () =>
  Effect.gen(function* () {
    const { bucket, onHost, options } = yield* newShopMoves()
    const use = yield* onHost(newShopInUse)
    const { far, home } = placesOf(use.shop)
    yield* onHost(use.write)
    const { schema, sql } = bucket(home)
    yield* sql.unsafe(`INSERT INTO ${schema}.notices (shop, id, created_at, body, next_attempt_at, attempts)
VALUES ('${use.shop}', 'n', now(), '{}', now(), 0)`)
    // A claim at the target is thrown away before the switch. Its lease ends.
    let now = someTime
    const notices = NoticeStore.use((store) => {
      now += hour
      return store.claim({ now, limit: 10, leaseUntil: now + minute, token: "t" })
    })
    const seen = Effect.gen(function* () {
      const shops = yield* ShopStore.use(({ list }) => list)
      const secrets = yield* SealedSecrets.use((store) => store.list(null, 1))
      const last = secrets.at(-1) ?? null
      return {
        shops: shops.length,
        secrets: [...secrets, ...(yield* SealedSecrets.use((store) => store.list(last, 1)))].length,
        notices: (yield* notices).length,
        walked: new Set((yield* DeliveryQueue.use((queue) => queue.walk({ now, after: null, limit: 10 }))).shops),
      }
    })
    const found: Array<Effect.Success<typeof seen>> = []
    const look = Effect.map(onHost(seen), (each) => {
      found.push(each)
    })
    yield* moveShop({
      ...options(use.shop, far),
      onStep: (step) => (["switch", "clear the source"].includes(step) ? Effect.orDie(look) : Effect.void),
    })
    expect(found).toEqual([
      // The source is closed, and the target is not open.
      { shops: 1, secrets: 1, notices: 0, walked: new Set([use.shop]) },
      { shops: 1, secrets: 1, notices: 1, walked: new Set([use.shop]) },
    ])
  }).pipe(Effect.scoped),
)

it.live("a host that was stopped during a move MUST read the directory before its next call", () =>
  Effect.gen(function* () {
    const { newHost, onHost, options, rowsOf } = yield* newShopMoves()
    const { onHost: onOldHost } = yield* newHost(never)
    const use = yield* onHost(newShopInUse)
    const { far, home } = placesOf(use.shop)
    yield* onOldHost(use.write)
    yield* moveShop(options(use.shop, far))
    yield* afterStop(onOldHost(use.write))
    expect(yield* rowsOf(use.shop, home)).toEqual({})
    yield* onHost(use.check)
  }).pipe(Effect.scoped),
)

it.live("while a transaction that has written stays open, a shop MUST NOT move, and its calls MUST go on", () =>
  Effect.gen(function* () {
    const { bucket, onHost, options } = yield* newShopMoves()
    const use = yield* onHost(newShopInUse)
    const { far, home } = placesOf(use.shop)
    const { schema, sql } = bucket(home)
    const [tried, ends] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    const steps: Array<string> = []
    const begun = yield* Deferred.make<void>()
    const writer = sql.withTransaction(
      Effect.gen(function* () {
        yield* sql.unsafe(`INSERT INTO ${schema}.removed_shops VALUES ('a', now())`)
        yield* Deferred.succeed(begun, undefined)
        yield* Deferred.await(ends)
      }),
    )
    const moving = yield* Effect.forkChild(
      moveShop({
        ...options(use.shop, far),
        onStep: Effect.fnUntraced(function* (step) {
          steps.push(step)
          if (step !== "announce") return
          if (steps.includes("close")) yield* Deferred.succeed(tried, undefined)
          else yield* Effect.andThen(Effect.forkDetach(writer), Deferred.await(begun))
        }),
      }).pipe(Effect.provideService(References.MinimumLogLevel, "None")),
    )
    yield* Deferred.await(tried)
    yield* onHost(use.write)
    yield* Deferred.succeed(ends, undefined)
    yield* Fiber.join(moving)
    yield* onHost(use.check)
  }).pipe(Effect.scoped),
)
