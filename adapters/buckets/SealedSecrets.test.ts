/** All secrets are listed while shops move, so that no secret keeps an old key when encryption keys change (D20). */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { newShopInUse, newShopMoves, placesOf } from "../../conformance/testkit/databases/MovingShops.ts"
import { type SealedSecret, SealedSecrets } from "../../core/ports/SealedSecrets.ts"
import { moveShop } from "./index.ts"

it.live("a secret whose shop moves between two pages MUST be listed exactly once, wherever it goes", () =>
  Effect.gen(function* () {
    const { onHost, options } = yield* newShopMoves()
    const shops = yield* onHost(
      Effect.forEach(Array.from({ length: 16 }), () => Effect.map(newShopInUse, (use) => use.shop)),
    )
    const move = (shop: string, to: number) => moveShop(options(shop, to))
    const listed: Array<SealedSecret> = []
    const next = Effect.gen(function* () {
      const page = yield* onHost(SealedSecrets.use((secrets) => secrets.list(listed.at(-1) ?? null, 3)))
      listed.push(...page)
      return page
    })
    /** Shops that are not listed yet, and those that are. */
    const unlisted = () => shops.filter((id) => listed.every(({ shop }) => shop !== id))
    const inBucket = (some: ReadonlyArray<string>, number: number) =>
      some.find((shop) => placesOf(shop).home === number)

    yield* next
    // The last shop of this page decides the beginning of the next one.
    const last = listed.at(-1) as SealedSecret
    yield* move(last.shop, placesOf(last.shop).far)
    yield* next
    // Into buckets that a list by place has passed, and into those that it has not reached.
    for (const [from, to] of [
      [3, 0],
      [2, 1],
      [1, 0],
    ] as const) {
      const shop = inBucket(unlisted(), from)
      if (shop !== undefined) yield* move(shop, to)
    }
    const first = inBucket(
      listed.map(({ shop }) => shop),
      0,
    )
    if (first !== undefined) yield* move(first, 3)
    while ((yield* next).length > 0);
    expect(listed.map(({ shop }) => shop).toSorted()).toEqual(shops.toSorted())
    // And back home.
    yield* move(last.shop, placesOf(last.shop).home)
    listed.length = 0
    while ((yield* next).length > 0);
    expect(listed.map(({ shop }) => shop).toSorted()).toEqual(shops.toSorted())
  }).pipe(Effect.scoped),
)
