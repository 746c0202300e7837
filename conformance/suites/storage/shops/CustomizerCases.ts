import { Effect, Option } from "effect"
import type { CustomizerRecord, PublishedDefinition } from "../../../../core/model/catalog/Customizer.ts"
import { CustomizerStore } from "../../../../core/ports/CustomizerStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { equal, none, some } from "../../Assertion.ts"
import { calling, onOtherHost } from "../StorageCase.ts"
import { hostileTexts, newShop, someTime, unique } from "../support/Fixtures.ts"
import { outerTransaction } from "../support/OuterTransactions.ts"

const bothHosts = Effect.all([CustomizerStore, onOtherHost(CustomizerStore)])

const describe = (shop: string, id: number, title = "T-shirt") => ({
  shop,
  id,
  title,
  platformProductId: "gid://platform/Product/42",
  assetBase: "https://assets.example.com/t-shirt",
})

const definition = (name: string) => JSON.stringify({ schemaVersion: 1, steps: [], questions: [], rules: [], name })

const published = (name: string): PublishedDefinition => ({ definition: definition(name), digest: `digest of ${name}` })

/** The contract of `CustomizerStore`. */
export const customizerCases = calling(
  ShopStore,
  CustomizerStore,
)([
  {
    id: "resources.customizer.unknown",
    title: "MUST return none for a customizer that the shop does not have, or a version that was never published",
    requirements: ["§7-3"],
    run: Effect.gen(function* () {
      const [store] = yield* bothHosts
      const shop = yield* newShop
      yield* none("no customizer", yield* store.find(shop, 1))
      yield* none("no customizer, version 1", yield* store.definition(shop, 1, 1))
      yield* store.put(describe(shop, 1))
      yield* none("not yet published", yield* store.definition(shop, 1, 1))
      yield* store.publish(shop, 1, published("first"), someTime)
      yield* none("version 2", yield* store.definition(shop, 1, 2))
      yield* none("another customizer", yield* store.find(shop, 2))
      yield* none("another shop", yield* store.find(yield* newShop, 1))
      yield* none("another shop's version 1", yield* store.definition(yield* newShop, 1, 1))
      yield* none("a summary of another customizer", yield* store.summary(shop, 2))
      yield* none("a summary of another shop's", yield* store.summary(yield* newShop, 1))
    }),
  },
  {
    id: "resources.customizer.describe",
    title: "MUST make a customizer without a version, replace its description, and return the stored record",
    requirements: ["§2.3-2", "§2.3-4", "§2.3-6"],
    run: Effect.gen(function* () {
      const [store, otherStore] = yield* bothHosts
      const shop = yield* newShop
      const changes = [
        {},
        { title: "Hoodie" },
        { title: "Hoodie", platformProductId: "gid://platform/Product/43", assetBase: "https://cdn.example.com" },
      ]
      for (const change of changes) {
        const given = { ...describe(shop, 7), ...change }
        const expected = { ...given, version: null, definition: null, digest: null }
        yield* equal("the answer", yield* store.put(given), expected)
        yield* equal("what is kept", yield* store.find(shop, 7), Option.some(expected))
        const summary = { ...given, version: null, digest: null }
        yield* equal("its summary", yield* store.summary(shop, 7), Option.some(summary))
        yield* equal("the record on the other host", yield* otherStore.find(shop, 7), Option.some(expected))
      }
    }),
  },
  {
    id: "resources.customizer.publish",
    title: "MUST number versions from 1, return the new one with its given digest, and keep all of them readable",
    requirements: ["§2.3-5", "§9-4", "D5"],
    run: Effect.gen(function* () {
      const [store, otherStore] = yield* bothHosts
      const shop = yield* newShop
      yield* store.put(describe(shop, 7))
      const versions: Array<CustomizerRecord & { readonly version: number; readonly definition: string }> = []
      for (const name of ["first", "second", "second", "third"]) {
        const version = { ...describe(shop, 7), version: versions.length + 1, ...published(name) }
        versions.push(version)
        const answer = yield* store.publish(shop, 7, published(name), someTime + versions.length)
        yield* equal("the answer", answer, Option.some(version))
        yield* equal("the published one", yield* otherStore.find(shop, 7), Option.some(version))
        const { definition: _, ...summary } = version
        yield* equal("its summary", yield* otherStore.summary(shop, 7), Option.some(summary))
        for (const old of versions) {
          const kept = yield* otherStore.definition(shop, 7, old.version)
          yield* equal(`version ${old.version}`, kept, Option.some(old.definition))
        }
      }
    }),
  },
  {
    id: "resources.customizer.publish.rolled-back",
    title: "MUST reuse the number of a version whose transaction was rolled back, with the digest of the new one",
    requirements: ["§9-4", "D5"],
    needs: ["transaction"],
    run: Effect.gen(function* () {
      const [store, otherStore] = yield* bothHosts
      const transaction = yield* outerTransaction
      const shop = yield* newShop
      yield* store.put(describe(shop, 7))
      const seen = yield* Effect.flip(
        transaction.run(
          Effect.gen(function* () {
            yield* store.publish(shop, 7, published("first"), someTime)
            return yield* Effect.flip(store.summary(shop, 7))
          }),
        ),
      )
      const first = { ...describe(shop, 7), version: 1, digest: "digest of first" }
      yield* equal("within the transaction", seen, Option.some(first))
      // At the same instant, as a test's clock would have it.
      const second = { ...describe(shop, 7), version: 1, ...published("second") }
      yield* equal("again", yield* store.publish(shop, 7, published("second"), someTime), Option.some(second))
      for (const host of [store, otherStore]) {
        const { definition: _, ...summary } = second
        yield* equal("its summary", yield* host.summary(shop, 7), Option.some(summary))
        yield* equal("its definition", yield* host.definition(shop, 7, 1), Option.some(second.definition))
      }
    }),
  },
  {
    id: "resources.customizer.publish.unknown",
    title: "MUST return none and store nothing when a customizer that the shop does not have is published",
    requirements: ["§2.3-5"],
    run: Effect.gen(function* () {
      const [store] = yield* bothHosts
      const [shop, otherShop] = [yield* newShop, yield* newShop]
      yield* store.put(describe(otherShop, 7))
      yield* none("the answer", yield* store.publish(shop, 7, published("first"), someTime))
      yield* none("the customizer", yield* store.find(shop, 7))
      const described = yield* store.put(describe(shop, 7))
      yield* equal("its version once described", described.version, null)
      const untouched = { ...describe(otherShop, 7), version: null, definition: null, digest: null }
      yield* equal("the other shop's", yield* store.find(otherShop, 7), Option.some(untouched))
    }),
  },
  {
    id: "resources.customizer.describe.published",
    title:
      "MUST keep all versions when the description of a published customizer is replaced, and return the published one",
    requirements: ["§2.3-7"],
    run: Effect.gen(function* () {
      const [store] = yield* bothHosts
      const shop = yield* newShop
      yield* store.put(describe(shop, 7))
      yield* store.publish(shop, 7, published("first"), someTime)
      yield* store.publish(shop, 7, published("second"), someTime)
      const renamed = describe(shop, 7, "Hoodie")
      const second = { ...renamed, version: 2, ...published("second") }
      yield* equal("the answer", yield* store.put(renamed), second)
      yield* equal("the published one", yield* store.find(shop, 7), Option.some(second))
      yield* equal("the first", yield* store.definition(shop, 7, 1), Option.some(definition("first")))
      const third = { ...renamed, version: 3, ...published("third") }
      yield* equal("a third", yield* store.publish(shop, 7, published("third"), someTime), Option.some(third))
    }),
  },
  {
    id: "resources.customizer.publish.concurrent",
    rounds: 5,
    title: "MUST give consecutive numbers to concurrent publications on two hosts, and keep each definition",
    requirements: ["§9-4"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const shop = yield* newShop
      yield* both[0].put(describe(shop, 7))
      const answers = yield* Effect.forEach(
        Array.from({ length: 24 }, (_, index) => index),
        (index) => both[index % 2 === 0 ? 0 : 1].publish(shop, 7, published(`${index}`), someTime),
        { concurrency: "unbounded" },
      )
      const records: Array<CustomizerRecord> = []
      for (const [index, answer] of answers.entries()) {
        const record = yield* some(`the result of publication ${index}`, answer)
        yield* equal("the definition in it", record.definition, definition(`${index}`))
        yield* equal("its digest", record.digest, `digest of ${index}`)
        records.push(record)
        const kept = yield* both[0].definition(shop, 7, record.version ?? 0)
        yield* equal("the returned version", kept, Option.fromNullOr(record.definition))
      }
      records.sort((left, right) => (left.version ?? 0) - (right.version ?? 0))
      yield* equal(
        "the numbers",
        records.map(({ version }) => version),
        Array.from({ length: 24 }, (_, index) => index + 1),
      )
      const last = Option.fromUndefinedOr(records.at(-1))
      yield* equal("the published one", yield* both[1].find(shop, 7), last)
    }),
  },
  {
    id: "resources.customizer.describe.concurrent",
    rounds: 5,
    title: "MUST accept concurrent descriptions and publications of one customizer, losing no version",
    requirements: ["§2.3-7"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const shop = yield* newShop
      const titles = Array.from({ length: 10 }, (_, index) => `title ${index}`)
      // Before the customizer exists: any of them may create it.
      yield* Effect.forEach(titles, (title, index) => both[index % 2 === 0 ? 0 : 1].put(describe(shop, 7, title)), {
        concurrency: "unbounded",
      })
      yield* Effect.forEach(
        titles,
        (title, index) =>
          index % 2 === 0
            ? Effect.asVoid(both[0].publish(shop, 7, published(title), someTime))
            : Effect.asVoid(both[1].put(describe(shop, 7, title))),
        { concurrency: "unbounded" },
      )
      const kept = yield* some("the customizer", yield* both[0].find(shop, 7))
      yield* equal("its version", kept.version, 5)
      yield* equal("its title is one of those given", titles.includes(kept.title), true)
    }),
  },
  {
    id: "resources.customizer.texts",
    title: "MUST return a definition and a title byte for byte, even with 300 KB of text",
    requirements: ["§2.3-7", "F-15"],
    run: Effect.gen(function* () {
      const [store, otherStore] = yield* bothHosts
      const shop = yield* newShop
      for (const [index, text] of hostileTexts.entries()) {
        const id = index + 1
        const title = text.slice(0, 100).toWellFormed()
        const expected = { ...describe(shop, id, title), version: 1, definition: text, digest: unique() }
        yield* store.put(describe(shop, id, title))
        yield* equal("the answer", yield* store.publish(shop, id, expected, someTime), Option.some(expected))
        yield* equal("the published one", yield* otherStore.find(shop, id), Option.some(expected))
        yield* equal("version 1", yield* otherStore.definition(shop, id, 1), Option.some(text))
      }
    }),
  },
  {
    id: "resources.customizer.ids",
    title: "MUST distinguish customizer ids up to 2^53 − 1",
    requirements: ["D15"],
    run: Effect.gen(function* () {
      const [store] = yield* bothHosts
      const shop = yield* newShop
      const ids = [1, 2_147_483_647, 2_147_483_648, 4_294_967_297, 2 ** 53 - 2, 2 ** 53 - 1]
      for (const id of ids) yield* store.put(describe(shop, id, `number ${id}`))
      for (const id of ids) {
        const expected = { ...describe(shop, id, `number ${id}`), version: null, definition: null, digest: null }
        yield* equal("the customizer", yield* store.find(shop, id), Option.some(expected))
      }
    }),
  },
  {
    id: "resources.customizer.list",
    title: "MUST list a shop's customizers by id, without definitions, a page at a time, and none of another shop's",
    requirements: ["D69"],
    run: Effect.gen(function* () {
      const [store, otherStore] = yield* bothHosts
      const [shop, otherShop] = [yield* newShop, yield* newShop]
      yield* equal("an empty shop", yield* store.list({ shop, after: 0, limit: 10 }), [])
      const ids = [2 ** 53 - 1, 10, 9, 2_147_483_648, 1]
      for (const id of ids) yield* store.put(describe(shop, id, `number ${id}`))
      yield* store.put(describe(otherShop, 3))
      yield* store.publish(shop, 9, published("first"), someTime)
      const expected = ids
        .toSorted((left, right) => left - right)
        .map((id) => ({
          ...describe(shop, id, `number ${id}`),
          version: id === 9 ? 1 : null,
          digest: id === 9 ? published("first").digest : null,
        }))
      yield* equal("all", yield* otherStore.list({ shop, after: 0, limit: 10 }), expected)
      yield* equal("the first two", yield* store.list({ shop, after: 0, limit: 2 }), expected.slice(0, 2))
      yield* equal("those after", yield* store.list({ shop, after: 9, limit: 2 }), expected.slice(2, 4))
      yield* equal("the end", yield* store.list({ shop, after: 2 ** 53 - 1, limit: 2 }), [])
    }),
  },
  {
    id: "resources.customizer.versions",
    title: "MUST list the versions of a customizer newest first, with their times, a page at a time",
    requirements: ["D69"],
    run: Effect.gen(function* () {
      const [store, otherStore] = yield* bothHosts
      const [shop, otherShop] = [yield* newShop, yield* newShop]
      const all = { shop, id: 7, before: 2_147_483_647, limit: 10 }
      yield* store.put(describe(shop, 7))
      yield* store.put(describe(shop, 8))
      yield* store.put(describe(otherShop, 7))
      yield* equal("before the first", yield* store.versions(all), [])
      yield* store.publish(shop, 8, published("other"), someTime)
      yield* store.publish(otherShop, 7, published("other"), someTime)
      const expected = [3, 2, 1].map((version) => ({ version, publishedAt: someTime + 1000 - version }))
      for (const { publishedAt, version } of expected.toReversed()) {
        yield* store.publish(shop, 7, published(`${version}`), publishedAt)
      }
      yield* equal("all", yield* otherStore.versions(all), expected)
      yield* equal("the newest", yield* store.versions({ ...all, limit: 1 }), expected.slice(0, 1))
      yield* equal("those before", yield* store.versions({ ...all, before: 3, limit: 1 }), expected.slice(1, 2))
      yield* equal("the end", yield* store.versions({ ...all, before: 1 }), [])
    }),
  },
  {
    id: "resources.customizer.shops",
    title: "MUST keep customizers with the same id in two shops separate, including versions",
    requirements: ["§5-3", "D9"],
    run: Effect.gen(function* () {
      const [store] = yield* bothHosts
      const [shop, otherShop] = [yield* newShop, yield* newShop]
      yield* store.put(describe(shop, 7, "mine"))
      yield* store.put(describe(otherShop, 7, "theirs"))
      yield* store.publish(shop, 7, published("mine"), someTime)
      yield* store.publish(otherShop, 7, published("theirs"), someTime)
      yield* store.publish(otherShop, 7, published("theirs again"), someTime)
      const mine = { ...describe(shop, 7, "mine"), version: 1, ...published("mine") }
      const theirs = { ...describe(otherShop, 7, "theirs"), version: 2, ...published("theirs again") }
      yield* equal("mine", yield* store.find(shop, 7), Option.some(mine))
      yield* equal("theirs", yield* store.find(otherShop, 7), Option.some(theirs))
      yield* none("version 2 of mine", yield* store.definition(shop, 7, 2))
    }),
  },
  {
    id: "resources.customizer.shops.version",
    title: "MUST keep equal version numbers of customizers with the same id in two shops separate",
    requirements: ["§5-3", "D9"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const [shop, otherShop] = [yield* newShop, yield* newShop]
      for (const [id, name] of [
        [shop, "mine"],
        [otherShop, "theirs"],
      ] as const) {
        yield* both[0].put(describe(id, 7, name))
        yield* both[0].publish(id, 7, published(name), someTime)
      }
      for (const store of both) {
        for (const [id, name] of [
          [shop, "mine"],
          [otherShop, "theirs"],
        ] as const) {
          const expected = { ...describe(id, 7, name), version: 1, ...published(name) }
          yield* equal(name, yield* store.find(id, 7), Option.some(expected))
          const { definition: _, ...summary } = expected
          yield* equal(`the summary of ${name}`, yield* store.summary(id, 7), Option.some(summary))
          const definition = yield* store.definition(id, 7, 1)
          yield* equal(`the definition of ${name}`, definition, Option.some(expected.definition))
        }
      }
    }),
  },
])
