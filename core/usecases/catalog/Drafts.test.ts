/** Drafts that nobody orders (D86). */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { receive, shopifyWith } from "../../../conformance/testkit/workers/PlatformEvents.ts"
import { makeWorld } from "../../../conformance/testkit/workers/TestWorker.ts"
import { redacted } from "../../rules/orders/Redaction.ts"
import { listEvents } from "../events/ReadEvents.ts"
import { endDrafts, listDrafts } from "./Drafts.ts"
import { publishCustomizer } from "./PublishCustomizer.ts"
import { saveDesign } from "./SaveDesign.ts"

const day = 86_400_000

it.effect("drafts MUST be listed in pages, those saved last first, by customizer and by age (D86)", () =>
  Effect.gen(function* () {
    const { run, save, shop } = yield* makeWorld()
    for (const id of ["a", "b/ü%", "c", "a"]) {
      yield* save(id)
      yield* TestClock.adjust("1 day")
    }
    const idsOf = (input: Parameters<typeof listDrafts>[1]) =>
      Effect.map(run(listDrafts(shop, input)), ({ data, pagination }) => ({
        ids: data.map(({ design }) => design.id),
        after: pagination.nextCursor,
      }))
    const all = yield* run(listDrafts(shop))
    expect(all.data.map(({ design }) => design.id)).toEqual(["a", "c", "b/ü%"])
    expect(all.pagination.nextCursor).toBeNull()
    const first = yield* idsOf({ limit: 1 })
    expect(first.ids).toEqual(["a"])
    const second = yield* idsOf({ limit: 2, after: first.after ?? "" })
    expect(second).toEqual({ ids: ["c", "b/ü%"], after: null })
    expect((yield* idsOf({ savedBefore: all.data[0]?.savedAt ?? "" })).ids).toEqual(["c", "b/ü%"])
    expect((yield* idsOf({ customizer: "101" })).ids).toHaveLength(3)
    expect((yield* idsOf({ customizer: "102" })).ids).toEqual([])
    for (const input of [{ status: "ordered" }, { customizer: "x" }, { after: "1.%" }, { savedBefore: "soon" }]) {
      expect(yield* Effect.flip(run(listDrafts(shop, input)))).toMatchObject({ _tag: "InvalidInput" })
    }
    expect(yield* Effect.flip(run(listDrafts("nobody")))).toMatchObject({ _tag: "NotFound" })
  }),
)

it.effect(
  "drafts MUST end once nobody has saved them again for the time, with their texts, and nothing else (D86)",
  () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const { order, run, save, shop } = world
      for (const id of ["old", "again", "waited"]) yield* save(id)
      yield* order("1", ["bought"])
      const unpaid = { ...shopifyWith(["waited"]), financial_status: "pending" }
      expect(yield* receive(world, "orders/create", { ...unpaid, id: 9 })).toMatchObject({ state: "unpaid" })
      yield* TestClock.adjust("60 days")
      yield* save("again")
      expect(yield* run(endDrafts(90 * day))).toBe(0)
      yield* TestClock.adjust("31 days")
      expect(yield* run(endDrafts(90 * day))).toBe(1)
      const left = yield* run(listDrafts(shop))
      expect(left.data.map(({ design }) => design.id)).toEqual(["again", "waited"])
      expect(yield* run(endDrafts(90 * day))).toBe(0)
    }),
)

it.effect("the end of a draft MUST remove its buyer's texts from kept events (D86, D43)", () =>
  Effect.gen(function* () {
    const { run, shop } = yield* makeWorld()
    const questions = [{ id: "line", step: "s", type: "text", title: "Line" }] as const
    const definition = {
      schemaVersion: 1,
      steps: [{ id: "s", title: "S", view: "front" }],
      questions,
      rules: [],
    } as const
    yield* run(publishCustomizer(shop, 101, { definition }))
    const selection = { line: { text: "From Ada" } }
    yield* run(saveDesign(shop, "a", { customizerId: 101, selection, basePrice: 100 }))
    const feed = Effect.map(run(listEvents(shop)), ({ page }) => page.text)
    expect(yield* feed).toContain("From Ada")
    yield* TestClock.adjust("90 days")
    yield* TestClock.adjust(1)
    expect(yield* run(endDrafts(90 * day))).toBe(1)
    expect(yield* feed).toContain(redacted)
    expect(yield* feed).not.toContain("From Ada")
    expect((yield* run(listDrafts(shop))).data).toEqual([])
  }),
)
