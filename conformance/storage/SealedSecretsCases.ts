import { Effect, Option } from "effect"
import { EndpointStore } from "../../core/ports/EndpointStore.ts"
import { type SealedSecret, SealedSecrets } from "../../core/ports/SealedSecrets.ts"
import { ShopStore } from "../../core/ports/ShopStore.ts"
import { equal, holds } from "../Assertion.ts"
import { unique } from "./Fixtures.ts"
import { calling, onOtherHost } from "./StorageCase.ts"
import { addEndpoint, bothHosts, newEndpoint, newWebhookShop, turnOf } from "./Webhooks.ts"

const secrets = Effect.all([SealedSecrets, onOtherHost(SealedSecrets)])

/** Reads all secrets of a store in pages, and does something after each. */
const readAll = Effect.fnUntraced(function* <E, R>(
  store: SealedSecrets["Service"],
  limit: number,
  between: Effect.Effect<unknown, E, R>,
) {
  const all: Array<SealedSecret> = []
  for (let after: SealedSecret | null = null; ; ) {
    const page: ReadonlyArray<SealedSecret> = yield* store.list(after, limit)
    yield* holds("a page has at most as many as were asked for", page.length <= limit)
    all.push(...page)
    after = page.at(-1) ?? null
    if (after === null) return all
    yield* between
  }
})

/** What `SealedSecrets` promises. */
export const sealedSecretsCases = calling(
  ShopStore,
  EndpointStore,
  SealedSecrets,
)([
  {
    id: "secrets.list",
    title:
      "MUST list every sealed secret of every shop exactly once in pages of any size, also while others come and go",
    requirements: ["D20"],
    run: Effect.gen(function* () {
      const both = yield* secrets
      const shops = [(yield* newWebhookShop()).id, (yield* newWebhookShop()).id, (yield* newWebhookShop()).id]
      const id = `whe_${unique(22)}`
      const kept: Array<SealedSecret> = []
      for (const [index, shop] of shops.entries()) {
        // Shops may have endpoints of the same id.
        for (const fields of [{ id }, {}, {}].slice(0, index + 1)) {
          const endpoint = yield* addEndpoint(shop, fields)
          kept.push({ shop, endpointId: endpoint.id, sealed: endpoint.secret })
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
          const found = listed.filter((one) => one.shop === secret.shop && one.endpointId === secret.endpointId)
          yield* equal("how often it is listed, and how", found, [secret])
        }
      }
    }),
  },
  {
    id: "secrets.replace",
    title: "MUST keep a secret in place of the one that is kept, seen at once on every host, and change nothing else",
    requirements: ["D20", "D24"],
    run: Effect.gen(function* () {
      const both = yield* secrets
      const hosts = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const beside = yield* addEndpoint(endpoint.shop)
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
    id: "secrets.replace.stale",
    title: "MUST answer false and change nothing where the secret was replaced or its endpoint removed meanwhile",
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
      yield* equal("how many took effect", answers.filter(Boolean).length, 1)
      const kept = { ...endpoint, secret: texts[answers.indexOf(true)] ?? "" }
      yield* equal("the endpoint", yield* host.endpoints.find(kept.shop, kept.id), Option.some(kept))
      yield* host.endpoints.remove(kept.shop, kept.id)
      yield* equal("after it was removed", yield* both[1].replace({ ...secret, sealed: kept.secret }, "x"), false)
    }),
  },
])
