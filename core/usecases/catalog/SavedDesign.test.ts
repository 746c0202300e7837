/** A design that is saved (§2.1, §3, D4, D5, D7, D38). */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { someTime } from "../../../conformance/suites/storage/support/Fixtures.ts"
import { makeWorld } from "../../../conformance/testkit/workers/TestWorker.ts"
import type { Definition } from "../../model/catalog/Definition.ts"
import type { DesignInput } from "../../model/catalog/Design.ts"
import { format } from "../../model/Instant.ts"
import { maximumSelection } from "../../model/json/JsonSize.ts"
import { OrderStore } from "../../ports/OrderStore.ts"
import { etagOf } from "../../support/Etag.ts"
import { putShop } from "../shops/ManageShops.ts"
import { publishCustomizer } from "./PublishCustomizer.ts"
import { putCustomizer } from "./PutCustomizer.ts"
import { readDesign } from "./ReadDesign.ts"
import { ImageUrls, saveDesign } from "./SaveDesign.ts"

const ring = { customizerId: 101, selection: { metal: "silver", size: "s54", engrave: "no" }, basePrice: 12_900 }

/** A definition with these views in this order. */
const viewed = (...views: ReadonlyArray<string>): Definition => ({
  schemaVersion: 1,
  steps: views.map((view) => ({ id: view, title: view, view })) as unknown as Definition["steps"],
  questions: [],
  rules: [],
})

describe("A design that is saved", () => {
  it.effect("MUST be a draft of the published version, with one event that has its bytes (§6, D5, D17)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const { created, design } = yield* world.save("a")
      expect(created).toBe(true)
      expect(design.value).toMatchObject({
        id: "a",
        status: "draft",
        customizer: { id: 101, title: "Signet ring", version: 1 },
        order: null,
        selection: ring.selection,
        price: { total: 12_900, currency: "EUR" },
        thumbnail: "https://images.example.com/i/designs/a/front_thumb.png",
        createdAt: format(someTime),
        orderedAt: null,
      })
      expect(design.etag).toBe(yield* world.run(etagOf(design.text)))
      expect(yield* world.run(readDesign(world.shop, "a"))).toEqual(design)
      expect(world.events).toEqual([
        {
          shop: world.shop,
          id: expect.stringMatching(/^evt_[0-9A-Za-z]{22}$/),
          event: "design.created",
          subject: { order: null, design: "a" },
          trace: null,
          test: false,
          createdAt: someTime,
          body: expect.stringContaining(`"data":{"design":${design.text}},"test":false}`),
        },
      ])
    }),
  )

  it.effect("MUST be a new revision each time, without an event, and have the current price", () =>
    Effect.gen(function* () {
      const { events, run, save, shop } = yield* makeWorld()
      yield* save("a")
      const again = yield* run(saveDesign(shop, "a", { ...ring, basePrice: 100 }))
      expect([again.created, again.design.value.price.total]).toEqual([false, 100])
      yield* save("a")
      const [kept] = yield* run(OrderStore.use((orders) => orders.designs(shop, ["a"])))
      expect(kept).toMatchObject({ revision: 3, status: "draft", orderId: null })
      expect(events).toHaveLength(1)
    }),
  )

  it.effect("MUST get an id of its own if none is given, and keep a given time (D4, D9)", () =>
    Effect.gen(function* () {
      const { run, shop } = yield* makeWorld()
      const { design } = yield* run(saveDesign(shop, undefined, { ...ring, createdAt: "2026-01-02T03:04:05+01:00" }))
      const { createdAt, id } = design.value
      expect(id).toMatch(/^dsn_[0-9A-Za-z]{22}$/)
      expect(createdAt).toBe("2026-01-02T02:04:05.000+00:00")
      expect(yield* run(readDesign(shop, id))).toEqual(design)
    }),
  )

  it.effect("MUST be refused with the reason, and then not be stored", () =>
    Effect.gen(function* () {
      const { events, run, shop } = yield* makeWorld()
      const save = (id: string, input: unknown) => Effect.flip(run(saveDesign(shop, id, input as DesignInput)))
      const oversize = { engrave: "x".repeat(maximumSelection - '{"engrave":""}'.length) }
      for (const [refusal, tag, path] of [
        [save("\0", ring), "InvalidInput", "id"],
        [save("a", { ...ring, basePrice: -1 }), "InvalidInput", "basePrice"],
        [save("a", { ...ring, selection: { metal: "no" } }), "Refused", "metal"],
        // 64 KiB are allowed.
        [save("a", { ...ring, selection: oversize }), "Refused", "engrave"],
      ] as const) {
        const refused = yield* refusal
        expect(refused).toMatchObject({ _tag: tag, problems: expect.any(Array) })
        expect("problems" in refused ? refused.problems.map((problem) => problem.path) : []).toContain(path)
      }
      expect((yield* Effect.flip(run(readDesign(shop, "a"))))._tag).toBe("NotFound")
      expect(events).toEqual([])
    }),
  )

  it.effect("MUST have the addresses that an embedder provides, by the views of its version (D7)", () =>
    Effect.gen(function* () {
      const { run, shop } = yield* makeWorld()
      yield* run(publishCustomizer(shop, 101, { definition: viewed("left", "right") }))
      const { design } = yield* run(
        Effect.provideService(
          saveDesign(shop, "a", { customizerId: 101, selection: {}, basePrice: 1 }),
          ImageUrls,
          ({ id }, design, views) => ({
            images: Object.fromEntries(views.map((view) => [view, `https://own.example/${design}/${view}`])),
            thumbnail: `https://own.example/${id}`,
          }),
        ),
      )
      expect([design.value.images, design.value.thumbnail]).toEqual([
        { left: "https://own.example/a/left", right: "https://own.example/a/right" },
        `https://own.example/${shop}`,
      ])
    }),
  )

  it.effect("MUST keep its thumbnail as long as the first view stays, in any version or customizer (D7)", () =>
    Effect.gen(function* () {
      const { run, shop } = yield* makeWorld()
      const publish = (id: number, ...views: ReadonlyArray<string>) =>
        run(publishCustomizer(shop, id, { definition: viewed(...views) }))
      const move = (base: string) =>
        run(putShop(shop, { domain: "shop.example.com", currency: "EUR", imageBase: `https://${base}.example` }))
      const thumbnail = (customizerId: number, id = "a") =>
        Effect.map(
          run(saveDesign(shop, id, { customizerId, selection: {}, basePrice: 1 })),
          ({ design }) => design.value.thumbnail,
        )
      yield* run(
        putCustomizer(shop, 102, {
          title: "Other",
          platformProductId: "gid://p/Product/2",
          assetBase: "https://a.example",
        }),
      )
      yield* publish(101, "front", "back")
      for (const first of ["front", "top", "side"]) yield* publish(102, first)
      yield* move("first")
      const given = yield* thumbnail(101)
      expect(given).toBe("https://first.example/designs/a/front_thumb.png")
      yield* move("second")
      yield* publish(101, "front", "top")
      expect(yield* thumbnail(101)).toBe(given)
      // Both customizers are at version 3.
      expect(yield* thumbnail(102)).toBe("https://second.example/designs/a/side_thumb.png")
      yield* move("third")
      yield* publish(101, "side")
      expect(yield* thumbnail(101)).toBe("https://second.example/designs/a/side_thumb.png")
      yield* publish(101, "front")
      expect(yield* thumbnail(101)).toBe("https://third.example/designs/a/front_thumb.png")
      yield* TestClock.adjust(1)
      expect(yield* thumbnail(101)).toBe("https://third.example/designs/a/front_thumb.png")
    }),
  )
})
