import { Effect, Option, Result } from "effect"
import { neverAsked, nothingGiven, type PlatformRecord } from "../../../../core/model/ingest/PlatformConnection.ts"
import { AuditStore } from "../../../../core/ports/AuditStore.ts"
import { Inbox, type PlatformPlace } from "../../../../core/ports/Inbox.ts"
import { NoticeStore } from "../../../../core/ports/NoticeStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import * as AuditRules from "../../../../core/rules/audit/AuditRules.ts"
import { disconnectionOf } from "../../../../core/rules/webhooks/NoticeRules.ts"
import { equal, failsWith, holds, none } from "../../Assertion.ts"
import { entriesOf, newOccasion } from "../audit/Entries.ts"
import { calling, onOtherHost } from "../StorageCase.ts"
import { makePlatform, newShop, retrying, someTime, unique } from "../support/Fixtures.ts"
import { outerTransaction } from "../support/OuterTransactions.ts"

const hosts = Effect.all([Inbox, onOtherHost(Inbox)])

/** Stores a connection as it is. */
const putting = (inbox: Inbox["Service"], record: PlatformRecord) =>
  retrying(inbox.updatePlatform(record.shop, record.platform, () => Result.succeed(record)))

/** The connection with a domain. */
const at = (inbox: Inbox["Service"], platform: PlatformRecord["platform"], domain: string) =>
  Effect.map(inbox.platforms({ platform, domain }), ([found]) => Option.fromUndefinedOr(found))

const everything = (shop: string): PlatformRecord => ({
  ...makePlatform(shop),
  former: { secret: unique(), until: someTime + 1 },
  accessKey: unique(),
  settings: {
    ...{ property: "Entwurf-Nr. \u{1f600}", placed: ["paid", "wc-geprüft"], payLater: [], tests: true },
    ...{ done: null, reorderCopies: false },
  },
  disconnectedAt: someTime + 2,
  dueAt: someTime + 3,
  reconciling: {
    ...{ askedAt: someTime, run: { startedAt: someTime + 1, from: someTime }, checked: "Nr. \u{1f600}" },
    trouble: { kind: "key", reason: "refused", since: someTime },
    ...{ webhooks: ["orders/create", "orders/updated"], missing: ["orders/updated"] },
  },
})

/** Connections of shops to platforms (D87). */
export const platformCases = calling(
  ShopStore,
  Inbox,
)([
  {
    id: "platforms.put",
    title: "MUST store connections with all that they have, for every host, apart by shop and platform",
    requirements: ["D87"],
    run: Effect.gen(function* () {
      const [inbox, other] = yield* hosts
      const [shop, neighbour] = [yield* newShop, yield* newShop]
      yield* equal("none", yield* inbox.platforms({ shop }), [])
      const [shopify, woo] = [everything(shop), makePlatform(shop, { platform: "woocommerce", secret: null })]
      for (const record of [woo, shopify]) yield* equal("stored", yield* putting(inbox, record), Option.some(record))
      yield* equal("the shop's", yield* other.platforms({ shop }), [shopify, woo])
      yield* equal("of another shop", yield* other.platforms({ shop: neighbour }), [])
      yield* equal("found", yield* at(other, "shopify", shopify.domain), Option.some(shopify))
      yield* none("on the other platform", yield* at(other, "woocommerce", shopify.domain))
      const next = makePlatform(shop, { settings: { ...nothingGiven, placed: [] }, changedAt: someTime + 3 })
      yield* equal("replaced", yield* putting(other, next), Option.some(next))
      yield* equal("since", yield* inbox.platforms({ shop }), [next, woo])
      yield* none("at the former domain", yield* at(inbox, "shopify", shopify.domain))
    }),
  },
  {
    id: "platforms.update",
    title: "MUST change a connection by what is stored, keep it if the change fails, and remove it",
    requirements: ["D87"],
    run: Effect.gen(function* () {
      const [inbox, other] = yield* hosts
      const shop = yield* newShop
      const record = makePlatform(shop)
      const seen: Array<PlatformRecord | null> = []
      const update = (result: Result.Result<PlatformRecord | null, "no">) =>
        inbox.updatePlatform(shop, "shopify", (before) => {
          seen.push(before)
          return result
        })
      yield* retrying(update(Result.succeed(record)))
      yield* equal("the failure", yield* Effect.flip(update(Result.fail("no"))), "no")
      yield* equal("kept", yield* other.platforms({ shop }), [record])
      yield* none("removed", yield* update(Result.succeed(null)))
      yield* none("removed again", yield* update(Result.succeed(null)))
      yield* equal("before each", seen, [null, record, record, null])
      yield* equal("none left", yield* other.platforms({ shop }), [])
    }),
  },
  {
    id: "platforms.domain",
    title: "MUST give a domain to one shop, even if calls race, and free it with the connection",
    requirements: ["D87"],
    rounds: 5,
    run: Effect.gen(function* () {
      const [inbox, other] = yield* hosts
      const shops = [yield* newShop, yield* newShop, yield* newShop]
      const { domain } = makePlatform("any")
      const results = yield* Effect.forEach(
        shops,
        (shop, index) => Effect.result(putting(index === 1 ? other : inbox, makePlatform(shop, { domain }))),
        { concurrency: "unbounded" },
      )
      const won = results.filter(Result.isSuccess)
      yield* equal("connected", won.length, 1)
      const errors = results.filter(Result.isFailure).map(({ failure }) => failure)
      yield* holds(
        "the others say why",
        errors.every((error) => "_tag" in error && error._tag === "DomainTaken"),
      )
      const owner = Option.getOrUndefined(yield* at(inbox, "shopify", domain))?.shop
      yield* equal("the owner again", (yield* putting(other, makePlatform(owner ?? "", { domain })))._tag, "Some")
      const woo = makePlatform(shops.find((shop) => shop !== owner) ?? "", { domain, platform: "woocommerce" })
      yield* equal("on the other platform", yield* putting(inbox, woo), Option.some(woo))
      const late = makePlatform(woo.shop, { domain })
      yield* failsWith("a domain of another shop", "DomainTaken", putting(inbox, late))
      yield* inbox.updatePlatform(owner ?? "", "shopify", () => Result.succeed(null))
      yield* equal("once it is free", yield* putting(inbox, late), Option.some(late))
    }),
  },
  {
    id: "platforms.all",
    title: "MUST return each connection of all shops once, in pages",
    requirements: ["D87"],
    run: Effect.gen(function* () {
      const [inbox, other] = yield* hosts
      const shop = yield* newShop
      for (const platform of ["shopify", "woocommerce"] as const)
        yield* putting(inbox, makePlatform(shop, { platform }))
      const found: Array<PlatformRecord> = []
      let after: PlatformPlace | null = null
      for (;;) {
        const page: ReadonlyArray<PlatformRecord> = yield* other.platforms({ after, limit: 1 })
        if (page.length === 0) break
        found.push(...page)
        after = page.at(-1) ?? null
      }
      const mine = found.filter((record) => record.shop === shop).map(({ platform }) => platform)
      yield* equal("of the shop", mine.toSorted(), ["shopify", "woocommerce"])
    }),
  },
  {
    id: "platforms.due",
    title: "MUST return those with an access key that are due, those that are due longest first",
    requirements: ["D88"],
    run: Effect.gen(function* () {
      const [inbox, other] = yield* hosts
      const shops = [yield* newShop, yield* newShop, yield* newShop, yield* newShop]
      // Earlier than those of other cases, which are due at once.
      const [first, second, third, keyless] = shops.map((shop, index) =>
        makePlatform(shop, { accessKey: index === 3 ? null : unique(), dueAt: someTime - 1_000 + index }),
      ) as [PlatformRecord, PlatformRecord, PlatformRecord, PlatformRecord]
      for (const record of [third, keyless, second, first]) yield* putting(inbox, record)
      const due = (dueAt: number) =>
        Effect.map(other.platforms({ dueAt, limit: 10_000 }), (records) =>
          records.filter(({ shop }) => shops.includes(shop)),
        )
      yield* equal("at the time of the second", yield* due(someTime - 999), [first, second])
      yield* equal("before the first", yield* due(someTime - 1_001), [])
      yield* equal("later", yield* due(someTime), [first, second, third])
      yield* putting(other, { ...second, dueAt: null })
      yield* equal("one is due at once", yield* due(someTime - 1_000), [{ ...second, dueAt: null }, first])
      yield* equal("limited", (yield* other.platforms({ dueAt: someTime, limit: 1 })).length, 1)
    }),
  },
  {
    id: "platforms.told",
    title: "MUST store the entry of each change, and a notice of the end of a connection, once",
    requirements: ["D59", "D85", "D87"],
    ports: [ShopStore, Inbox, AuditStore, NoticeStore],
    run: Effect.gen(function* () {
      const [inbox] = yield* hosts
      const notices = yield* NoticeStore
      const shop = yield* newShop
      const record = makePlatform(shop)
      const ended = { ...record, disconnectedAt: someTime + 5 }
      for (const next of [record, ended, ended, record, null]) {
        yield* retrying(
          inbox.updatePlatform(shop, "shopify", () => Result.succeed(next), AuditRules.platform(newOccasion())),
        )
      }
      const none = { failed: 0, waiting: 0, ended: 0, troubled: 0 }
      yield* equal("in trouble", yield* inbox.trouble(shop, someTime), none)
      yield* putting(inbox, ended)
      yield* equal("once it has ended", yield* inbox.trouble(shop, someTime), { ...none, ended: 1 })
      const [lost, away] = (["key", "outage"] as const).map((kind) => ({
        ...record,
        reconciling: { ...neverAsked, trouble: { kind, reason: "refused", since: someTime + 6 } },
      }))
      const missing = { ...record, reconciling: { ...neverAsked, webhooks: ["a"], missing: ["a"] } }
      yield* putting(inbox, lost as PlatformRecord)
      yield* equal("once its key is lost", yield* inbox.trouble(shop, someTime), { ...none, troubled: 1 })
      yield* putting(inbox, away as PlatformRecord)
      yield* equal("while it is away", yield* inbox.trouble(shop, someTime), none)
      yield* putting(inbox, missing)
      yield* equal("once webhooks are gone", yield* inbox.trouble(shop, someTime), { ...none, troubled: 1 })
      const actions: ReadonlyArray<string> = (yield* entriesOf(shop)).map(({ action }) => action)
      yield* equal("entries", actions.toSorted(), [
        ...["platform.changed", "platform.changed", "platform.connected", "platform.removed"],
      ])
      const raised = [
        disconnectionOf(record, ended),
        disconnectionOf(record, lost ?? null),
        disconnectionOf(record, missing),
      ]
      const kept = yield* notices.list(shop, 10, someTime + 10)
      yield* equal("notices", new Set(kept.map(({ body }) => body)), new Set(raised.flat().map(({ body }) => body)))
      yield* equal("of each kind", kept.length, 3)
    }),
  },
  {
    id: "platforms.shop-removed",
    title: "MUST go with their shop, and leave its domain to others",
    requirements: ["D43", "D87"],
    run: Effect.gen(function* () {
      const [inbox, other] = yield* hosts
      const [shop, heir] = [yield* newShop, yield* newShop]
      const record = makePlatform(shop)
      yield* putting(inbox, record)
      const shops = yield* ShopStore
      while (!(yield* shops.remove({ shop, now: someTime, limit: 100 }))) yield* Effect.void
      yield* equal("of the shop", yield* other.platforms({ shop }), [])
      yield* none("at the domain", yield* at(other, "shopify", record.domain))
      const next = makePlatform(heir, { domain: record.domain })
      yield* equal("the heir's", yield* putting(other, next), Option.some(next))
    }),
  },
  {
    id: "platforms.transaction",
    title: "MUST take part in an outer transaction, and be undone with it",
    requirements: ["D87"],
    needs: ["transaction"],
    run: Effect.gen(function* () {
      const { run } = yield* outerTransaction
      const [inbox, other] = yield* hosts
      const shop = yield* newShop
      const record = makePlatform(shop)
      const change = inbox.updatePlatform(shop, "shopify", () => Result.succeed(record))
      yield* Effect.exit(run(Effect.andThen(change, Effect.fail("undone"))))
      yield* equal("undone", yield* other.platforms({ shop }), [])
      yield* run(
        Effect.gen(function* () {
          yield* change
          yield* equal("within", yield* inbox.platforms({ shop }), [record])
          yield* equal("by its domain", yield* at(inbox, "shopify", record.domain), Option.some(record))
        }),
      )
      yield* equal("committed", yield* other.platforms({ shop }), [record])
    }),
  },
])
