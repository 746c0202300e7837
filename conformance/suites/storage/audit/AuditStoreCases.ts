import { Effect } from "effect"
import { type AuditEntry, auditRetention } from "../../../../core/model/audit/AuditEntry.ts"
import { compareIds } from "../../../../core/model/Ids.ts"
import { type AuditQuery, AuditStore } from "../../../../core/ports/AuditStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { Upkeep } from "../../../../core/ports/Upkeep.ts"
import { equal } from "../../Assertion.ts"
import { calling, type StorageCase } from "../StorageCase.ts"
import { hostileIds, newShop, someTime, unique } from "../support/Fixtures.ts"
import { outerTransaction } from "../support/OuterTransactions.ts"
import { bothHosts, prune } from "../support/Webhooks.ts"
import { bothAudits, entriesOf, makeEntry, queryOf } from "./Entries.ts"

const newestFirst = (one: AuditEntry, other: AuditEntry) => other.at - one.at || compareIds(other.id, one.id)

const idsOf = (entries: ReadonlyArray<AuditEntry>) => entries.map(({ id }) => id)

/** The contract of `AuditStore`. */
export const auditStoreCases: ReadonlyArray<StorageCase> = calling(
  ShopStore,
  AuditStore,
)([
  {
    id: "audit.list",
    title: "MUST list a shop's own entries as they were given, newest first and then by id, page by page",
    requirements: ["D59"],
    run: Effect.gen(function* () {
      const both = yield* bothAudits
      const shop = yield* newShop
      const other = yield* newShop
      const entries = [5, 1, 5, 3, 5, 2].map((after) => makeEntry(shop, { at: someTime + after }))
      for (const [index, entry] of entries.entries()) yield* both[index % 2 === 0 ? 0 : 1].add(entry)
      yield* both[0].add(makeEntry(other, { at: someTime + 4 }))
      const expected = entries.toSorted(newestFirst)
      for (const audit of both) {
        yield* equal("all", yield* audit.list(queryOf(shop)), expected)
        yield* equal("the newest", yield* audit.list(queryOf(shop, { limit: 2 })), expected.slice(0, 2))
        const paged: Array<AuditEntry> = []
        for (let index = 0; index < entries.length; index += 2) {
          const last = paged.at(-1)
          const after = last === undefined ? null : { at: last.at, id: last.id }
          paged.push(...(yield* audit.list(queryOf(shop, { limit: 2, after }))))
        }
        yield* equal("page by page", paged, expected)
        yield* equal("no shop", yield* audit.list(queryOf("nobody")), [])
      }
    }),
  },
  {
    id: "audit.list.bytes",
    title: "MUST end a list before it has more bytes than it may, but never before its first entry",
    requirements: ["D46", "D59"],
    run: Effect.gen(function* () {
      const audit = yield* AuditStore
      const shop = yield* newShop
      const lengths = [10, 30_000, 30_000, 30_000, 90_000, 10]
      const entries = lengths.map((length, index) =>
        makeEntry(shop, { at: someTime - index, after: { description: "x".repeat(length) } }),
      )
      for (const entry of entries) yield* audit.add(entry)
      const ids = idsOf(entries)
      const list = (fields: Partial<AuditQuery>) => Effect.map(audit.list(queryOf(shop, fields)), idsOf)
      const after = (place: number) => ({ at: someTime - place, id: ids[place] ?? "" })
      yield* equal("all that fit", yield* list({ bytes: 70_000 }), ids.slice(0, 3))
      yield* equal("the next ones", yield* list({ bytes: 70_000, after: after(2) }), ids.slice(3, 4))
      yield* equal("one that is larger than the list", yield* list({ bytes: 70_000, after: after(3) }), ids.slice(4, 5))
      yield* equal("the last", yield* list({ bytes: 70_000, after: after(4) }), ids.slice(5))
      yield* equal("the first", yield* list({ bytes: 0 }), ids.slice(0, 1))
      yield* equal("fewer than fit", yield* list({ bytes: 70_000, limit: 2 }), ids.slice(0, 2))
      yield* equal("all", yield* list({ bytes: 1_000_000 }), ids)
    }),
  },
  {
    id: "audit.list.filter",
    title: "MUST list only entries about a type of things, about one thing, and of a time",
    requirements: ["D59"],
    run: Effect.gen(function* () {
      const audit = yield* AuditStore
      const shop = yield* newShop
      const subjects = [
        { type: "token", id: "a" },
        { type: "endpoint", id: "a" },
        { type: "endpoint", id: "b" },
        { type: "order", id: "a" },
        { type: "endpoint", id: "a" },
      ] as const
      const entries = subjects.map((subject, index) => makeEntry(shop, { at: someTime + index, subject }))
      for (const entry of entries) yield* audit.add(entry)
      const at = (...places: ReadonlyArray<number>) => idsOf(places.map((place) => entries[place] as AuditEntry))
      const endpoint = { type: "endpoint", id: null } as const
      const one = { type: "endpoint", id: "a" } as const
      const after = { at: someTime + 4, id: entries[4]?.id ?? "" }
      const asked = [
        ["of a type", { subject: endpoint }, at(4, 2, 1)],
        ["of a thing", { subject: one }, at(4, 1)],
        ["of a thing that nothing happened to", { subject: { type: "token", id: "b" } }, []],
        ["of a time", { from: someTime + 1, until: someTime + 3 }, at(2, 1)],
        ["of a type, after", { subject: endpoint, after }, at(2, 1)],
        ["of a thing, after and of a time", { subject: one, after, from: someTime + 1, until: someTime + 2 }, at(1)],
      ] as const
      for (const [what, fields, expected] of asked) {
        yield* equal<ReadonlyArray<string>>(what, idsOf(yield* audit.list(queryOf(shop, fields))), expected)
      }
    }),
  },
  {
    id: "audit.texts",
    title: "MUST keep ids and fields of any text, and find entries by them",
    requirements: ["D59"],
    run: Effect.gen(function* () {
      const [first, second] = yield* bothAudits
      const shop = yield* newShop
      const texts = { quoted: `a"b'c\\`, hidden: "\u202egnp\u202c", tags: "<script>", long: "€".repeat(2_048) }
      const entries = hostileIds.map((id, index) =>
        makeEntry(shop, {
          at: someTime + index,
          subject: { type: "order", id },
          before: { ...texts, list: [id, ""] },
          after: { none: null, number: -1, flag: false },
        }),
      )
      for (const entry of entries) yield* first.add(entry)
      yield* equal("all", yield* second.list(queryOf(shop)), entries.toReversed())
      for (const entry of entries) {
        const found = yield* second.list(queryOf(shop, { subject: { type: "order", id: entry.subject.id } }))
        yield* equal(`about ${JSON.stringify(entry.subject.id)}`, idsOf(found), [entry.id])
      }
    }),
  },
  {
    id: "audit.prune",
    ports: [ShopStore, AuditStore, Upkeep],
    title: "MUST keep entries for 400 days, and drop older ones",
    requirements: ["D59"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const shops = yield* Effect.replicateEffect(newShop, 8)
      // So long ago that no other case has entries of the time.
      const now = auditRetention + 5_000
      for (const shop of shops) {
        const audit = yield* AuditStore
        for (const at of [4_999, 5_000, 5_001]) yield* audit.add(makeEntry(shop, { at, id: `aud_${at}_${unique(8)}` }))
      }
      yield* prune(both, { keep: 50, eventsBefore: 0, now, limit: 7 })
      for (const shop of shops) {
        yield* equal(
          "what is left",
          (yield* entriesOf(shop)).map(({ at }) => at),
          [5_001, 5_000],
        )
      }
    }),
  },
  {
    id: "audit.add.transaction",
    title: "MUST add an entry with an outer transaction, or not at all",
    requirements: ["D59"],
    needs: ["transaction"],
    run: Effect.gen(function* () {
      const audit = yield* AuditStore
      const shop = yield* newShop
      const transaction = yield* outerTransaction
      const [kept, undone] = [makeEntry(shop), makeEntry(shop)]
      yield* Effect.flip(transaction.run(Effect.andThen(audit.add(undone), Effect.fail("given up"))))
      yield* transaction.run(audit.add(kept))
      yield* equal("entries", yield* audit.list(queryOf(shop)), [kept])
    }),
  },
])
