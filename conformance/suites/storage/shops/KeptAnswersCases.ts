import { Deferred, Effect, Fiber, Option } from "effect"
import { KeptAnswers, type RepeatableRequest, type RequestOutcome } from "../../../../core/ports/KeptAnswers.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { TokenStore } from "../../../../core/ports/TokenStore.ts"
import { Upkeep } from "../../../../core/ports/Upkeep.ts"
import { equal, none, some } from "../../Assertion.ts"
import { Cut, calling, onOtherHost } from "../StorageCase.ts"
import { day, makeToken, newShop, retrying, someTime } from "../support/Fixtures.ts"
import { outerTransaction } from "../support/OuterTransactions.ts"

const hosts = Effect.all([KeptAnswers, onOtherHost(KeptAnswers)])

const requestOf = (shop: string, fields: Partial<RepeatableRequest> = {}): RepeatableRequest => ({
  shop,
  key: "a key",
  request: "digest",
  now: someTime,
  until: someTime + day,
  hasTexts: false,
  ...fields,
})

/** A change that counts how often it is carried out, and its answer. */
const counting = (answer = "the answer") => {
  const counted = {
    times: 0,
    change: Effect.sync(() => {
      counted.times++
      return answer
    }),
  }
  return counted
}

const done = (answer: string): RequestOutcome => ({ _tag: "Done", answer })
const kept = (answer: string | null, request = "digest"): RequestOutcome => ({ _tag: "Kept", request, answer })

/** Answers to requests that clients may repeat (D49). */
export const keptAnswersCases = calling(
  ShopStore,
  KeptAnswers,
)([
  {
    id: "answers.kept",
    title: "MUST carry out a request once, and return its digest and answer on every host afterwards",
    requirements: ["D49"],
    run: Effect.gen(function* () {
      const [store, other] = yield* hosts
      const shop = yield* newShop
      const { change } = counting("öffnen \u{1F511}")
      yield* equal("the first time", yield* store.once(requestOf(shop), change), done("öffnen \u{1F511}"))
      const again = counting()
      for (const host of [store, other]) {
        const repeated = requestOf(shop, { request: "another", now: someTime + day - 1, until: someTime + 3 * day })
        yield* equal("again", yield* host.once(repeated, again.change), kept("öffnen \u{1F511}"))
      }
      yield* equal("how often another change was carried out", again.times, 0)
    }),
  },
  {
    id: "answers.apart",
    title: "MUST keep answers of other keys and of other shops apart",
    requirements: ["D49"],
    run: Effect.gen(function* () {
      const [store] = yield* hosts
      const [shop, other] = [yield* newShop, yield* newShop]
      const requests = [
        requestOf(shop),
        requestOf(shop, { key: "A key" }),
        requestOf(other),
        requestOf(other, { key: "b" }),
      ]
      for (const [index, request] of requests.entries()) {
        yield* equal("the first time", yield* store.once(request, Effect.succeed(`${index}`)), done(`${index}`))
      }
      for (const [index, request] of requests.entries()) {
        yield* equal("again", yield* store.once(request, Effect.succeed("x")), kept(`${index}`))
      }
    }),
  },
  {
    id: "answers.ended",
    title: "MUST carry out a request again once its answer need not be kept, and keep the new one",
    requirements: ["D49"],
    run: Effect.gen(function* () {
      const [store, other] = yield* hosts
      const shop = yield* newShop
      yield* store.once(requestOf(shop), Effect.succeed("first"))
      const later = requestOf(shop, { request: "later", now: someTime + day, until: someTime + 2 * day })
      yield* equal("later", yield* other.once(later, Effect.succeed("second")), done("second"))
      yield* equal("again", yield* store.once(later, Effect.succeed("third")), kept("second", "later"))
    }),
  },
  {
    id: "answers.failed",
    title: "MUST fail with the failure of the change, and keep nothing then",
    requirements: ["D49"],
    run: Effect.gen(function* () {
      const [store, other] = yield* hosts
      const shop = yield* newShop
      yield* equal("the failure", yield* Effect.flip(store.once(requestOf(shop), Effect.fail("given up"))), "given up")
      yield* equal("the next time", yield* other.once(requestOf(shop), Effect.succeed("done")), done("done"))
    }),
  },
  {
    id: "answers.cut",
    needs: ["faults"],
    alone: true,
    title: "MUST fail with the failure of the change also if the store was cut meanwhile, and keep nothing then",
    requirements: ["D49"],
    run: Effect.gen(function* () {
      const [store, other] = yield* hosts
      const cut = yield* some("Cut in the layer of the host", yield* Effect.serviceOption(Cut))
      const shop = yield* newShop
      const change = Effect.scoped(Effect.andThen(cut, Effect.fail("given up")))
      yield* equal("the failure", yield* Effect.flip(store.once(requestOf(shop), change)), "given up")
      const again = retrying(other.once(requestOf(shop), Effect.succeed("done")))
      yield* equal("the next time", yield* again, done("done"))
    }),
  },
  {
    id: "answers.race",
    rounds: 5,
    title: "MUST carry out one of many requests with one key at the same time, on any host, and no other",
    requirements: ["D49"],
    run: Effect.gen(function* () {
      const both = yield* hosts
      const shop = yield* newShop
      const counted = counting()
      const outcomes = yield* Effect.forEach(
        Array.from({ length: 12 }),
        (_, index) => retrying((both[index % 2] ?? both[0]).once(requestOf(shop), counted.change)),
        { concurrency: "unbounded" },
      )
      yield* equal("how often it was carried out", counted.times, 1)
      yield* equal("the outcomes of it", outcomes.filter(({ _tag }) => _tag === "Done").length, 1)
    }),
  },
  {
    id: "answers.under-way",
    title: "MUST NOT carry out a request while another with its key is under way, but say so or wait",
    requirements: ["D49"],
    run: Effect.gen(function* () {
      const [store, other] = yield* hosts
      const shop = yield* newShop
      const [begun, end] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const first = Effect.andThen(Deferred.succeed(begun, undefined), Effect.as(Deferred.await(end), "done"))
      const running = yield* Effect.forkScoped(store.once(requestOf(shop), first))
      yield* Deferred.await(begun)
      const counted = counting()
      const again = yield* Effect.forkScoped(other.once(requestOf(shop), counted.change))
      // A store may have one connection: the second waits for it.
      yield* Effect.timeoutOption(Fiber.await(again), "300 millis")
      yield* Deferred.succeed(end, undefined)
      yield* equal("the first", yield* Fiber.join(running), done("done"))
      const outcome = yield* Fiber.join(again)
      // A store without transactions may not tell a request that is under way from one that ended in the middle.
      const waited = outcome._tag === "Kept" ? kept(outcome.answer === null ? null : "done") : undefined
      yield* equal("the second", outcome, waited ?? { _tag: "UnderWay" })
      yield* equal("how often the second was carried out", counted.times, 0)
      yield* equal("afterwards", yield* other.once(requestOf(shop), counted.change), kept("done"))
    }),
  },
  {
    id: "answers.atomic",
    ports: [ShopStore, TokenStore, KeptAnswers],
    needs: ["transaction"],
    title: "MUST store a change together with its answer: both, or neither if the change fails or is interrupted",
    requirements: ["D49"],
    run: Effect.gen(function* () {
      const [store, other] = yield* hosts
      const tokens = yield* TokenStore
      const shop = yield* newShop
      const token = makeToken(shop)
      const change = Effect.gen(function* () {
        yield* tokens.add(token, 100)
        yield* equal("the token, within", (yield* tokens.list(shop)).length, 1)
      })
      yield* Effect.flip(store.once(requestOf(shop), Effect.andThen(change, Effect.fail("given up"))))
      yield* equal("after a failure", yield* tokens.list(shop), [])
      const added = yield* Deferred.make<void>()
      const hanging = Effect.andThen(change, Effect.andThen(Deferred.succeed(added, undefined), Effect.never))
      yield* Effect.raceFirst(store.once(requestOf(shop), hanging), Deferred.await(added))
      yield* equal("after an interruption", yield* tokens.list(shop), [])
      yield* equal("the next time", yield* other.once(requestOf(shop), Effect.as(change, "done")), done("done"))
      yield* equal("after success", yield* tokens.list(shop), [token])
    }),
  },
  {
    id: "answers.transaction",
    ports: [ShopStore, TokenStore, KeptAnswers],
    needs: ["transaction"],
    title: "MUST keep an answer as part of an outer transaction",
    requirements: ["D49", "D23"],
    run: Effect.gen(function* () {
      const [store, other] = yield* hosts
      const tokens = yield* TokenStore
      const transaction = yield* outerTransaction
      const shop = yield* newShop
      const token = makeToken(shop)
      const once = store.once(requestOf(shop), Effect.as(tokens.add(token, 100), "done"))
      const failing = store.once(
        requestOf(shop, { key: "failing" }),
        Effect.andThen(tokens.add(makeToken(shop), 100), Effect.fail("given up")),
      )
      yield* Effect.flip(transaction.run(Effect.andThen(once, Effect.fail("given up"))))
      yield* equal("after a rollback", yield* tokens.list(shop), [])
      yield* transaction.run(Effect.andThen(Effect.flip(failing), once))
      yield* equal("after the commit", yield* tokens.list(shop), [token])
      yield* equal("again", yield* other.once(requestOf(shop), Effect.succeed("x")), kept("done"))
    }),
  },
  {
    id: "answers.erase",
    title: "MUST erase the answers of a shop that may have texts, and not carry out their requests again",
    requirements: ["D43", "D49"],
    run: Effect.gen(function* () {
      const [store, other] = yield* hosts
      const [shop, beside] = [yield* newShop, yield* newShop]
      const withTexts = { key: "texts", hasTexts: true }
      const requests = [requestOf(shop, withTexts), requestOf(shop), requestOf(beside, withTexts)]
      for (const request of requests) yield* store.once(request, Effect.succeed("the answer"))
      yield* other.eraseTexts(shop)
      const outcomes = yield* Effect.forEach(requests, (request) => store.once(request, Effect.succeed("x")))
      yield* equal("the answers", outcomes, [kept(null), kept("the answer"), kept("the answer")])
    }),
  },
  {
    id: "answers.prune",
    alone: true,
    ports: [ShopStore, KeptAnswers, Upkeep],
    title: "MUST drop answers that need not be kept in upkeep, and no others",
    requirements: ["D49"],
    run: Effect.gen(function* () {
      const [store] = yield* hosts
      const upkeep = yield* Upkeep
      const shop = yield* newShop
      // Other cases keep later ones.
      const ends = [1, 1, 1, 1, 2, 2, 2, 2, 3]
      const requests = ends.map((until, key) => requestOf(shop, { key: `${key}`, now: 0, until }))
      for (const request of requests) yield* store.once(request, Effect.succeed("the answer"))
      let after: string | null = null
      do {
        after = yield* upkeep.prune({ keep: 1_000, eventsBefore: 0, now: 2, limit: 7, after })
      } while (after !== null)
      const outcomes = yield* Effect.forEach(requests, (request) => store.once(request, Effect.succeed("new")))
      yield* equal(
        "the answers",
        outcomes,
        ends.map((until) => (until > 2 ? kept("the answer") : done("new"))),
      )
    }),
  },
  {
    id: "answers.shop",
    title: "MUST drop answers with their shop",
    requirements: ["D43", "D49"],
    run: Effect.gen(function* () {
      const [store] = yield* hosts
      const shops = yield* ShopStore
      const shop = yield* newShop
      const record = yield* some("the shop", yield* shops.find(shop))
      yield* store.once(requestOf(shop), Effect.succeed("the answer"))
      while (!(yield* shops.remove({ shop, now: someTime, limit: 100 })));
      yield* none(
        "the shop",
        Option.map(yield* shops.find(shop), ({ id }) => id),
      )
      yield* shops.put(record)
      yield* equal("the next time", yield* store.once(requestOf(shop), Effect.succeed("new")), done("new"))
    }),
  },
])
