import { Effect, Option } from "effect"
import type { EndpointRecord } from "../../../../core/model/webhooks/Endpoint.ts"
import { usualOptions } from "../../../../core/model/webhooks/EndpointOptions.ts"
import { type SealedSecret, secretsOf } from "../../../../core/model/webhooks/SealedTexts.ts"
import { type EndpointPlace, EndpointStore } from "../../../../core/ports/EndpointStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { changing, promoting, resealing } from "../../../../core/rules/webhooks/EndpointUpdates.ts"
import { equal, holds } from "../../Assertion.ts"
import { calling, onOtherHost } from "../StorageCase.ts"
import { someTime, unique } from "../support/Fixtures.ts"
import { bothHosts, createEndpoint, newEndpoint, newWebhookShop, turnOf } from "../support/Webhooks.ts"

/** Replaces a sealed secret by another, as a new encryption key asks for; `false` if it is there no longer. */
const replacing = (store: EndpointStore["Service"]) => ({
  store,
  replace: ({ endpointId, sealed, shop }: SealedSecret, anew: string) =>
    store.update(shop, endpointId, resealing(sealed, anew)).pipe(
      Effect.map(Option.isSome),
      Effect.catchTag("SealedTextGone", () => Effect.succeed(false)),
    ),
})

const secrets = Effect.map(
  Effect.all([EndpointStore, onOtherHost(EndpointStore)]),
  ([one, other]) => [replacing(one), replacing(other)] as const,
)

const client = { tokenUrl: "https://id.example.com/token", clientId: "shop", scope: null, audience: "api" }

const facts = { subject: "CN=shop", endsAt: "2030-01-01T00:00:00.000+00:00" }

/** Reads all secrets of a store in pages, and runs an effect after each page. */
const readAll = Effect.fnUntraced(function* <E, R>(
  { store }: ReturnType<typeof replacing>,
  limit: number,
  between: Effect.Effect<unknown, E, R>,
) {
  const all: Array<SealedSecret> = []
  for (let after: EndpointPlace | null = null; ; ) {
    const page: ReadonlyArray<EndpointRecord> = yield* store.all(after, limit)
    yield* holds("a page has at most the requested number of endpoints", page.length <= limit)
    all.push(...page.flatMap(secretsOf))
    after = page.at(-1) ?? null
    if (after === null) return all
    yield* between
  }
})

/** The contract of `EndpointStore.all`, and of updates that reseal. */
export const sealedSecretsCases = calling(
  ShopStore,
  EndpointStore,
)([
  {
    id: "secrets.list",
    title:
      "MUST list every sealed secret of every shop exactly once in pages of any size, even while others come and go",
    requirements: ["D20", "D40"],
    run: Effect.gen(function* () {
      const both = yield* secrets
      const shops = [(yield* newWebhookShop()).id, (yield* newWebhookShop()).id, (yield* newWebhookShop()).id]
      const id = `whe_${unique(22)}`
      const none = {}
      const kept: Array<SealedSecret> = []
      for (const [index, shop] of shops.entries()) {
        // Shops may have endpoints with equal ids.
        for (const fields of [{ id }, none, {}].slice(0, index + 1)) {
          const rotation = fields === none ? null : { secret: unique(), until: someTime }
          const headers = rotation === null ? null : { names: ["X-A"], sealed: unique() }
          const oauth = rotation === null ? null : { ...client, sealed: unique() }
          const clientCertificate = rotation === null ? null : { ...facts, sealed: unique() }
          const options = { ...usualOptions, headers, oauth, clientCertificate }
          const endpoint = yield* createEndpoint(shop, { ...fields, rotation, options })
          const place = { shop, endpointId: endpoint.id }
          kept.push({ ...place, sealed: endpoint.secret })
          if (rotation !== null) kept.push({ ...place, sealed: rotation.secret })
          if (headers !== null) kept.push({ ...place, sealed: headers.sealed })
          if (oauth !== null) kept.push({ ...place, sealed: oauth.sealed })
          if (clientCertificate !== null) kept.push({ ...place, sealed: clientCertificate.sealed })
        }
      }
      const comeAndGo = Effect.gen(function* () {
        const [host] = yield* bothHosts
        const other = yield* newEndpoint()
        yield* host.endpoints.remove(other.shop, other.id)
      })
      for (const [index, limit] of [3, 10, 1_000].entries()) {
        const listed = yield* readAll(turnOf(both, index), limit, comeAndGo)
        for (const secret of kept) {
          const found = listed.filter(
            (one) => one.shop === secret.shop && one.endpointId === secret.endpointId && one.sealed === secret.sealed,
          )
          yield* equal("its entries in the list", found, [secret])
        }
      }
    }),
  },
  {
    id: "secrets.replace",
    title: "MUST replace a stored secret, visible at once on every host, and change nothing else",
    requirements: ["D20", "D24"],
    run: Effect.gen(function* () {
      const both = yield* secrets
      const hosts = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const beside = yield* createEndpoint(endpoint.shop)
      const other = yield* newEndpoint({ id: endpoint.id, secret: endpoint.secret })
      const secret = { shop: endpoint.shop, endpointId: endpoint.id, sealed: endpoint.secret }
      const anew = `2.${unique(400)}`
      yield* equal("the answer", yield* both[0].replace(secret, anew), true)
      for (const { endpoints } of hosts) {
        const found = yield* endpoints.find(endpoint.shop, endpoint.id)
        yield* equal("the endpoint", found, Option.some({ ...endpoint, secret: anew }))
        yield* equal("another", yield* endpoints.find(beside.shop, beside.id), Option.some(beside))
        yield* equal("one of another shop", yield* endpoints.find(other.shop, other.id), Option.some(other))
      }
    }),
  },
  {
    id: "secrets.replace.both",
    title: "MUST replace either secret of a rotation, and find the new one even after it was promoted",
    requirements: ["D20", "D40"],
    run: Effect.gen(function* () {
      const both = yield* secrets
      const [{ endpoints }] = yield* bothHosts
      const rotation = { secret: unique(), until: someTime + 1 }
      const endpoint = yield* newEndpoint({ rotation })
      const { id, shop } = endpoint
      const place = { shop, endpointId: id }
      const [old, anew, promoted] = [unique(), unique(), unique()]
      yield* equal("the old one", yield* both[0].replace({ ...place, sealed: endpoint.secret }, old), true)
      yield* equal("the new one", yield* both[1].replace({ ...place, sealed: rotation.secret }, anew), true)
      const now = { ...endpoint, secret: old, rotation: { ...rotation, secret: anew } }
      yield* equal("the endpoint", yield* endpoints.find(shop, id), Option.some(now))
      yield* endpoints.update(shop, id, promoting(someTime))
      yield* equal("a dropped secret", yield* both[0].replace({ ...place, sealed: old }, unique()), false)
      yield* equal("a promoted secret", yield* both[1].replace({ ...place, sealed: anew }, promoted), true)
      const after = { ...endpoint, secret: promoted, secretSince: someTime, rotation: null }
      yield* equal("the endpoint, promoted", yield* endpoints.find(shop, id), Option.some(after))
    }),
  },
  {
    id: "secrets.replace.headers",
    title: "MUST replace the sealed headers of an endpoint, and no longer find those that were removed",
    requirements: ["D20", "D55"],
    run: Effect.gen(function* () {
      const both = yield* secrets
      const [{ endpoints }] = yield* bothHosts
      const options = { ...usualOptions, headers: { names: ["X-A", "b"], sealed: unique() } }
      const endpoint = yield* newEndpoint({ options })
      const { id, shop } = endpoint
      const [place, anew] = [{ shop, endpointId: id }, `2.${unique(400)}`]
      yield* equal("the answer", yield* both[0].replace({ ...place, sealed: options.headers.sealed }, anew), true)
      const after = { ...endpoint, options: { ...options, headers: { ...options.headers, sealed: anew } } }
      yield* equal("the endpoint", yield* endpoints.find(shop, id), Option.some(after))
      yield* endpoints.update(shop, id, changing({ options: { headers: null } }))
      yield* equal("removed ones", yield* both[1].replace({ ...place, sealed: anew }, unique()), false)
    }),
  },
  {
    id: "secrets.replace.oauth",
    title: "MUST replace the sealed secret of an endpoint's OAuth client, and no longer find one that was removed",
    requirements: ["D20", "D55"],
    run: Effect.gen(function* () {
      const both = yield* secrets
      const [{ endpoints }] = yield* bothHosts
      const headers = { names: ["X-A"], sealed: unique() }
      const options = { ...usualOptions, headers, oauth: { ...client, sealed: unique() } }
      const endpoint = yield* newEndpoint({ options })
      const { id, shop } = endpoint
      const [place, anew] = [{ shop, endpointId: id }, `2.${unique(400)}`]
      yield* equal("the answer", yield* both[0].replace({ ...place, sealed: options.oauth.sealed }, anew), true)
      const after = { ...endpoint, options: { ...options, oauth: { ...options.oauth, sealed: anew } } }
      yield* equal("the endpoint", yield* endpoints.find(shop, id), Option.some(after))
      yield* endpoints.update(shop, id, changing({ options: { oauth: null } }))
      yield* equal("a removed one", yield* both[1].replace({ ...place, sealed: anew }, unique()), false)
    }),
  },
  {
    id: "secrets.replace.certificate",
    title: "MUST replace the sealed client certificate of an endpoint, and no longer find one that was removed",
    requirements: ["D20", "D55"],
    run: Effect.gen(function* () {
      const both = yield* secrets
      const [{ endpoints }] = yield* bothHosts
      const oauth = { ...client, sealed: unique() }
      const options = { ...usualOptions, oauth, clientCertificate: { ...facts, sealed: unique() } }
      const endpoint = yield* newEndpoint({ options })
      const { id, shop } = endpoint
      const [place, anew] = [{ shop, endpointId: id }, `2.${unique(400)}`]
      const was = { ...place, sealed: options.clientCertificate.sealed }
      yield* equal("the answer", yield* both[0].replace(was, anew), true)
      const after = { ...endpoint, options: { ...options, clientCertificate: { ...facts, sealed: anew } } }
      yield* equal("the endpoint", yield* endpoints.find(shop, id), Option.some(after))
      yield* endpoints.update(shop, id, changing({ options: { clientCertificate: null } }))
      yield* equal("a removed one", yield* both[1].replace({ ...place, sealed: anew }, unique()), false)
    }),
  },
  {
    id: "secrets.removed",
    title: "MUST keep no secret of a removed endpoint or shop, including a rotation's",
    requirements: ["D20", "D40", "D43"],
    run: Effect.gen(function* () {
      const both = yield* secrets
      const [{ endpoints, shops }] = yield* bothHosts
      const rotation = { secret: unique(), until: someTime + 1 }
      const [one, other] = [yield* newEndpoint({ rotation }), yield* newEndpoint({ rotation })]
      yield* endpoints.remove(one.shop, one.id)
      yield* shops.remove({ shop: other.shop, now: someTime, limit: 1_000 })
      const listed = yield* readAll(both[1], 1_000, Effect.void)
      yield* equal(
        "listed secrets",
        listed.filter(({ shop }) => shop === one.shop || shop === other.shop),
        [],
      )
    }),
  },
  {
    id: "secrets.replace.stale",
    title: "MUST return false and change nothing if the secret was replaced or its endpoint removed meanwhile",
    requirements: ["D20"],
    run: Effect.gen(function* () {
      const both = yield* secrets
      const [host] = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const secret = { shop: endpoint.shop, endpointId: endpoint.id, sealed: endpoint.secret }
      const texts = Array.from({ length: 10 }, () => unique(100))
      const answers = yield* Effect.forEach(texts, (anew, index) => turnOf(both, index).replace(secret, anew), {
        concurrency: "unbounded",
      })
      yield* equal("effective calls", answers.filter(Boolean).length, 1)
      const kept = { ...endpoint, secret: texts[answers.indexOf(true)] ?? "" }
      yield* equal("the endpoint", yield* host.endpoints.find(kept.shop, kept.id), Option.some(kept))
      yield* host.endpoints.remove(kept.shop, kept.id)
      yield* equal("after it was removed", yield* both[1].replace({ ...secret, sealed: kept.secret }, "x"), false)
    }),
  },
])
