import { Effect } from "effect"
import { equal, holds } from "../Assertion.ts"
import addresses from "../vectors/addresses.json" with { type: "json" }
import { isRefused, newShop } from "./Filling.ts"
import { shopInput } from "./Samples.ts"
import { Driver, driving } from "./ServiceCase.ts"

/** The addresses of the vectors that are not public, as hosts of URLs. */
const hosts = addresses.flatMap(({ address, public: isPublic }) =>
  isPublic ? [] : [`https://${address.includes(":") ? `[${address}]` : address}/`],
)

/** Addresses of the machine itself, however they are written: tests may allow them. */
const isOwn = (url: string): boolean => /^(127\.|\[::1\]|\[::ffff:7f)/.test(URL.parse(url)?.hostname ?? "")

/** URLs that are refused even if tests allow this machine itself. */
const notPublic = [
  ...[
    "https://10.0.0.1/",
    "https://172.16.0.1/",
    "https://192.168.1.1/hook",
    "https://169.254.169.254/",
    "https://100.64.0.1/",
  ],
  ...[
    "https://[fd00::1]/",
    "https://[fe80::1]/",
    "https://[::ffff:10.0.0.1]/",
    "https://[2001:db8::1]/",
    "https://0xA000001/",
  ],
  ...["https://shop/", "https://printer.local/", "https://hook.internal/", "https://a.test/", "https://a.invalid/"],
  ...["https://user:secret@hooks.example.org/", "https://8.8.8.8/hook#fragment", "ftp://8.8.8.8/", "not a url", ""],
  `https://8.8.8.8/${"a".repeat(2_048)}`,
  ...hosts.filter((url) => !isOwn(url)),
]

/** Rules for webhook endpoints of a shop. The addresses belong to nobody: nothing is sent and no name is looked up. */
export const endpointCases = driving([
  {
    id: "endpoints.secret",
    title: "MUST give every endpoint its own signing secret, `whsec_` and base64 of 32 bytes",
    requirements: ["§5-6", "D20"],
    run: Effect.gen(function* () {
      const driver = yield* Driver
      const shop = yield* newShop()
      const secrets = new Set<string>()
      for (const url of ["https://8.8.8.8/one", "https://8.8.8.8/two"]) {
        const { secret } = yield* driver.createEndpoint({ shop: shop.id, input: { url } })
        yield* holds(`a secret has the form: ${secret.slice(0, 6)}…`, /^whsec_[A-Za-z0-9+/]{43}=$/.test(secret))
        secrets.add(secret)
      }
      yield* equal("different secrets", secrets.size, 2)
    }),
  },
  {
    id: "endpoints.five",
    title: "MUST allow at most 5 endpoints per shop",
    requirements: ["§8-3", "D31"],
    run: Effect.gen(function* () {
      const driver = yield* Driver
      const shop = yield* newShop()
      const add = (index: number) =>
        driver.createEndpoint({ shop: shop.id, input: { url: `https://8.8.8.8/${index}` } })
      for (let index = 0; index < 5; index++) yield* add(index)
      yield* isRefused("the sixth", add(5))
      const other = yield* newShop()
      yield* driver.createEndpoint({ shop: other.id, input: { url: "https://8.8.8.8/" } })
    }),
  },
  {
    id: "endpoints.public",
    title: "MUST refuse URLs that are not https, or whose host is not public, in whatever form",
    requirements: ["§6-23", "§6-24", "D34", "D35", "D36"],
    run: Effect.gen(function* () {
      const driver = yield* Driver
      const shop = yield* newShop()
      for (const url of notPublic) {
        yield* isRefused(url.slice(0, 60), driver.createEndpoint({ shop: shop.id, input: { url } }))
      }
    }),
  },
  {
    id: "endpoints.public.default",
    title: "MUST refuse plain http and the machine's own addresses unless a receiver is exempted",
    requirements: ["§6-23", "D35", "D37"],
    without: "receiver",
    run: Effect.gen(function* () {
      const driver = yield* Driver
      const shop = yield* newShop()
      for (const url of [
        "http://8.8.8.8/",
        "https://127.0.0.1/",
        "https://[::1]/",
        "https://0.0.0.0/",
        "https://2130706433/",
        "https://localhost/",
        ...hosts.filter(isOwn),
      ]) {
        yield* isRefused(url, driver.createEndpoint({ shop: shop.id, input: { url } }))
      }
    }),
  },
  {
    id: "endpoints.kinds",
    title: "MUST refuse an endpoint without event kinds, or with an unknown one",
    requirements: ["§6-6", "D31"],
    run: Effect.gen(function* () {
      const driver = yield* Driver
      const shop = yield* newShop()
      for (const events of [[], ["ping"], ["design.ordered", "design.deleted"]]) {
        const input = { url: "https://8.8.8.8/", events }
        yield* isRefused(JSON.stringify(events), driver.createEndpoint({ shop: shop.id, input }))
      }
    }),
  },
  {
    id: "endpoints.plan",
    title: "MUST refuse tokens and endpoints to a shop outside the plans pro and plus",
    requirements: ["§1-6", "D8"],
    run: Effect.gen(function* () {
      const driver = yield* Driver
      const shop = yield* newShop()
      yield* driver.putShop({ shop: shop.id, input: { ...shopInput, plan: "free" } })
      yield* isRefused("a token", driver.createToken({ shop: shop.id }))
      yield* isRefused("an endpoint", driver.createEndpoint({ shop: shop.id, input: { url: "https://8.8.8.8/" } }))
    }),
  },
])
