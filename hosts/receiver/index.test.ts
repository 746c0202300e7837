import { createHmac } from "node:crypto"
import { readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import { makeShop } from "../../conformance/suites/storage/support/Fixtures.ts"
import * as Event from "../../core/model/events/Event.ts"
import { type VerifyOptions, verifyWebhook, type WebhookHeaders } from "./index.ts"

interface Signed {
  readonly name: string
  readonly secret: string
  readonly timestamp: string
  readonly body: string
  readonly signature: string
}

const vectors = JSON.parse(
  readFileSync(new URL("../../conformance/suites/vectors/signatures.json", import.meta.url), "utf8"),
) as {
  readonly sign: ReadonlyArray<Signed>
  readonly verify: ReadonlyArray<Signed & { readonly now: number; readonly valid: boolean }>
}

const secret = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
const seconds = 1_791_211_680
const now = seconds * 1000
const body =
  '{"id":"evt_1","event":"ping","apiVersion":"2026-10","createdAt":"2026-10-05T14:48:00.000+00:00","shop":"demo.example.com","data":{"message":"♥"},"test":true}'

const sign = (timestamp: string, signed: string | Uint8Array = body, key = secret): string =>
  createHmac("sha256", key).update(`${timestamp}.`).update(signed).digest("hex")

const headersOf = (timestamp = String(seconds), signature = sign(timestamp)): Readonly<Record<string, string>> => ({
  "x-service-event": "ping",
  "x-service-delivery": "dlv_1",
  "x-service-timestamp": timestamp,
  "x-service-signature": signature,
})

const verify = (more: Partial<VerifyOptions> = {}) =>
  verifyWebhook({ secret, headers: headersOf(), body, now, ...more })

/** A body that was signed as it is. */
const verifySigned = (signed: string | Uint8Array) =>
  verify({ body: signed, headers: headersOf(String(seconds), sign(String(seconds), signed)) })

const raise = (): never => {
  throw new Error("not to be touched")
}

const revokedProxy = (): object => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

const detached = (): ArrayBuffer => {
  const buffer = new ArrayBuffer(8)
  structuredClone(buffer, { transfer: [buffer] })
  return buffer
}

const viewOfDetached = (): Uint8Array => {
  const view = new Uint8Array(8)
  structuredClone(view.buffer, { transfer: [view.buffer] })
  return view
}

const reasonOf = async (result: ReturnType<typeof verifyWebhook>) => {
  const answer = await result
  return answer.ok ? "ok" : answer.reason
}

describe("the vectors", () => {
  it("MUST all be read", () => {
    expect([vectors.sign.length, vectors.verify.length]).toEqual([28, 19])
  })

  it.each(vectors.sign)("MUST have a valid signature: $name at $timestamp (§5, D20)", async (vector) => {
    const { body, secret, signature, timestamp } = vector
    const headers = { "x-service-timestamp": timestamp, "x-service-signature": signature }
    const options = { secret, headers, body, now: Number(timestamp) * 1000 }
    // Most of them are not envelopes, which shows only after the signature has matched.
    expect(await reasonOf(verifyWebhook(options))).toBe(vector.name === "ping" ? "ok" : "bad_body")
    expect(await reasonOf(verifyWebhook({ ...options, body: `${body} ` }))).toBe("bad_signature")
  })

  it.each(vectors.verify)("MUST answer $valid: $name (§5, §8)", async (vector) => {
    const headers = { "x-service-timestamp": vector.timestamp, "x-service-signature": vector.signature }
    const { body, secret } = vector
    expect((await verifyWebhook({ secret, headers, body, now: vector.now * 1000 })).ok).toBe(vector.valid)
  })
})

describe("a valid delivery", () => {
  it("MUST be returned with its event, delivery id and timestamp (§2.5, §6)", async () => {
    expect(await verify()).toEqual({ ok: true, event: JSON.parse(body), deliveryId: "dlv_1", timestamp: seconds })
  })

  it("MUST be what this library writes and signs (§2.5, D21)", async () => {
    const written = Event.eventOf(makeShop(), {
      id: "evt_2",
      event: "design.ordered",
      now,
      data: Event.designData('{"id":"d"}'),
    })
    const result = await verifySigned(written.body)
    expect(result.ok && result.event.event === "design.ordered" && result.event.data.design.id).toBe("d")
  })

  it("MUST be accepted as text, bytes, part of a buffer and ArrayBuffer", async () => {
    const bytes = new TextEncoder().encode(body)
    const larger = new Uint8Array(bytes.length + 20).fill(65)
    larger.set(bytes, 7)
    for (const form of [body, bytes, Buffer.from(body), larger.subarray(7, 7 + bytes.length), bytes.buffer]) {
      expect(await reasonOf(verify({ body: form }))).toBe("ok")
    }
  })

  it("MUST be accepted with headers in any form and case", async () => {
    const plain = headersOf()
    const upper = Object.fromEntries(Object.entries(plain).map(([name, value]) => [name.toUpperCase(), value]))
    const lists = Object.fromEntries(Object.entries(plain).map(([name, value]) => [name, [value]]))
    const forms: ReadonlyArray<WebhookHeaders> = [
      plain,
      upper,
      lists,
      new Headers(plain),
      { ...plain, get: "a header of that name", cookie: undefined },
    ]
    for (const headers of forms) expect(await verify({ headers })).toMatchObject({ ok: true, deliveryId: "dlv_1" })
  })

  it("MUST be accepted without a delivery id, which is not signed", async () => {
    const { "x-service-delivery": _, ...headers } = headersOf()
    expect(await verify({ headers })).toMatchObject({ ok: true, deliveryId: null })
  })

  it("MUST be accepted with any of several secrets, and refused with two others (D40)", async () => {
    expect(await reasonOf(verify({ secret: ["whsec_new", secret] }))).toBe("ok")
    expect(await reasonOf(verify({ secret: [secret, "whsec_old"] }))).toBe("ok")
    expect(await reasonOf(verify({ secret: ["whsec_new", "whsec_old"] }))).toBe("bad_signature")
  })

  it("MUST be accepted with kinds that a later version may add", async () => {
    expect(await reasonOf(verifySigned(body.replace('"ping"', '"design.printed"')))).toBe("ok")
  })

  it("MUST be compared with the clock if no time is given (§8)", async () => {
    const timestamp = String(Math.floor(Date.now() / 1000))
    expect(await reasonOf(verifyWebhook({ secret, body, headers: headersOf(timestamp) }))).toBe("ok")
    expect(await reasonOf(verifyWebhook({ secret, body, headers: headersOf("1614265330") }))).toBe("stale")
  })
})

describe("headers", () => {
  it("MUST include the timestamp and the signature (§6)", async () => {
    for (const name of ["x-service-timestamp", "x-service-signature"]) {
      for (const value of [undefined, []]) {
        const result = await verify({ headers: { ...headersOf(), [name]: value } })
        expect(result).toMatchObject({ ok: false, reason: "missing_header" })
        expect(result.ok || result.message.toLowerCase()).toContain(name)
      }
    }
    expect(await reasonOf(verify({ headers: new Headers() }))).toBe("missing_header")
  })

  it("MUST NOT be given twice, so that nobody can choose which one counts (§5)", async () => {
    const headers = headersOf()
    const twice = (name: string) => ({ ...headers, [name]: [headers[name] ?? "", headers[name] ?? ""] })
    expect(await reasonOf(verify({ headers: twice("x-service-timestamp") }))).toBe("bad_timestamp")
    expect(await reasonOf(verify({ headers: twice("x-service-signature") }))).toBe("bad_signature")
    const bothCases = { ...headers, "X-Service-Signature": headers["x-service-signature"] ?? "" }
    expect(await reasonOf(verify({ headers: bothCases }))).toBe("bad_signature")
  })

  it.each([
    "",
    "1e9",
    "-5",
    "+5",
    " 5",
    "5 ",
    "05",
    "0x5",
    "5.0",
    "NaN",
    "Infinity",
    "٥",
    "9".repeat(16),
    "9".repeat(400),
  ])("MUST NOT have the timestamp %j, even with a valid signature (§6)", async (timestamp) => {
    expect(await reasonOf(verify({ headers: headersOf(timestamp), now: Number(timestamp) * 1000 }))).toBe(
      "bad_timestamp",
    )
  })

  it("MUST have a timestamp at most 300 seconds away, before or after (§5, §8)", async () => {
    for (const [distance, expected] of [
      [0, "ok"],
      [300_000, "ok"],
      [300_001, "stale"],
      [86_400_000, "stale"],
    ] as const) {
      expect(await reasonOf(verify({ now: now + distance }))).toBe(expected)
      expect(await reasonOf(verify({ now: new Date(now - distance) }))).toBe(expected)
    }
  })

  it("MUST be stale if now is not a number (§8)", async () => {
    expect(await reasonOf(verify({ now: Number.NaN }))).toBe("stale")
    expect(await reasonOf(verify({ now: new Date("never") }))).toBe("stale")
  })

  it("MUST have a signature of 64 lower-case hexadecimal digits (§5)", async () => {
    const good = sign(String(seconds))
    for (const signature of [
      "",
      good.toUpperCase(),
      good.slice(0, 63),
      good.slice(0, 62),
      `${good}0`,
      `${good}00`,
      `sha256=${good}`,
      ` ${good}`,
      "g".repeat(64),
      "zz".repeat(32),
      `0x${good.slice(2)}`,
    ]) {
      expect(await reasonOf(verify({ headers: headersOf(undefined, signature) }))).toBe("bad_signature")
    }
  })

  it("MUST have a signature that is right in every digit (§5, §5-8)", async () => {
    const good = sign(String(seconds))
    for (let index = 0; index < 64; index++) {
      const digit = good[index] === "0" ? "1" : "0"
      const signature = good.slice(0, index) + digit + good.slice(index + 1)
      expect(await reasonOf(verify({ headers: headersOf(undefined, signature) }))).toBe("bad_signature")
    }
  })
})

describe("the signature", () => {
  it("MUST be over the timestamp, so that an old delivery can't be sent again under a new one (§5)", async () => {
    const old = String(seconds - 1_000)
    expect(await reasonOf(verify({ headers: headersOf(String(seconds), sign(old)) }))).toBe("bad_signature")
  })

  it("MUST be over the raw bytes: the same JSON written again is another body (§5, §5-8)", async () => {
    expect(await reasonOf(verify({ body: JSON.stringify(JSON.parse(body), null, 1) }))).toBe("bad_signature")
    expect(await reasonOf(verify({ body: `${body}\n` }))).toBe("bad_signature")
  })

  it("MUST be checked before the body is parsed (§5, §5-8)", async () => {
    expect(await reasonOf(verify({ body: "{" }))).toBe("bad_signature")
  })

  it("MUST NOT be accepted without a secret, or with an empty one", async () => {
    const headers = headersOf(undefined, sign(String(seconds), body, ""))
    for (const none of ["", [], [""], undefined as unknown as string]) {
      expect(await reasonOf(verify({ secret: none, headers }))).toBe("bad_signature")
    }
    expect(await reasonOf(verify({ secret: ["", secret] }))).toBe("ok")
  })

  it("MUST be made with the whole secret, prefix included (D20)", async () => {
    const headers = headersOf(undefined, sign(String(seconds), body, secret.slice("whsec_".length)))
    expect(await reasonOf(verify({ headers }))).toBe("bad_signature")
  })
})

describe("the body", () => {
  it.each([
    "",
    "{",
    "null",
    "[]",
    '"text"',
    "{}",
    `\ufeff${body}`,
    body.replace('"evt_1"', "1"),
    body.replace('"event":"ping",', ""),
    body.replace('"2026-10"', "null"),
    body.replace('"shop":', '"store":'),
    body.replace('{"message":"♥"}', "null"),
    body.replace('{"message":"♥"}', "[]"),
    body.replace("true", '"true"'),
  ])("MUST be an envelope, unlike %j (§2.5)", async (signed) => {
    expect(await reasonOf(verifySigned(signed))).toBe("bad_body")
  })

  it("MUST be UTF-8", async () => {
    const bytes = Buffer.from(body.replace("♥", "\u00ff"), "latin1")
    expect(await reasonOf(verifySigned(bytes))).toBe("bad_body")
  })

  it("MUST be raw: a parsed body is reported as such, not as a wrong signature (§5)", async () => {
    const parsed = JSON.parse(body) as string
    expect(await reasonOf(verify({ body: parsed }))).toBe("bad_body")
    expect(await reasonOf(verify({ body: undefined as unknown as string }))).toBe("bad_body")
  })
})

describe("a value that is not a delivery", () => {
  const thrower = new Proxy({}, { get: () => raise(), ownKeys: () => raise(), has: () => raise() })
  const odd: ReadonlyArray<readonly [name: string, value: unknown]> = [
    ...[undefined, null, 0, Number.NaN, 1n, "", "x", true, Symbol("x")].map((value) => [typeof value, value] as const),
    ["a list", []],
    ["a list of lists", [[[]], [null], [undefined, Symbol("y")]]],
    ["a function", () => "x"],
    ["an object without a prototype", Object.create(null)],
    ["a map", new Map([["x-service-timestamp", String(seconds)]])],
    ["a get that fails", { get: raise }],
    ["a get that answers something else", { get: () => ({}) }],
    ["values that are not texts", { "x-service-timestamp": Symbol("z"), "x-service-signature": {} }],
    ["a proxy that always throws", thrower],
    ["a revoked proxy", revokedProxy()],
    ["a detached buffer", detached()],
    ["a view of a detached buffer", viewOfDetached()],
  ]

  it.each(odd)("MUST be reported in the result, never thrown: %s", async (_, value) => {
    const given = value as never
    expect(["missing_header", "bad_timestamp"]).toContain(await reasonOf(verify({ headers: given })))
    const signed = await reasonOf(verify({ body: given }))
    expect(["bad_body", "bad_signature"]).toContain(signed)
    expect(await reasonOf(verify({ secret: given }))).toBe("bad_signature")
    expect(["stale", "ok"]).toContain(await reasonOf(verify({ now: given })))
    expect(await reasonOf(verify({ headers: given, body: given, secret: given, now: given }))).not.toBe("ok")
  })
})

describe("the module", () => {
  it("MUST import nothing but types, so that it runs anywhere", () => {
    const source = readFileSync(new URL("./index.ts", import.meta.url), "utf8")
    // The documentation's example is inside a comment.
    const code = source.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^(?:import|export) type .*$/gm, "")
    expect(code).not.toMatch(/\bimport\b|\brequire\b|\bprocess\b|\bBuffer\b/)
  })
})
