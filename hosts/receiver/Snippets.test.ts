/**
 * The snippets that guides and the settings app show: each accepts a delivery that is genuine, and no other (§5, §8,
 * D20).
 */
import { createHmac } from "node:crypto"
import { readdirSync } from "node:fs"
import { resolve } from "node:path"
import { Webhook } from "standardwebhooks"
import { describe, expect, inject, it } from "vitest"
import vectors from "../../conformance/suites/vectors/signatures.json" with { type: "json" }
import { type Delivery, notRunnable, verdicts } from "../../conformance/testkit/snippets/Snippet.ts"
import { maximumOrder } from "../../core/model/json/JsonSize.ts"

/** The designs of an order, and what its event has alongside them. The guide names it. */
const largestBody = maximumOrder + 2 * 1024 * 1024

interface Case extends Delivery {
  readonly name: string
  readonly valid: boolean
}

const names = ["X-Service-Timestamp", "X-Service-Signature"] as const

const deliveryOf = (
  [timestamp, signature]: ReadonlyArray<string | Uint8Array | undefined>,
  { body, now, secret }: { readonly secret: string; readonly body: string; readonly now: number },
): Delivery => ({
  secret,
  body: Buffer.from(body),
  now,
  headers: Object.fromEntries(
    [timestamp, signature].flatMap((value, index) =>
      value === undefined ? [] : [[names[index], Buffer.from(value as string)]],
    ),
  ),
})

/** The vectors of the specification. */
const shared: ReadonlyArray<Case> = [
  ...vectors.sign.map((vector) => ({ ...vector, valid: true, now: Number(vector.timestamp) })),
  ...vectors.verify,
].map((vector, index) => ({
  name: `vector ${index}: ${vector.name}`,
  valid: vector.valid,
  ...deliveryOf([vector.timestamp, vector.signature], vector),
}))

const good = vectors.verify[0]!
const { body, secret, signature, timestamp } = good

const sign = (at: string | Uint8Array, key = secret): string =>
  createHmac("sha256", key).update(at).update(`.${body}`).digest("hex")

const malformed = (name: string, headers: ReadonlyArray<string | Uint8Array | undefined>, more = {}): Case => ({
  name,
  valid: false,
  ...deliveryOf(headers, { ...good, ...more }),
})

/** Timestamps that are not Unix time in whole seconds, however well they are signed. */
const timestamps: ReadonlyArray<readonly [name: string, value: string | Uint8Array, now?: number]> = [
  ["a superscript digit", "²", 2],
  ["a superscript digit in Latin-1", Buffer.from("²", "latin1"), 2],
  ["a superscript digit after a good timestamp", `${timestamp}²`],
  ["Arabic-Indic digits", "١٦١٤٢٦٥٣٣٠"],
  ["full-width digits", "１６１４２６５３３０"],
  ["bytes that are not UTF-8", Buffer.from([0xff, 0xfe])],
  ["nothing", "", 0],
  ["a negative number", "-5", -5],
  ["a negative timestamp", `-${timestamp}`, -good.now],
  ["20 digits", "9".repeat(20)],
  ["5,000 digits", "9".repeat(5_000)],
  ["an exponent", "1e9", 1e9],
  ["hexadecimal digits", "0x60378f52"],
  ["an underscore", "1_614_265_330"],
  ["a space inside", "16142 65330"],
  ["a space before", ` ${timestamp}`],
  ["a space after", `${timestamp} `],
  ["a line break after", `${timestamp}\n`],
]

/** Signatures that are not 64 hexadecimal digits. */
const signatures: ReadonlyArray<readonly [name: string, value: string | Uint8Array]> = [
  ["a letter that is not ASCII", `${signature.slice(0, 63)}é`],
  ["a letter that is not ASCII, in Latin-1", Buffer.from(`${signature.slice(0, 63)}é`, "latin1")],
  ["64 superscript digits", "²".repeat(64)],
  ["bytes that are not UTF-8", Buffer.alloc(64, 0xff)],
  ["nothing", ""],
  ["63 digits", signature.slice(0, 63)],
  ["65 digits", `${signature}0`],
  ["128 digits", signature.repeat(2)],
  ["a prefix", `sha256=${signature}`],
  ["a space inside", `${signature.slice(0, 32)} ${signature.slice(32)}`],
]

const cases: ReadonlyArray<Case> = [
  ...shared,
  ...timestamps.map(([name, value, now = good.now]) => malformed(`timestamp: ${name}`, [value, sign(value)], { now })),
  ...signatures.map(([name, value]) => malformed(`signature: ${name}`, [timestamp, value])),
  malformed("timestamp: missing", [undefined, signature]),
  malformed("timestamp: missing, signed as nothing", [undefined, sign("")], { now: 0 }),
  malformed("signature: missing", [timestamp, undefined]),
  malformed("both headers: missing", [undefined, undefined]),
  malformed("secret: empty, and signed with it", [timestamp, sign(timestamp, "")], { secret: "" }),
]

/** HTTP has no line breaks in a header, and takes spaces at its ends away. A verified body must also be an envelope. */
const overHttp = cases.filter(
  ({ body, headers, valid }) =>
    (!valid || Buffer.from(body).includes("apiVersion")) &&
    Object.values(headers).every((value) => !/^\s|\s$/.test(Buffer.from(value).toString("latin1"))),
)

const results = (each: ReadonlyArray<Case>, found: ReadonlyArray<boolean | number>) =>
  Object.fromEntries(each.map(({ name }, index) => [name, found[index]]))

const files = readdirSync(resolve(import.meta.dirname, "snippets"))

/** One of each language, and one of those that use a framework. */
const isTypical = (file: string) => file === "express.ts" || !/^(?:fastify|hono|next)\.ts$/.test(file)

describe("A snippet", () => {
  for (const file of files.filter((name) => name !== "standard-webhooks.ts")) {
    const why = notRunnable(file)
    const title = `MUST accept each genuine delivery and reject every other: ${file}`
    it.skipIf(why !== undefined)(why === undefined ? title : `${title}. Left out: ${why}`, () => {
      const given = file.endsWith(".ts") ? overHttp : cases
      const expected = given.map(({ valid }) => valid)
      expect(results(given, verdicts(file, given))).toEqual(results(given, expected))
    })
  }

  for (const file of inject("wholeMatrix") ? files : files.filter(isTypical)) {
    const why = notRunnable(file)
    const title = `MUST accept a genuine delivery as large as there may be (D46): ${file}`
    it.skipIf(why !== undefined)(why === undefined ? title : `${title}. Left out: ${why}`, () => {
      const event = { id: "evt_1", event: "ping", apiVersion: "2026-10", createdAt: "2026-10-05T14:48:00.000Z" }
      const envelope = (message: string) =>
        JSON.stringify({ ...event, shop: "acme.example.com", data: { message }, test: true })
      const body = envelope("x".repeat(largestBody - envelope("").length))
      expect(body).toHaveLength(largestBody)
      const at = `${good.now}`
      const ours = () => createHmac("sha256", secret).update(`${at}.${body}`).digest("hex")
      const theirs = () => new Webhook(secret).sign("evt_1", new Date(good.now * 1000), body)
      const headers =
        file === "standard-webhooks.ts"
          ? { "webhook-id": "evt_1", "webhook-timestamp": at, "webhook-signature": theirs() }
          : { "X-Service-Timestamp": at, "X-Service-Signature": ours() }
      const inBytes = Object.entries(headers).map(([name, value]) => [name, Buffer.from(value)])
      const delivery = { secret, now: good.now, body: Buffer.from(body), headers: Object.fromEntries(inBytes) }
      expect(verdicts(file, [delivery])).toEqual([true])
    })
  }

  it("MUST accept what a library of Standard Webhooks signs, and reject every other delivery (D41)", () => {
    const headersOf = (key: string, at: number) => ({
      "webhook-id": Buffer.from("evt_1"),
      "webhook-timestamp": Buffer.from(`${at}`),
      "webhook-signature": Buffer.from(new Webhook(key).sign("evt_1", new Date(at * 1000), body)),
    })
    const delivery = { secret, body: Buffer.from(body), now: good.now, headers: headersOf(secret, good.now) }
    const given: ReadonlyArray<Delivery> = [
      delivery,
      { ...delivery, now: good.now + 301 },
      { ...delivery, body: Buffer.from(`${body} `) },
      { ...delivery, headers: headersOf("whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", good.now) },
      { ...delivery, headers: {} },
      { ...delivery, headers: { ...delivery.headers, "webhook-timestamp": Buffer.from("²") } },
    ]
    expect(verdicts("standard-webhooks.ts", given)).toEqual([true, false, false, false, false, false])
  })
})
