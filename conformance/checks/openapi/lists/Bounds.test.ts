/**
 * Every list of the management API has pages, each of which ends early if its texts are long, or a bound by which its
 * longest answer is as small as a page.
 */
import { expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { maximumTokens } from "../../../../core/model/access/Token.ts"
import type { Json } from "../../../../core/model/json/Json.ts"
import { maximumTexts } from "../../../../core/model/Page.ts"
import { shopInput } from "../../../suites/service/Samples.ts"
import { bodyOf, inProcess, manage, memory, type Send } from "../../../testkit/hosts/TestHost.ts"
import { plainDocuments } from "../Documents.ts"
import { jsonOf, operationsOf, parametersOf, resolve, responsesOf } from "../Operations.ts"

const shop = "a".repeat(63)

/** A character that takes most bytes in JSON. */
const longest = "\u0001"

const url = (length: number) => `https://93.184.216.34/${"x".repeat(length - 22)}`

const post = (send: Send, path: string, body: unknown) =>
  Effect.flatMap(manage(send, "POST", `/shops/${shop}${path}`, body), (answer) => bodyOf(201, answer))

const fillTokens = Effect.fnUntraced(function* (send: Send) {
  for (let index = 0; index < maximumTokens; index++) {
    yield* post(send, "/tokens", { name: longest.repeat(255), expiresAt: "9999-12-31T23:59:59Z" })
  }
})

const fillEndpoints = Effect.fnUntraced(function* (send: Send) {
  for (let index = 0; index < 5; index++) {
    yield* post(send, "/webhooks", {
      url: url(2_048),
      description: longest.repeat(255),
      events: ["design.ordered", "order.cancelled", "design.created"],
      customizers: Array.from({ length: 100 }, (_, id) => Number.MAX_SAFE_INTEGER - id),
      headers: Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`x-${"h".repeat(61)}${at}`, "v"])),
      oauth: {
        ...{ tokenUrl: url(2_048), clientId: '"'.repeat(255), clientSecret: "s" },
        ...{ scope: "s".repeat(1_024), audience: '"'.repeat(1_024) },
      },
    })
  }
})

/** The lists without pages: what fills them, and the bytes of what can't be filled in here. */
const bounded: Readonly<
  Record<string, { readonly fill: (send: Send) => Effect.Effect<void>; readonly path: string; readonly rest: number }>
> = {
  "tokens.listTokens": { path: "/tokens", fill: fillTokens, rest: 0 },
  // The subjects of five certificates, which have at most the length of their PEM.
  "webhooks.listEndpoints": { path: "/webhooks", fill: fillEndpoints, rest: 5 * 16_384 },
}

/** The lines of one order: about as long as the order, which is answered whole (D46). A shop has two platforms. */
const partsOfOne: ReadonlyArray<string> = ["orders.listOrderLines", "platforms.listPlatforms"]

const host = Effect.gen(function* () {
  const ports = yield* Layer.build((yield* memory.open).ports)
  const send = yield* inProcess(Layer.succeedContext(ports))
  yield* bodyOf(200, yield* manage(send, "PUT", `/shops/${shop}`, shopInput))
  return send
})

const document = plainDocuments.manage

/** The operations that answer a list. */
const lists = operationsOf(document)
  .filter(({ method }) => method === "GET")
  .flatMap((operation) => {
    const described = responsesOf(document, operation)["200"]
    const schema = described === undefined ? undefined : jsonOf(described)?.["schema"]
    const properties = schema === undefined ? {} : (resolve(document, schema as Json)["properties"] as Json | undefined)
    const data = properties?.["data"] as Json | undefined
    return data?.["type"] === "array" ? [operation] : []
  })

it("every list of the management API MUST have pages or a bound (D46)", () => {
  const without = lists.filter((operation) => {
    const names = parametersOf(operation).map(({ name }) => name)
    return !(names.includes("limit") && names.includes("after"))
  })
  expect(lists.length).toBeGreaterThan(5)
  expect(without.map(({ id }) => id).sort()).toEqual([...Object.keys(bounded), ...partsOfOne].sort())
})

it.effect.each(Object.entries(bounded))(
  "the longest answer MUST be no larger than a page: %s (D46)",
  ([_, { fill, path, rest }]) =>
    Effect.gen(function* () {
      const send = yield* host
      yield* fill(send)
      const answer = yield* manage(send, "GET", `/shops/${shop}${path}`)
      const { data } = yield* bodyOf(200, answer)
      expect((data as ReadonlyArray<Json>).length).toBeGreaterThanOrEqual(5)
      expect(answer.length).toBeGreaterThan(10_000)
      expect(answer.length + rest).toBeLessThanOrEqual(maximumTexts)
    }),
)
