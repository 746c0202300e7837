import { describe, expect, it } from "@effect/vitest"
import { Result, type Schema } from "effect"
import { TokenInput } from "./access/Token.ts"
import { CustomizerInput } from "./catalog/Customizer.ts"
import { DesignInput } from "./catalog/Design.ts"
import { reader, summary } from "./Input.ts"
import { Currency, NonNegativeCents } from "./Money.ts"
import { OrderInput } from "./orders/Order.ts"
import { BaseUrl, includesApi, ShopInput } from "./shops/Shop.ts"
import { storable } from "./Text.ts"
import { RecoveryInput, RotationInput } from "./webhooks/Endpoint.ts"
import { ResendInput } from "./webhooks/Resend.ts"

const pathsOf = (result: Result.Result<unknown, { readonly problems: ReadonlyArray<{ readonly path: string }> }>) =>
  Result.isFailure(result) ? result.failure.problems.map(({ path }) => path) : undefined

describe("reader", () => {
  const read = reader(OrderInput)
  const line = { designId: "d", lineItemId: "l" }
  const fine = { name: "n", orderedAt: "2026-10-05T14:48:00Z", lines: [line] }

  it("MUST refuse fields that do not exist, and name the nearest that does (D48)", () => {
    const unknown = Result.getOrThrow(Result.flip(read({ ...fine, nome: 1, lines: [{ ...line, design: 1 }] })))
    expect([unknown._tag, unknown.problems]).toEqual([
      "UnknownFields",
      [
        { path: "nome", message: "is unknown: did you mean name?" },
        { path: "lines[0].design", message: "is unknown: did you mean designId?" },
      ],
    ])
    const mixed = Result.getOrThrow(Result.flip(read({ ...fine, name: 1, nome: 1 })))
    expect([mixed._tag, mixed.problems.map(({ path }) => path)]).toEqual(["InvalidInput", ["nome", "name"]])
    expect(Result.getOrThrow(read(fine))).toEqual(fine)
  })

  it("MUST name every problem with its path", () => {
    expect(pathsOf(read({ name: 1, orderedAt: "x", lines: [line, { designId: "" }, 5] }))).toEqual([
      "name",
      "orderedAt",
      "lines[1].designId",
      "lines[1].lineItemId",
      "lines[2]",
    ])
    for (const input of [undefined, null, 1, "x", [], true])
      expect([input, pathsOf(read(input))?.length]).not.toEqual([input, 0])
    expect(pathsOf(read(null))).toEqual([""])
  })

  it("MUST list at most 100 problems and say how many more there are (D46)", () => {
    const { message, problems } = Result.getOrThrow(Result.flip(read({ ...fine, lines: Array(150).fill(5) })))
    expect(problems).toHaveLength(100)
    expect(message).toContain("lines[0]: ")
    expect(message).toContain("(and 149 more problems; the first 100 are listed)")
  })

  it("MUST name only the first problem of input above 16 KiB, and say so", () => {
    const { message, problems } = Result.getOrThrow(Result.flip(read({ ...fine, lines: Array(20_000).fill(5) })))
    expect(problems.map(({ path }) => path)).toEqual(["lines[0]"])
    expect(message).toContain("only the first problem is named: lines[0]: ")
  })

  it("MUST NOT recurse into what it refuses, however deep it is", () => {
    let deep: unknown = 0
    for (let depth = 0; depth < 200_000; depth++) deep = [deep]
    expect(pathsOf(read(deep))).toEqual([""])
    expect(pathsOf(read({ ...fine, name: deep }))).toEqual(["name"])
  })

  it("MUST take no field from a key named __proto__", () => {
    expect(pathsOf(reader(TokenInput)(JSON.parse('{"__proto__":{"name":"x"}}')))).toEqual(["__proto__", "name"])
  })
})

describe("summary", () => {
  const problem = { path: "a.b", message: "m" }

  it("MUST hold the first problem and how many more there are", () => {
    expect(summary("S", { listed: [], total: 0 })).toBe("S")
    expect(summary("S", { listed: [problem], total: 1 })).toBe("S: a.b: m")
    expect(summary("S", { listed: [{ ...problem, path: "" }, problem, problem], total: 3 })).toBe(
      "S: m (and 2 more problems)",
    )
  })

  it("MUST say how many of them are listed if that is not all (D46)", () => {
    expect(summary("S", { listed: [problem, problem], total: 19_999 })).toBe(
      "S: a.b: m (and 19998 more problems; the first 2 are listed)",
    )
  })
})

const shop = { domain: "a", currency: "EUR", imageBase: "https://a" }

/** Values that a schema accepts and values that it refuses. */
const cases: ReadonlyArray<
  readonly [
    name: string,
    schema: Schema.Codec<unknown, unknown>,
    fine: ReadonlyArray<unknown>,
    not: ReadonlyArray<unknown>,
  ]
> = [
  [
    "NonNegativeCents (§1)",
    NonNegativeCents,
    [0, 1, Number.MAX_SAFE_INTEGER],
    [-1, 0.1, 2 ** 53, Number.NaN, Infinity, "1", null],
  ],
  ["Currency (§2.1)", Currency, ["EUR", "USD"], ["eur", "EU", "EURO", "E1R", "EUR ", "EUR\n", "", 978]],
  [
    "BaseUrl",
    BaseUrl,
    ["https://a.example", "http://localhost:3000/a/", "https://a.example/a%20b"],
    [
      "",
      "a.example",
      "//a.example",
      "ftp://a.example",
      "https://",
      "https://a?x",
      "https://a#x",
      "https://u@a",
      "https://:p@a",
      `https://a/${"x".repeat(2048)}`,
      "https://a/\0",
      "https://a/\ud800",
      "javascript:alert(1)",
      ...["https://*/", "https://*.a.example/", "https://a;script-src", "https://a%2a.example"],
      ...[`https://a/"`, "https://a/'", "https://a/`", "https://a/<b>"],
      ...["https://a/\nb", "https://a\n", " https://a", "https://a/a b"],
    ],
  ],
  ["storable", storable(1, 3), ["a", "abc", "😀😀😀", "\n", "\uffff"], ["", "abcd", "\0", "\ud800", "😀😀😀😀"]],
  [
    "TokenInput (D18)",
    TokenInput,
    [{ name: "a" }, { name: "x".repeat(255) }],
    [{}, { name: "" }, { name: "x".repeat(256) }, { name: null }],
  ],
  [
    "ShopInput (D8)",
    ShopInput,
    [
      { ...shop, domain: "a.example" },
      { ...shop, plan: "free", roundingStep: Number.MAX_SAFE_INTEGER },
    ],
    [
      ...[null, "", "PRO", "basic", 1, ["pro"]].map((plan) => ({ ...shop, plan })),
      ...[null, 0, -1, 1.5, "1", 2 ** 53, true].map((roundingStep) => ({ ...shop, roundingStep })),
      ...[undefined, null, 1, "", "A.example", "a b", "https://a.example", "a..b", "-a.example"]
        .concat("a.example.", "a_b.c", "ä.example", "a\0.b", `${"a".repeat(64)}.b`)
        .map((domain) => ({ ...shop, domain })),
    ],
  ],
  [
    "CustomizerInput (§2.3)",
    CustomizerInput,
    [{ title: "T", platformProductId: "gid://p/Product/7", assetBase: "https://a/" }],
    ["gid://p/Product/", "gid://p/Product/7x", "gid://p/q/Product/7", "gid:///Product/7", "gid://p/Order/7", "7"].map(
      (platformProductId) => ({ title: "T", platformProductId, assetBase: "https://a/" }),
    ),
  ],
  [
    "DesignInput (§2.1)",
    DesignInput,
    [
      { customizerId: 1, selection: null, basePrice: 0 },
      { customizerId: 1, selection: {}, basePrice: 1, createdAt: "2026-10-05T14:48:00Z" },
    ],
    [
      { customizerId: 1, basePrice: 0 },
      { customizerId: 0, selection: {}, basePrice: 0 },
      { customizerId: 1, selection: {}, basePrice: 0, createdAt: "2026-10-05" },
    ],
  ],
  [
    "RotationInput (D40)",
    RotationInput,
    [{}, { overlap: 0 }, { overlap: 604_800 }],
    [null, -1, 0.5, 604_801, 1e300, "60", "", true, [], {}].map((overlap) => ({ overlap })),
  ],
  [
    "RecoveryInput (D28)",
    RecoveryInput,
    [{ since: "2020-01-01T00:00:00+02:00" }],
    [undefined, null, 1, "", "yesterday", "2026-01-01", "2026-01-01T00:00:00", "2026-13-01T00:00:00Z", {}].map(
      (since) => ({ since }),
    ),
  ],
  [
    "ResendInput",
    ResendInput,
    [{}, { state: "failed" }, { kind: "design.ordered", from: "2026-01-01T00:00:00Z", tests: true }],
    [{ state: "pending" }, { state: "" }, { kind: "design.deleted" }, { tests: "yes" }, { states: "failed" }, [], null],
  ],
]

describe("What input must be", () => {
  it.each(cases)("MUST be checked: %s", (_, schema, fine, not) => {
    const is = (value: unknown) => Result.isSuccess(reader(schema)(value))
    for (const value of fine) expect([value, is(value)]).toEqual([value, true])
    for (const value of not) expect([value, is(value)]).toEqual([value, false])
  })
})

describe("includesApi (§1, D8)", () => {
  it("MUST hold for pro and plus alone", () => {
    expect([includesApi("free"), includesApi("pro"), includesApi("plus")]).toEqual([false, true, true])
  })
})
