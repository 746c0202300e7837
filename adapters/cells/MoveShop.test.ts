/** Shops that move between cells while hosts use them. */
import { expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { newShopInUse, openCells } from "../../conformance/testkit/databases/Cells.ts"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { type MoveProgress, moveShop } from "./index.ts"

const newCells = Effect.flatMap(Effect.all([migratedDatabase, migratedDatabase]), ([source, target]) =>
  openCells(source, target),
)

/** Rows of tables that hosts fill seldom, with values that formats spoil easily. */
const oddRows = [
  "customizers VALUES (SHOP, 9007199254740993, 'a', 'b', 'c', NULL)",
  `customizer_versions VALUES (SHOP, 9007199254740993, 1, E'{"a":\\n "\\\\u0041 \u{1f600} \\t"}', 'infinity')`,
  "designs VALUES (SHOP, 'd''1', 'draft', NULL, 0, now(), E' {\"b\" : 1.50}\\\\', 'e', 1)",
  "orders VALUES (SHOP, '\u00e9\u{1f600}', now(), '', '', 0)",
  "order_counts VALUES (SHOP, 'all', '-infinity', 3), (SHOP, 'hour', '2026-02-03 04:00', 3)",
  "uncounted_orders VALUES (SHOP, '1', now())",
  "unstored_orders VALUES (SHOP, '1', true, false, '2026-01-01 00:00:00.123456+00')",
  "kept_answers VALUES (SHOP, 'k', 'NULL', NULL, true, '2026-01-01 00:00:00.123456+00')",
  "settings_marks VALUES (SHOP, 'epoch \u00e9', 9007199254740993, '2026-01-01 00:00:00.123+00')",
  `paces VALUES (SHOP, 'whe_1', 1770000000000.125, '{"dlv_1": 1.5}')`,
  "dropped_events VALUES (SHOP, 1)",
  "received VALUES (SHOP, 'evt_1', 'whe_1')",
  "notices VALUES (SHOP, 'n', now(), '{}', NULL, NULL, NULL, 0)",
]

it.live("a shop MUST move with every row, be refused by the source, and leave nothing behind (D91)", () =>
  Effect.gen(function* () {
    const { options, remains, routed, rowsOf, source, target } = yield* newCells
    const { check, shop, work, write } = yield* source.onHost(newShopInUse)
    yield* source.onHost(Effect.andThen(Effect.andThen(write, work), write))
    for (const row of oddRows) {
      yield* source.sql.unsafe(`INSERT INTO designwire.${row.replaceAll("SHOP", `'${shop}'`)}`)
    }
    const before = yield* rowsOf(source, shop)
    expect(Object.keys(before)).toEqual(expect.arrayContaining(oddRows.map((row) => row.replace(/ .*/s, ""))))
    const shown: Array<MoveProgress> = []
    const onProgress = (progress: MoveProgress) => Effect.sync(() => void shown.push(progress))
    expect(yield* moveShop({ ...options(shop), onProgress })).toBe(true)
    expect(yield* rowsOf(target, shop)).toEqual(before)
    const { copied, rows } = shown.at(-1) ?? { copied: 0, rows: 0 }
    expect(rows).toBeGreaterThan(oddRows.length)
    expect([copied, shown.filter((each) => each.copied > rows || each.rows !== rows)]).toEqual([rows, []])
    expect(yield* remains).toEqual([])
    expect(yield* Effect.flip(source.onHost(check))).toMatchObject({ message: expect.stringContaining("another cell") })
    expect(yield* Effect.flip(source.onHost(write))).toMatchObject({ message: expect.stringContaining("has moved") })
    yield* routed(check)
    expect(yield* moveShop(options(shop))).toBe(true)
  }).pipe(Effect.scoped),
)

it.live("a shop that is open at the target alone MUST stay as it is, and its move be nothing to do (D92)", () =>
  Effect.gen(function* () {
    const { options, rowsOf, target } = yield* newCells
    const { check, shop } = yield* target.onHost(newShopInUse)
    const before = yield* rowsOf(target, shop)
    expect(yield* moveShop(options(shop))).toBe(false)
    expect(yield* rowsOf(target, shop)).toEqual(before)
    yield* target.onHost(check)
  }).pipe(Effect.scoped),
)

it.live("a move alongside writers, a reader of the feed and a worker MUST lose nothing and repeat nothing (D91)", () =>
  Effect.gen(function* () {
    const { options, remains, routed, source } = yield* newCells
    const use = yield* source.onHost(newShopInUse)
    const other = yield* source.onHost(newShopInUse)
    let goesOn = true
    const repeated = <A, E>(call: Effect.Effect<A, E>) =>
      call.pipe(Effect.andThen(Effect.sleep("2 millis")), Effect.repeat({ while: () => goesOn }))
    const calls = [routed(use.write), routed(use.write), routed(use.follow), source.onHost(other.write)]
    const running = yield* Effect.forEach(calls, (call) => Effect.forkChild(repeated(call)))
    expect(yield* moveShop(options(use.shop))).toBe(true)
    yield* Effect.sleep("300 millis")
    goesOn = false
    yield* Fiber.joinAll(running)
    yield* routed(use.check)
    yield* source.onHost(other.check)
    expect(yield* remains).toEqual([])
  }).pipe(Effect.scoped),
)

it.live("a shop that has just moved MUST move back, and be served there again (D91)", () =>
  Effect.gen(function* () {
    const { options, remains, source, target } = yield* newCells
    const { check, shop, write } = yield* source.onHost(newShopInUse)
    yield* source.onHost(write)
    for (const [from, to] of [
      [source, target],
      [target, source],
      [source, target],
    ] as const) {
      expect(yield* moveShop({ ...options(shop), source: from, target: to })).toBe(true)
      yield* to.onHost(write)
      yield* to.onHost(check)
      expect(yield* Effect.flip(from.onHost(write))).toMatchObject({ message: expect.stringContaining("has moved") })
    }
    expect(yield* remains).toEqual([])
  }).pipe(Effect.scoped),
)
