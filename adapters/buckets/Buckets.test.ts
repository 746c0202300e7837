/** What buckets add to the storage ports: the directory, refusals, databases that are down. */
import { expect, it } from "@effect/vitest"
import { Effect, Fiber, Option, type Scope } from "effect"
import type { SqlClient } from "effect/sql"
import { describe } from "vitest"
import { makeShop, makeToken, someTime, unique } from "../../conformance/suites/storage/support/Fixtures.ts"
import { inTurn } from "../../conformance/suites/storage/support/TurnQueue.ts"
import { advance, createEndpoint, happen, request, success } from "../../conformance/suites/storage/support/Webhooks.ts"
import { newDatabases, newDeployment, openDatabases } from "../../conformance/testkit/databases/BucketDatabases.ts"
import { whenRead } from "../../conformance/testkit/databases/WhenRead.ts"
import { DeliveryLog } from "../../core/ports/DeliveryLog.ts"
import { DeliveryQueue, type Walked } from "../../core/ports/DeliveryQueue.ts"
import { NoticeStore } from "../../core/ports/NoticeStore.ts"
import { SealedSecrets } from "../../core/ports/SealedSecrets.ts"
import { ShopStore } from "../../core/ports/ShopStore.ts"
import type { StorageError } from "../../core/ports/StorageError.ts"
import type { StoragePorts } from "../../core/ports/StoragePorts.ts"
import { TokenStore } from "../../core/ports/TokenStore.ts"
import { Upkeep } from "../../core/ports/Upkeep.ts"
import * as Buckets from "./index.ts"

/** Two databases with a bucket each. */
const twoBuckets = newDeployment(["first", "second"], 2)

/** An id of a shop in one of two buckets. */
const idIn = (bucket: 0 | 1): string => {
  while (true) {
    const id = unique(12)
    if (Buckets.hashOf(id) % 2 === bucket) return id
  }
}

type Wires = Effect.Success<typeof twoBuckets>

/** Runs an effect on a host of its own. */
const onHost = <A, E>(
  wires: Wires,
  effect: (
    sql: Readonly<Record<"first" | "second", SqlClient.SqlClient>>,
  ) => Effect.Effect<A, E, StoragePorts | Scope.Scope>,
) =>
  Effect.scoped(
    Effect.flatMap(openDatabases(wires, 2), ({ databases, deployment }) =>
      Effect.provide(
        effect(deployment.databases as Readonly<Record<"first" | "second", SqlClient.SqlClient>>),
        Buckets.layer({ databases }),
        { local: true },
      ),
    ),
  )

/** A shop in a bucket, with an endpoint, a token and a due delivery. */
const newShop = Effect.fnUntraced(function* (bucket: 0 | 1) {
  const shop = makeShop({ id: idIn(bucket) })
  yield* ShopStore.use((shops) => shops.put(shop))
  const endpoint = yield* createEndpoint(shop.id)
  const token = makeToken(shop.id)
  yield* TokenStore.use((tokens) => tokens.add(token, 100))
  yield* happen(shop.id)
  return { shop, endpoint, token }
})

const countOf = (sql: SqlClient.SqlClient, table: string) =>
  Effect.map(sql.unsafe<{ count: number }>(`SELECT count(*)::int4 AS count FROM ${table}`), ([row]) => row?.count)

describe("the hash of a shop", () => {
  it("MUST be 32-bit FNV-1a of its UTF-8, for good", () => {
    expect(["", "a", "foobar", "ä"].map(Buckets.hashOf)).toEqual([0x811c9dc5, 0xe40c292c, 0xbf9cf968, 0x199de0e2])
  })
})

it.live("a shop MUST be in the bucket of its hash and nowhere else, unless the directory names another", () =>
  Effect.gen(function* () {
    const wires = yield* twoBuckets
    yield* onHost(wires, (sql) =>
      Effect.gen(function* () {
        yield* newShop(0)
        expect(yield* countOf(sql.first, "designwire_00.shops")).toBe(1)
        expect(yield* countOf(sql.second, "designwire_01.shops")).toBe(0)
        yield* newShop(1)
        expect(yield* countOf(sql.second, "designwire_01.shops")).toBe(1)
      }),
    )
    const id = idIn(0)
    yield* onHost(wires, ({ first }) => first`INSERT INTO designwire_directory.shops (shop, bucket) VALUES (${id}, 1)`)
    yield* onHost(wires, ({ second }) =>
      Effect.gen(function* () {
        yield* ShopStore.use((shops) => shops.put(makeShop({ id })))
        expect(yield* countOf(second, "designwire_01.shops")).toBe(2)
      }),
    )
  }).pipe(Effect.scoped),
)

it.live("a call that a bucket refuses because it has moved MUST be made at its new place, once that is known", () =>
  Effect.gen(function* () {
    const wires = yield* twoBuckets
    yield* onHost(wires, ({ first, second }) =>
      Effect.gen(function* () {
        const shops = yield* ShopStore
        const shop = makeShop({ id: idIn(0) })
        yield* shops.put(shop)
        // A move as commands make it: the old place is closed, the new one has the same content, the directory changes.
        yield* first`INSERT INTO designwire_directory.moves (bucket, source, target, phase)
VALUES (0, 'first', 'second', 'switching')`
        yield* first`ALTER SCHEMA designwire_00 RENAME TO designwire_00_closed`
        yield* second`ALTER SCHEMA designwire_01 RENAME TO designwire_00`
        yield* second`INSERT INTO designwire_00.shops (id, domain, currency, plan, rounding_step, image_base)
VALUES (${shop.id}, 'moved.example.com', 'EUR', 'pro', 1, 'https://img.example.com')`
        const waiting = yield* Effect.forkScoped(shops.find(shop.id))
        // Refused, the call reads the directory, and again because the bucket is still being moved.
        yield* whenRead(first, "designwire_directory.moves", Effect.void)
        yield* whenRead(
          first,
          "designwire_directory.moves",
          Effect.gen(function* () {
            expect(waiting.pollUnsafe()).toBeUndefined()
            yield* first`UPDATE designwire_directory.buckets SET database = 'second', epoch = epoch + 1 WHERE bucket = 0`
            yield* first`DELETE FROM designwire_directory.moves WHERE bucket = 0`
          }),
        )
        expect(Option.getOrThrow(yield* Fiber.join(waiting)).domain).toBe("moved.example.com")
      }),
    )
  }).pipe(Effect.scoped),
)

it.live("a call within a transaction MUST be part of it in its database, and be refused in another's (D23)", () =>
  Effect.gen(function* () {
    const wires = yield* twoBuckets
    yield* onHost(wires, ({ first, second }) =>
      Effect.gen(function* () {
        const shops = yield* ShopStore
        const [mine, theirs] = [makeShop({ id: idIn(0) }), makeShop({ id: idIn(1) })]
        const both = Effect.andThen(shops.put(mine), Effect.exit(shops.put(theirs)))
        const refused = yield* Effect.exit(first.withTransaction(Effect.flatten(both)))
        expect(String(refused)).toContain("no transaction spans two databases. Nothing was stored")
        expect([yield* shops.find(mine.id), yield* shops.find(theirs.id)]).toEqual([Option.none(), Option.none()])
        yield* second.withTransaction(shops.put(theirs))
        expect(yield* shops.find(theirs.id)).toEqual(Option.some(theirs))
      }),
    )
  }).pipe(Effect.scoped),
)

/** A step of a walk. */
const step = { now: someTime, after: null, limit: 10 }

/** Clears all buckets; returns whether that came to an end. */
const pruned = Effect.fnUntraced(function* (upkeep: Upkeep["Service"]) {
  let after: string | null = null
  for (let steps = 0; steps < 1_000; steps++) {
    after = yield* upkeep.prune({ keep: 50, eventsBefore: 0, now: 0, limit: 10, after })
    if (after === null) return true
  }
  return false
})

it.live("while a database fails, shops of other databases MUST be served as before (D45)", () =>
  Effect.gen(function* () {
    const wires = yield* twoBuckets
    yield* onHost(wires, () =>
      Effect.gen(function* () {
        const [shops, tokens, queue] = [yield* ShopStore, yield* TokenStore, inTurn(yield* DeliveryQueue)]
        const [log, upkeep, notices] = [yield* DeliveryLog, yield* Upkeep, yield* NoticeStore]
        const [mine, theirs] = [yield* newShop(0), yield* newShop(1)]
        yield* wires.second.cut
        expect(yield* shops.find(mine.shop.id)).toEqual(Option.some(mine.shop))
        expect(yield* Effect.flip(shops.find(theirs.shop.id))).toMatchObject({ isRetryable: true })
        expect(Option.isSome(yield* tokens.find(mine.token.digest))).toBe(true)
        expect(yield* Effect.flip(tokens.find(theirs.token.digest))).toMatchObject({ isRetryable: true })
        // The directory knows that no database has it.
        expect(yield* tokens.find(unique(64))).toEqual(Option.none())
        expect((yield* queue.walk(step)).shops).toEqual([mine.shop.id])
        for (const found of [[mine.shop.id], [], []]) {
          expect((yield* queue.claim(request())).map(({ shop }) => shop)).toEqual(found)
        }
        const named = { newcomer: [theirs.shop.id], troubled: [], proven: [] }
        const claim = DeliveryQueue.use((store) => store.claim({ ...request(), shops: named }))
        expect(yield* claim).toEqual([])
        expect(yield* notices.claim({ now: someTime, limit: 1, leaseUntil: someTime + 1, token: "t" })).toEqual([])
        expect(yield* log.list(mine.shop.id, mine.endpoint.id, 50)).toHaveLength(1)
        expect(yield* pruned(upkeep)).toBe(true)
        expect(yield* Effect.flip(shops.list)).toMatchObject({ _tag: "StorageError" })
        expect(yield* Effect.flip(upkeep.statistics(someTime))).toMatchObject({ _tag: "StorageError" })
      }),
    )
  }).pipe(Effect.scoped),
)

it.live("a directory that can't be read MUST NOT look like a deployment without shops", () =>
  Effect.gen(function* () {
    const wires = yield* newDatabases(["first"])
    const { databases, deployment } = yield* openDatabases(wires, 2)
    yield* Effect.gen(function* () {
      const shops = yield* ShopStore
      const [queue, upkeep, notices] = [yield* DeliveryQueue, yield* Upkeep, yield* NoticeStore]
      const [secrets, shop] = [yield* SealedSecrets, makeShop()]
      const calls: ReadonlyArray<Effect.Effect<unknown, StorageError>> = [
        ...[shops.list, shops.find(shop.id), queue.walk(step), upkeep.statistics(someTime), secrets.list(null, 1)],
        notices.claim({ now: someTime, limit: 1, leaseUntil: someTime + 1, token: "t" }),
      ]
      for (const call of calls) {
        expect((yield* Effect.flip(call)).message).toContain('run "designwire migrate"')
      }
      yield* Buckets.migrate(deployment)
      yield* shops.put(shop)
      expect(yield* shops.list).toEqual([shop])
    }).pipe(Effect.provide(Buckets.layer({ databases }), { local: true }))
  }).pipe(Effect.scoped),
)

it.live(
  "settling MUST be done in the working databases, fail if one doesn't work, and be completed when repeated",
  () =>
    Effect.gen(function* () {
      const wires = yield* twoBuckets
      yield* onHost(wires, () =>
        Effect.gen(function* () {
          const [queue, log] = [inTurn(yield* DeliveryQueue), yield* DeliveryLog]
          const shops = [yield* newShop(1), yield* newShop(0), yield* newShop(1)]
          const claims = yield* queue.claim(request())
          const settlements = shops
            .flatMap(({ shop }) => claims.filter((claim) => claim.shop === shop.id))
            .map((claim) => success(claim))
          const statuses = Effect.forEach(shops, ({ endpoint, shop }) =>
            Effect.map(log.list(shop.id, endpoint.id, 1), ([delivery]) => delivery?.status),
          )
          yield* Effect.scoped(
            Effect.andThen(
              wires.second.cut,
              Effect.map(Effect.flip(queue.settle(settlements, advance)), (error) =>
                expect(error).toMatchObject({ isRetryable: true }),
              ),
            ),
          )
          // The connection that was cut is noticed by the next statement over it.
          expect(yield* Effect.retry(statuses, { times: 3 })).toEqual(["pending", "succeeded", "pending"])
          expect(yield* queue.settle(settlements, advance)).toEqual([true, false, true])
          expect(yield* statuses).toEqual(["succeeded", "succeeded", "succeeded"])
        }),
      )
    }).pipe(Effect.scoped),
)

it.live("the directory MUST name the shop of a token as long as it is stored, and not a moment less (D18)", () =>
  Effect.gen(function* () {
    const wires = yield* twoBuckets
    yield* onHost(wires, ({ first, second }) =>
      Effect.gen(function* () {
        const [shops, tokens] = [yield* ShopStore, yield* TokenStore]
        const { shop, token } = yield* newShop(1)
        const entered = countOf(first, "designwire_directory.tokens")
        expect([yield* tokens.find(token.digest), yield* entered]).toMatchObject([{ _tag: "Some" }, 1])
        // An outer transaction may be rolled back.
        yield* Effect.exit(second.withTransaction(Effect.andThen(tokens.revoke(shop.id, token.id), Effect.fail("no"))))
        expect([yield* tokens.find(token.digest), yield* entered]).toMatchObject([{ _tag: "Some" }, 1])
        yield* tokens.revoke(shop.id, token.id)
        expect([yield* tokens.find(token.digest), yield* entered]).toEqual([Option.none(), 0])
        yield* tokens.add(token, 100)
        expect([yield* tokens.find(token.digest), yield* entered]).toMatchObject([{ _tag: "Some" }, 1])
        expect(yield* shops.remove({ shop: shop.id, now: someTime, limit: 1000 })).toBe(true)
        expect([yield* tokens.find(token.digest), yield* entered]).toEqual([Option.none(), 0])
      }),
    )
  }).pipe(Effect.scoped),
)

it.live("walks and clearing MUST reach every bucket, however many there are", () =>
  Effect.gen(function* () {
    const wires = yield* newDeployment(["first"], 70)
    yield* Effect.gen(function* () {
      const { databases } = yield* openDatabases(wires, 70)
      yield* Effect.gen(function* () {
        const queue = yield* DeliveryQueue
        const inBucket = new Map<number, string>()
        while (inBucket.size < 70) {
          const id = unique(12)
          inBucket.set(Buckets.hashOf(id) % 70, id)
        }
        const due = [0, 1, 63, 64, 69].map((bucket) => inBucket.get(bucket) ?? "")
        for (const id of due) {
          yield* ShopStore.use((shops) => shops.put(makeShop({ id })))
          yield* createEndpoint(id)
          yield* happen(id)
        }
        const found: Array<string> = []
        let after: string | null = null
        let steps = 0
        do {
          const walked: Walked = yield* queue.walk({ ...step, after })
          found.push(...walked.shops)
          after = walked.after
          steps++
        } while (after !== null)
        expect([found.toSorted(), steps]).toEqual([due.toSorted(), 2])

        expect(yield* pruned(yield* Upkeep)).toBe(true)
      }).pipe(Effect.provide(Buckets.layer({ databases }), { local: true }))
    }).pipe(Effect.scoped)
  }).pipe(Effect.scoped),
)
