import { expect, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { serviceUrl } from "./ServiceUrl.ts"

const forms = ["https://{shop}.designs.example.com", "https://designs.example.com/{shop}"]

it.effect("--url MUST be the address of the shop that is named, or the one that a path of a shop's is below", () =>
  Effect.gen(function* () {
    const urls = yield* Effect.forEach(forms, (url) => serviceUrl(Option.some(url), "manage", Option.some("acme")))
    expect(urls).toEqual(["https://acme.designs.example.com", "https://designs.example.com"])
  }),
)

it.effect("--url MUST be refused if it has {shop} and no shop is named", () =>
  Effect.gen(function* () {
    for (const url of forms) {
      const managed = yield* Effect.flip(serviceUrl(Option.some(url), "manage"))
      expect(managed.message).toBe("--url has {shop}: name the shop by --shop")
      const read = yield* Effect.flip(serviceUrl(Option.some(url), "api"))
      expect(read.message).toBe("--url has {shop}: write the shop's id in its place")
    }
  }),
)
