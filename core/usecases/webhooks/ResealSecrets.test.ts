/** Changes of encryption keys (D20). */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Logger, Redacted, Result } from "effect"
import { TestClock } from "effect/testing"
import { verified } from "../../../conformance/testkit/workers/Outside.ts"
import { keyOf, makeWorld } from "../../../conformance/testkit/workers/TestWorker.ts"
import type { EndpointRecord } from "../../model/webhooks/Endpoint.ts"
import { EndpointStore } from "../../ports/EndpointStore.ts"
import type { KeyRing } from "../../ports/KeyRing.ts"
import { findConnection, makeSecretsOf } from "../ingest/Connections.ts"
import { putPlatform } from "../ingest/ManagePlatforms.ts"
import { putShop } from "../shops/ManageShops.ts"
import { createEndpoint, rotateSecret, updateEndpoint } from "./ManageEndpoints.ts"
import { checkSecrets, opensSecret, resealSecrets } from "./ResealSecrets.ts"

const ring = (first: number, ...rest: ReadonlyArray<number>): KeyRing["Service"] => ({
  keys: [keyOf(first), ...rest.map(keyOf)],
})

const none = { count: 0, first: [] }

/** Collects logged warnings and errors, a line each. */
const logOf = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const lines: Array<string> = []
  const logger = Logger.make(({ logLevel, message }) => {
    if (logLevel !== "Debug") lines.push(String(message))
  })
  yield* Effect.provide(effect, Logger.layer([logger]))
  return lines
})

describe("Resealing", () => {
  it.effect("MUST seal every secret of every shop with the newest key, so that the older ones can go", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ keyRing: ring(1) })
      const before = [yield* world.endpoint(), yield* world.endpoint()]
      const newer = yield* world.another({ keyRing: ring(2, 1) })
      // More than one page of secrets.
      for (let shop = 0; shop < 50; shop++) {
        yield* world.run(
          putShop(`shop-${shop}`, { domain: "a.example.com", currency: "EUR", imageBase: "https://i.example.com" }),
        )
        for (let endpoint = 0; endpoint < 5; endpoint++) {
          const { run } = shop % 2 === 0 ? world : newer
          yield* run(createEndpoint(`shop-${shop}`, { url: "https://hooks.example.com/" }))
        }
      }
      expect(yield* newer.run(checkSecrets)).toEqual({ total: 252, resealed: 0, unopened: none })
      expect(yield* newer.run(resealSecrets)).toEqual({ total: 252, resealed: 127, unopened: none })
      expect(yield* newer.run(resealSecrets)).toEqual({ total: 252, resealed: 0, unopened: none })

      const alone = yield* world.another({ keyRing: ring(2) })
      expect(yield* alone.run(checkSecrets)).toEqual({ total: 252, resealed: 0, unopened: none })
      const { unopened } = yield* world.run(checkSecrets)
      expect([unopened.count, unopened.first.length]).toEqual([252, 10])
      for (const endpoint of before) {
        const now = yield* world.endpointNow(endpoint)
        expect(now).toEqual({ ...endpoint, shown: undefined, secret: now.secret })
        expect(now.secret).not.toBe(endpoint.secret)
      }
    }),
  )

  it.effect("MUST seal the secrets of connections to platforms, and name those that no key opens (D20, D87)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ keyRing: ring(1) })
      const { shop } = world
      const domain = "acme.myshopify.com"
      const accessKey = "shpat_0123456789abcdef"
      yield* world.run(putPlatform(shop, "shopify", { domain, secret: "the former secret of it", accessKey }))
      yield* world.run(putPlatform(shop, "shopify", { domain, secret: "the secret of it" }))
      const newer = yield* world.another({ keyRing: ring(2, 1) })
      expect(yield* newer.run(resealSecrets)).toEqual({ total: 3, resealed: 3, unopened: none })
      expect(yield* newer.run(resealSecrets)).toEqual({ total: 3, resealed: 0, unopened: none })
      const alone = yield* world.another({ keyRing: ring(2) })
      const record = yield* alone.run(findConnection(shop, "shopify"))
      const secrets = yield* alone.run(Effect.flatMap(makeSecretsOf, (secretsOf) => secretsOf(record)))
      expect(secrets.map(Redacted.value)).toEqual(["the secret of it", "the former secret of it"])
      const first = Array.from({ length: 3 }, () => ({ shop, platform: "shopify" }))
      expect((yield* world.run(checkSecrets)).unopened).toEqual({ count: 3, first })
    }),
  )

  it.effect.each([0, 1, 199, 200, 399, 449])("MUST name the one secret of 450 that no key opens: place %i", (place) =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ keyRing: ring(1) })
      const newer = yield* world.another({ keyRing: ring(2) })
      const { endpoint: opened } = yield* world.run(createEndpoint(world.shop, { url: "https://hooks.example.com/" }))
      const { endpoint: lost } = yield* newer.run(createEndpoint(world.shop, { url: "https://hooks.example.com/" }))
      const stored = yield* world.run(EndpointStore.use(({ all }) => all(null, 10)))
      const of = (id: string) => stored.filter((endpoint) => endpoint.id === id)
      const all = Array.from({ length: 450 }, (_, index) => of(index === place ? lost.id : opened.id)).flat()
      const pages = EndpointStore.use((endpoints) =>
        Effect.provideService(checkSecrets, EndpointStore, {
          ...endpoints,
          all: (_after, limit) => Effect.sync(() => all.splice(0, limit)),
        }),
      )
      const first = [{ shop: world.shop, endpointId: lost.id }]
      expect(yield* world.run(pages)).toEqual({ total: 450, resealed: 0, unopened: { count: 1, first } })
    }),
  )

  it.effect("MUST NOT change signatures, even of workers that run meanwhile", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ keyRing: ring(2, 1) })
      const older = yield* world.another({ keyRing: ring(1) })
      const { endpoint, secret } = yield* older.run(createEndpoint(world.shop, { url: "https://hooks.example.com/" }))
      for (const [index, step] of [Effect.void, world.run(resealSecrets), Effect.void].entries()) {
        yield* world.order(String(index), [`d-${index}`])
        yield* step
        expect(yield* world.drain).toEqual({ attempts: 1, succeeded: 1 })
        const sent = world.outside.sent.at(-1)
        if (sent === undefined) return yield* Effect.die(new Error("Nothing was sent"))
        yield* verified(sent, Redacted.value(secret))
      }
      expect((yield* world.endpointNow(endpoint)).secret).toMatch(/^2\./)
    }),
  )

  it.effect("MUST skip a secret that was replaced meanwhile, and skip and name one that no key opens", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ keyRing: ring(1) })
      const lost = yield* world.endpoint()
      const newest = yield* world.another({ keyRing: ring(2) })
      const replaced = yield* newest.run(createEndpoint(world.shop, { url: "https://hooks.example.com/" }))
      const third = yield* world.another({ keyRing: ring(3, 2) })
      const racing = EndpointStore.use((endpoints) =>
        resealSecrets.pipe(
          Effect.provideService(EndpointStore, {
            ...endpoints,
            update: (shop, id, change) => {
              const theirs = (endpoint: EndpointRecord) => Result.succeed({ ...endpoint, secret: "2.of another host" })
              return Effect.andThen(endpoints.update(shop, id, theirs), endpoints.update(shop, id, change))
            },
          }),
        ),
      )
      expect(yield* third.run(racing)).toEqual({
        total: 2,
        resealed: 0,
        unopened: { count: 1, first: [{ shop: world.shop, endpointId: lost.id }] },
      })
      expect((yield* world.endpointNow(lost)).secret).toBe(lost.secret)
      expect((yield* world.endpointNow(replaced.endpoint)).secret).toBe("2.of another host")
    }),
  )
})

describe("Whether deliveries to an endpoint can be signed", () => {
  it.effect("MUST depend on the secrets that they need: with Standard Webhooks both of a rotation (D20, D41)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ keyRing: ring(1) })
      const newest = yield* world.another({ keyRing: ring(2) })
      const both = yield* world.another({ keyRing: ring(2, 1) })
      const { id } = yield* world.endpoint()
      const opens = Effect.all(
        [world, newest, both].map(({ run }) => run(opensSecret(world.shop, id))),
        { concurrency: 1 },
      )
      expect(yield* opens).toEqual([true, false, true])
      yield* newest.run(rotateSecret(world.shop, id, { overlap: 60 }))
      expect(yield* opens).toEqual([true, false, true])
      yield* world.run(updateEndpoint(world.shop, id, { standardWebhooks: true }))
      expect(yield* opens).toEqual([false, false, true])
      yield* TestClock.adjust("1 minute")
      expect(yield* opens).toEqual([false, true, true])
      expect((yield* Effect.flip(world.run(opensSecret(world.shop, "whe_no"))))._tag).toBe("NotFound")
    }),
  )
})

describe("A secret that no key opens", () => {
  it.effect("MUST be logged once for each endpoint when deliveries can't be signed (D27)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ keyRing: ring(2) })
      const older = yield* world.another({ keyRing: ring(1) })
      const add = older.run(createEndpoint(world.shop, { url: "https://hooks.example.com/" }))
      const endpoints = [yield* add, yield* add]
      const lines = yield* logOf(
        Effect.scoped(
          Effect.gen(function* () {
            yield* Effect.forkScoped(world.work)
            for (let round = 0; round < 5; round++) {
              yield* world.order(String(round), [`d-${round}`])
              yield* TestClock.adjust("1 minute")
            }
          }),
        ),
      )
      expect(world.outside.sent).toEqual([])
      expect(lines.toSorted()).toEqual(
        endpoints
          .map(({ endpoint: { id } }) => id)
          .toSorted()
          .map(
            (id) =>
              `Deliveries to the endpoint ${id} of the shop ${world.shop} can't be signed, and wait: ` +
              `No encryption key opens the signing secret of ${id}`,
          ),
      )
    }),
  )
})
