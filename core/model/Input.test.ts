import { describe, expect, it } from "@effect/vitest"
import { Result, type Schema } from "effect"
import { SettingsLinkInput } from "./access/SettingsLink.ts"
import { TokenInput } from "./access/Token.ts"
import { CustomizerInput } from "./catalog/Customizer.ts"
import { DesignInput } from "./catalog/Design.ts"
import { reader, summary } from "./Input.ts"
import { PlatformInput } from "./ingest/PlatformConnection.ts"
import { Currency, NonNegativeCents } from "./Money.ts"
import { OrderInput } from "./orders/Order.ts"
import { BaseUrl, includesApi, ShopInput } from "./shops/Shop.ts"
import { storable } from "./Text.ts"
import { EndpointInput, RecoveryInput, RotationInput } from "./webhooks/Endpoint.ts"
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

/** Input that is refused, and what the messages say of it: the form that is wanted, and the value that was given. */
const refusals: ReadonlyArray<readonly [schema: Schema.Codec<unknown, unknown>, input: unknown, said: object]> = [
  [ShopInput, [], { "": "must be an object, not an empty list" }],
  [
    ShopInput,
    { currency: "eur", imageBase: "a.example", plan: "gold", roundingStep: 0.5 },
    {
      domain: "is missing; it must be a lower-case host name, e.g. shop.example.com",
      currency: 'must be a currency code of three capital letters, e.g. EUR, not "eur"',
      imageBase:
        "must be an absolute http(s) URL such as https://images.example.com, without user info, query, fragment, " +
        'spaces and quotes, not "a.example"',
      plan: 'must be "free", "pro" or "plus", not "gold"',
      roundingStep: "must be an integer number of cents, 1 or more, e.g. 5, not 0.5",
    },
  ],
  [
    CustomizerInput,
    { title: "", platformProductId: 7, assetBase: null },
    {
      title: "must be a string of 1 to 255 characters, well-formed Unicode without NUL, not an empty string",
      platformProductId: "must be gid://<platform>/Product/<numeric id>, e.g. gid://shopify/Product/8120001, not 7",
      assetBase: expect.stringMatching(/^must be an absolute http.*, not null$/),
    },
  ],
  [
    DesignInput,
    { customizerId: "1", basePrice: 12.5, createdAt: "yesterday" },
    {
      customizerId: 'must be a positive integer up to 2^53 − 1, e.g. 101, not "1"',
      selection: "is missing; it must be an object of question ids",
      basePrice: "must be an integer number of cents, 0 or more, e.g. 12900 for 129.00, not 12.5",
      createdAt: 'must be an RFC 3339 date-time with an offset or Z, e.g. 2026-10-05T14:48:00Z, not "yesterday"',
    },
  ],
  [
    OrderInput,
    { name: "n", orderedAt: "2026-10-05T14:48:00Z", lines: [{ designId: 4, quantity: 0 }, "x"] },
    {
      "lines[0].designId": "must be a string of 1 to 255 characters, none of them a control character, not 4",
      "lines[0].lineItemId": "is missing; it must be a string of 1 to 255 characters, none of them a control character",
      "lines[0].quantity": "must be an integer from 1 to 1000000, not 0",
      "lines[1]": 'must be an object, not "x"',
    },
  ],
  [
    TokenInput,
    { name: "n", scopes: ["orders:read", "orders:read"] },
    { scopes: 'must be a list of at least one scope, none of them twice, not ["orders:read","orders:read"]' },
  ],
  [SettingsLinkInput, { actor: "a", readOnly: "yes" }, { readOnly: 'must be true or false, not "yes"' }],
  [
    EndpointInput,
    { url: "https://a.example", events: "design.ordered", customizers: [], maxPerSecond: "5" },
    {
      events: 'must be a list of at least one event kind, none of them twice, not "design.ordered"',
      customizers: "must be a list of 1 to 100 ids of customizers, each once, not an empty list",
      maxPerSecond: 'must be an integer from 1 to 1000 or null, not "5"',
    },
  ],
  [RotationInput, { overlap: 1.5 }, { overlap: "must be a number of whole seconds, 0 to 604800 (7 days), not 1.5" }],
  [ResendInput, { state: "done" }, { state: 'must be "succeeded", "failed" or "dropped", not "done"' }],
]

describe("The messages of a reader", () => {
  it.each(refusals)("MUST say what is wanted and what was given: %# %j", (schema, input, said) => {
    const { problems } = Result.getOrThrow(Result.flip(reader(schema)(input)))
    expect(Object.fromEntries(problems.map(({ message, path }) => [path, message]))).toEqual(said)
  })

  it("MUST NOT repeat values that may be secrets", () => {
    const secret = "s3cret\u20ac"
    for (const options of [
      { url: `https://a.example/?${secret}${"x".repeat(2048)}` },
      { headers: { "X-Key": secret } },
      { headers: { [secret]: "v" } },
      { headers: [secret] },
      { headers: secret },
      { oauth: { tokenUrl: secret, clientId: secret, clientSecret: secret, scope: [secret] } },
      { oauth: [secret] },
      { clientCertificate: { certificate: secret, key: secret } },
      { clientCertificate: { certificate: [secret], key: 5 } },
    ]) {
      const error = Result.getOrThrow(Result.flip(reader(EndpointInput)({ url: "https://a.example", ...options })))
      expect(error.message).toContain(": must ")
      expect(JSON.stringify(error)).not.toContain("s3cret")
    }
    for (const [name, value] of Object.entries({ accessKey: `${secret} `, secret: "s3cret" })) {
      const error = Result.getOrThrow(Result.flip(reader(PlatformInput)({ domain: "a.example", [name]: value })))
      expect(error.problems.map(({ path }) => path)).toEqual([name])
      expect(JSON.stringify(error)).not.toContain("s3cret")
    }
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
