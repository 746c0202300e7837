/** Shops that move while hosts use them. */
import { expect, it } from "@effect/vitest"
import { Effect, Fiber, References, Schedule } from "effect"
import { newShopInUse, newShopMoves, newWorker, placesOf } from "../../conformance/testkit/databases/MovingShops.ts"
import { random } from "../../conformance/testkit/requests/Draw.ts"
import { moveShop } from "./index.ts"
import { shopTables } from "./shop/ShopTables.ts"

/** Rows of tables that hosts fill seldom, with values that formats spoil easily. */
const oddRows = [
  "removed_shops VALUES (SHOP, '2026-01-01 12:00:00.123+05')",
  "customizers VALUES (SHOP, 9007199254740993, 'a', 'b', 'c', NULL)",
  `customizer_versions VALUES (SHOP, 9007199254740993, 1, E'{"a":\\n "\\\\u0041 \u{1f600} \\t"}', 'infinity')`,
  "designs VALUES (SHOP, 'd''1', 'draft', NULL, 0, now(), E' {\"b\" : 1.50}\\\\', 'e', 1)",
  "orders VALUES (SHOP, '\u00e9\u{1f600}', now(), '', '', 0)",
  "order_counts VALUES (SHOP, 'all', '-infinity', 3), (SHOP, 'hour', '2026-02-03 04:00', 3)",
  "uncounted_orders VALUES (SHOP, '1', now())",
  "unstored_orders VALUES (SHOP, '1', true, false, '2026-01-01 00:00:00.123456+00')",
  "kept_answers VALUES (SHOP, 'k', 'NULL', NULL, true, '2026-01-01 00:00:00.123456+00')",
  "settings_marks VALUES (SHOP, 'epoch \u00e9', 9007199254740993, '2026-01-01 00:00:00.123+00')",
  `inbox VALUES (SHOP, 'inb_1', 'shopify', 'orders/create', NULL, '1', 'place', '2026-01-01 00:00:00.123+00', NULL, '_d',
    now(), ' {"b" : 1.50}', 'failed', NULL, NULL)`,
  `paces VALUES (SHOP, 'whe_1', 1770000000000.125, '{"dlv_1": 1.5}')`,
  "dropped_events VALUES (SHOP, 1)",
  "notices VALUES (SHOP, 'n', now(), '{}', NULL, NULL, NULL, 0)",
]

it.live("a shop MUST move to another database and back with every row, and leave nothing behind", () =>
  Effect.gen(function* () {
    const { bucket, onHost, options, remains, rowsOf } = yield* newShopMoves()
    const { check, shop, write } = yield* onHost(newShopInUse)
    const { work } = yield* newWorker
    yield* onHost(Effect.andThen(Effect.andThen(write, work), write))
    const { far, home, near } = placesOf(shop)
    const { schema, sql } = bucket(home)
    for (const row of oddRows) {
      yield* sql.unsafe(`INSERT INTO ${schema}.${row.replaceAll("SHOP", `'${shop}'`)}`)
    }
    // More than a page, with a key of three columns.
    yield* sql.unsafe(`INSERT INTO ${schema}.received SELECT '${shop}', 'evt_' || i / 7, 'whe_' || i % 7
FROM generate_series(1, 1000) i`)
    const before = yield* rowsOf(shop, home)
    const tables = yield* shopTables(sql, schema)
    expect(Object.keys(before)).toEqual(tables.map(({ name }) => name))
    let from = home
    for (const to of [far, near, home]) {
      expect(yield* moveShop(options(shop, to))).toEqual({ bucket: to, moved: true })
      expect([yield* rowsOf(shop, to), yield* rowsOf(shop, from)]).toEqual([before, {}])
      expect(yield* remains).toEqual([])
      from = to
    }
    expect(yield* moveShop(options(shop, home))).toEqual({ bucket: home, moved: false })
    yield* onHost(check)
  }).pipe(Effect.scoped),
)

it.live("a move beside writers, a reader of the feed and a worker MUST lose nothing and repeat nothing", () =>
  Effect.gen(function* () {
    const { onHost, options, remains } = yield* newShopMoves()
    const use = yield* onHost(newShopInUse)
    const others = yield* onHost(Effect.forEach([1, 2, 3, 4], () => newShopInUse))
    const { far, home, near } = placesOf(use.shop)
    let goesOn = true
    const repeated = (call: typeof use.write) =>
      onHost(call).pipe(Effect.andThen(Effect.sleep("2 millis")), Effect.repeat({ while: () => goesOn }))
    const worker = yield* newWorker
    const shops = [use, ...others]
    const calls = [use.write, use.write, use.follow, worker.work, worker.work, ...others.map(({ write }) => write)]
    const running = yield* Effect.forEach(calls, (call) => Effect.forkChild(repeated(call)))
    for (const to of [far, near, home, near]) yield* moveShop(options(use.shop, to))
    goesOn = false
    yield* Fiber.joinAll(running)
    yield* onHost(worker.work)
    yield* Effect.forEach(shops, ({ check }) => onHost(check))
    expect(worker.settled.toSorted()).toEqual(shops.flatMap(({ events }) => events()).toSorted())
    expect(yield* remains).toEqual([])
  }).pipe(Effect.scoped),
)

it.live("a move whose connections are cut at random MUST be completed by the same command again", () =>
  Effect.gen(function* () {
    const seed = Number(process.env["SEED"] ?? Date.now() % 1_000_000)
    console.log(`SEED=${seed} draws the cuts`)
    const next = random(seed)
    const { cuts, onHost, options, remains } = yield* newShopMoves()
    const use = yield* onHost(newShopInUse)
    const { far, near } = placesOf(use.shop)
    let count = 0
    let goesOn = true
    const writing = yield* Effect.forkChild(
      onHost(use.write).pipe(Effect.andThen(Effect.sleep("2 millis")), Effect.repeat({ while: () => goesOn })),
    )
    const cutting = yield* Effect.suspend(() => Effect.sleep(100 + next() * 200)).pipe(
      Effect.andThen(Effect.suspend(() => Effect.scoped(cuts[Math.floor(next() * 2)] as (typeof cuts)[number]))),
      Effect.repeat({ while: () => goesOn && ++count < 15 }),
      Effect.forkChild,
    )
    const again = { schedule: Schedule.spaced("20 millis"), times: 500 }
    for (const to of [far, near]) yield* Effect.retry(moveShop(options(use.shop, to)), again)
    goesOn = false
    yield* Fiber.joinAll([writing, cutting])
    yield* Effect.retry(moveShop(options(use.shop, near)), again)
    yield* onHost(use.check)
    expect(yield* Effect.retry(remains, again)).toEqual([])
    expect(count).toBeGreaterThan(0)
  }).pipe(Effect.scoped, Effect.provideService(References.MinimumLogLevel, "None")),
)
