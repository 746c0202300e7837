import { Effect } from "effect"
import { Inbox } from "../../../../core/ports/Inbox.ts"
import { type DraftsStep, OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { Upkeep } from "../../../../core/ports/Upkeep.ts"
import { equal } from "../../Assertion.ts"
import { calling, onOtherHost } from "../StorageCase.ts"
import { changed, makeDesign, makeInboxItem, makeOrder, makeOrdered, newShop } from "../support/Fixtures.ts"

const hosts = Effect.all([OrderStore, onOtherHost(OrderStore)])

const day = 86_400_000
const unbounded = 1_000_000

const wireOf = (id: string, customizer: number) => JSON.stringify({ id, customizer: { id: customizer } })

/** Drafts: they are listed by when they were last saved, and may end (D86). */
export const draftCases = calling(
  ShopStore,
  OrderStore,
  Inbox,
  Upkeep,
)([
  {
    id: "drafts.list",
    title: "MUST list drafts alone, those saved last first, of a customizer or saved before a time, in pages",
    requirements: ["D86"],
    run: Effect.gen(function* () {
      const [store, other] = yield* hosts
      const [shop, beside] = [yield* newShop, yield* newShop]
      const commit = (...designs: ReadonlyArray<ReturnType<typeof makeDesign>>) =>
        store.commit({ shop, designs, order: null, events: [] })
      const draft = (id: string, customizer: number) => makeDesign(shop, id, { wire: wireOf(id, customizer) })
      const [a, b, c] = [draft("a", 1), draft("b", 2), draft("c", 1)]
      for (const each of [c, a, b]) yield* commit(each)
      // Saved again, it is the first.
      const again = changed(c, { wire: wireOf("c", 1) })
      yield* commit(again)
      const order = makeOrder(shop, "1")
      yield* store.commit({ shop, designs: [makeOrdered(order, "ordered", 0)], order, events: [] })
      const now = (yield* Upkeep.use((upkeep) => upkeep.time)) + 1
      const all = { shop, customizer: null, savedBefore: null, after: null, limit: 10, bytes: unbounded }
      const idsOf = (query: Partial<Parameters<typeof other.drafts>[0]>) =>
        Effect.map(other.drafts({ ...all, ...query }), (found) => found.map(({ id }) => id))
      const found = yield* other.drafts(all)
      yield* equal("the drafts", new Set(found.map(({ wire }) => wire)), new Set([again.wire, a.wire, b.wire]))
      yield* equal("the first", found[0]?.id, "c")
      const times = found.map(({ savedAt }) => savedAt)
      yield* equal(
        "their times",
        times,
        times.toSorted((left, right) => right - left),
      )
      yield* equal("of a customizer", yield* idsOf({ customizer: 1 }), ["c", "a"])
      yield* equal("saved before now", (yield* idsOf({ savedBefore: now })).length, 3)
      yield* equal("of a customizer, saved before now", yield* idsOf({ customizer: 1, savedBefore: now }), ["c", "a"])
      yield* equal("saved before yesterday", yield* idsOf({ savedBefore: now - day }), [])
      const span = (savedFrom: number) => idsOf({ savedFrom, customizer: 1, savedBefore: now })
      yield* equal("saved since the first was", (yield* span(times[0] ?? 0))[0], "c")
      yield* equal("saved since yesterday", yield* span(now - day), ["c", "a"])
      yield* equal("saved from now on", yield* idsOf({ savedFrom: now }), [])
      const [first, second, third] = found
      if (first === undefined || second === undefined || third === undefined) return yield* Effect.die("three drafts")
      yield* equal("a part", yield* idsOf({ limit: 2 }), [first.id, second.id])
      yield* equal("what fits", yield* idsOf({ bytes: 1 }), [first.id])
      yield* equal("the next part", yield* idsOf({ after: { savedAt: second.savedAt, id: second.id } }), [third.id])
      yield* equal("of another shop", yield* idsOf({ shop: beside }), [])
    }),
  },
  {
    id: "drafts.ended",
    title: "MUST find the drafts of all shops that were saved before a time, except those that an event waits for",
    requirements: ["D86"],
    run: Effect.gen(function* () {
      const [store, other] = yield* hosts
      const inbox = yield* Inbox
      const shops = [yield* newShop, yield* newShop].toSorted()
      const [shop = "", beside = ""] = shops
      const ids = ["named", "in a body", "in-a-body", "loose", "freed"]
      for (const each of shops) {
        const designs = ids.map((id) => makeDesign(each, id))
        yield* store.commit({ shop: each, designs, order: null, events: [] })
      }
      const order = makeOrder(shop, "1")
      yield* store.commit({ shop, designs: [makeOrdered(order, "ordered", 0)], order, events: [] })
      const put = (fields: Parameters<typeof makeInboxItem>[1]) => inbox.put(makeInboxItem(shop, fields))
      yield* put({ state: "waiting", designId: "named" })
      yield* put({ state: "unpaid", body: '{"id":"in-a-body"}' })
      const done = makeInboxItem(shop, { state: "failed", body: '{"id":"freed"}' })
      yield* inbox.put(done)
      const now = (yield* Upkeep.use((upkeep) => upkeep.time)) + 1
      const endedBefore = Effect.fnUntraced(function* (savedBefore: number) {
        const found: Array<string> = []
        let after: string | null = null
        do {
          const step: DraftsStep = yield* other.endedDrafts({ savedBefore, after, limit: 2 })
          found.push(...step.found.filter(({ shop }) => shops.includes(shop)).map((draft) => JSON.stringify(draft)))
          after = step.after
        } while (after !== null)
        return found.toSorted()
      })
      const ended = (of: string, ...names: ReadonlyArray<string>) =>
        names.map((id) => JSON.stringify({ shop: of, id, revision: 1 }))
      yield* equal("yesterday", yield* endedBefore(now - day), [])
      const others = ended(beside, ...ids)
      yield* equal("now", yield* endedBefore(now), [...ended(shop, "loose"), ...others].toSorted())
      yield* inbox.apply(shop, done.id, () => Effect.succeed({ state: "applied", reason: null, designId: null }))
      const later = [...ended(shop, "loose", "freed"), ...others].toSorted()
      yield* equal("once an event is done", yield* endedBefore(now), later)
    }),
  },
])
