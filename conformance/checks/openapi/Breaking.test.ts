/** Changes of the documents since the last release must not break programs written against it. */
import { describe, expect, it } from "@effect/vitest"
import manifest from "../../../package.json" with { type: "json" }
import { breaks, mayBreak } from "./Breaking.ts"
import { plainDocuments } from "./Documents.ts"
import { type Document, operationsOf } from "./Operations.ts"
import manage from "./released/manage.json" with { type: "json" }
import rest from "./released/rest.json" with { type: "json" }

const released = { rest, manage } as unknown as Record<"rest" | "manage", { version: string; document: Document }>

describe("The OpenAPI documents", () => {
  for (const name of ["rest", "manage"] as const) {
    it(`MUST NOT break programs since the last release, except in a breaking release (CONTRIBUTING.md): ${name}`, () => {
      const { document, version } = released[name]
      const found = breaks(document, plainDocuments[name])
      if (mayBreak(version, manifest.version)) {
        for (const problem of found) console.log(`${version} → ${manifest.version}: ${problem}`)
      } else expect(found).toEqual([])
    })
  }

  it("MUST NOT be compared with a future release", () => {
    for (const { version } of Object.values(released)) expect(mayBreak(manifest.version, version)).toBe(false)
  })
})

/** A copy of a document with one change. */
const changed = (document: Document, change: (copy: never) => void): Document => {
  const copy = structuredClone(document)
  change(copy as never)
  return copy
}

type Free = { [key: string]: Free } & Array<Free>

const { manage: management, rest: api } = plainDocuments

describe("breaks", () => {
  it("MUST find nothing in an unchanged document", () => {
    expect(breaks(api, api)).toEqual([])
    expect(breaks(management, management)).toEqual([])
  })

  const design = "/api/v1/designs/{id}"
  const orders = "/api/v1/orders"
  const shop = "/manage/v1/shops/{shop}"
  const cases: ReadonlyArray<readonly [string, Document, (copy: Free) => void, RegExp]> = [
    ["a path is gone", api, ({ paths }) => delete paths?.[design], /GET .*designs.* is gone/],
    ["an operation is gone", management, ({ paths }) => delete paths?.[shop]?.["delete"], /DELETE .* is gone/],
    ["an answer is gone", api, ({ paths }) => delete paths?.[design]?.["get"]?.["responses"]?.["304"], /304 is gone/],
    [
      "a header of an answer is gone",
      api,
      ({ paths }) => delete paths?.[design]?.["get"]?.["responses"]?.["200"]?.["headers"]?.["ETag"],
      /header ETag is gone/,
    ],
    [
      "a header is no longer guaranteed",
      api,
      ({ components }) => Object.assign(components?.["headers"]?.["X-Api-Version"] ?? {}, { required: false }),
      /X-Api-Version may be left out/,
    ],
    [
      "a field of an answer is gone",
      api,
      ({ components }) => delete components?.["schemas"]?.["Price"]?.["properties"]?.["total"],
      /price\.total is gone/,
    ],
    [
      "a field of an answer may be left out",
      api,
      ({ components }) => Object.assign(components?.["schemas"]?.["Price"] ?? {}, { required: [] }),
      /price\.total may be left out/,
    ],
    [
      "a field of an answer has another type",
      api,
      ({ components }) =>
        Object.assign(components?.["schemas"]?.["Price"]?.["properties"]?.["total"] ?? {}, { type: "string" }),
      /price\.total may be string/,
    ],
    [
      "a field of an answer may be null",
      api,
      ({ components }) =>
        Object.assign(components?.["schemas"]?.["Design"]?.["properties"] ?? {}, {
          thumbnail: { anyOf: [{ type: "string" }, { type: "null" }] },
        }),
      /thumbnail may be something else/,
    ],
    [
      "a parameter is gone",
      api,
      ({ paths }) => paths?.[orders]?.["get"]?.["parameters"]?.shift(),
      /query limit is gone/,
    ],
    [
      "a parameter is new and required",
      api,
      ({ paths }) =>
        paths?.[orders]?.["get"]?.["parameters"]?.push({ in: "query", name: "x", required: true, schema: {} } as never),
      /query x is new and required/,
    ],
    [
      "a limit of a parameter is lower",
      api,
      ({ paths }) => Object.assign(paths?.[orders]?.["get"]?.["parameters"]?.[0]?.["schema"] ?? {}, { maximum: 50 }),
      /maximum is 50, and was 100/,
    ],
    [
      "a field of a body is required now",
      management,
      ({ components }) => components?.["schemas"]?.["ShopInput"]?.["required"]?.push("plan" as never),
      /plan is required now/,
    ],
    [
      "a value is no longer accepted",
      management,
      ({ components }) => components?.["schemas"]?.["ShopInput"]?.["properties"]?.["plan"]?.["enum"]?.pop(),
      /plan no longer takes plus/,
    ],
    [
      "a field of a body is no longer accepted",
      management,
      ({ components }) => delete components?.["schemas"]?.["ShopInput"]?.["properties"]?.["roundingStep"],
      /roundingStep is gone/,
    ],
    [
      "a text must be shorter",
      management,
      ({ components }) =>
        Object.assign(components?.["schemas"]?.["TokenInput"]?.["properties"]?.["name"] ?? {}, { maxLength: 5 }),
      /maxLength is 5/,
    ],
    [
      "an operation has another name",
      api,
      ({ paths }) => Object.assign(paths?.[design]?.["get"] ?? {}, { operationId: "x" }),
      /is called x/,
    ],
    [
      "other keys are needed",
      api,
      ({ paths }) => Object.assign(paths?.[design]?.["get"] ?? {}, { security: [] }),
      /other keys/,
    ],
    ["a webhook is gone", api, ({ webhooks }) => delete webhooks?.["ping"], /webhook ping is gone/],
    [
      "a header of a webhook is gone",
      api,
      ({ webhooks }) => webhooks?.["ping"]?.["post"]?.["parameters"]?.shift(),
      /webhook ping: the header X-Service-Event is gone/,
    ],
  ]
  for (const [title, document, change, expected] of cases) {
    it(`MUST find that ${title}`, () => {
      const found = breaks(document, changed(document, change as never))
      expect(found.join("\n")).toMatch(expected)
    })
  }

  it("MUST allow compatible changes: new operations, parameters, responses, and fields of responses", () => {
    const grown = changed(management, ((copy: Free) => {
      const { components, paths } = copy
      Object.assign(paths ?? {}, { "/manage/v1/new": { get: paths?.[shop]?.["get"] } })
      Object.assign(paths?.[shop]?.["get"] ?? {}, {
        parameters: [...(paths?.[shop]?.["get"]?.["parameters"] ?? []), { in: "query", name: "x", schema: {} }],
      })
      Object.assign(paths?.[shop]?.["get"]?.["responses"] ?? {}, { "410": { description: "Gone" } })
      Object.assign(components?.["schemas"]?.["Shop"]?.["properties"] ?? {}, { more: { type: "string" } })
      Object.assign(components?.["schemas"]?.["ShopInput"]?.["properties"] ?? {}, { more: { type: "string" } })
      components?.["schemas"]?.["ShopInput"]?.["properties"]?.["plan"]?.["enum"]?.push("new" as never)
    }) as never)
    expect(breaks(management, grown)).toEqual([])
    expect(operationsOf(grown).length).toBe(operationsOf(management).length + 1)
  })
})

describe("mayBreak", () => {
  it.each([
    ["1.2.3", "2.0.0", true],
    ["1.2.3", "1.3.0", false],
    ["0.1.0", "0.2.0", true],
    ["0.1.0", "0.1.1", false],
    ["0.9.0", "1.0.0", true],
    ["1.0.0", "0.9.0", false],
  ])("MUST say of %s and then %s: %s", (released, next, expected) => {
    expect(mayBreak(released, next)).toBe(expected)
  })
})
