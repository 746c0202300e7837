import { createHmac } from "node:crypto"
import { describe, expect, it } from "@effect/vitest"
import signatures from "../../../conformance/suites/vectors/signatures.json" with { type: "json" }
import * as Signature from "./Signature.ts"

const mac = ({ secret, timestamp, body }: Record<"secret" | "timestamp" | "body", string>): Uint8Array =>
  createHmac("sha256", Signature.keyBytes(secret)).update(Signature.signedText(timestamp, body), "utf8").digest()

const good = signatures.verify[0]!
const now = good.now * 1000

describe("secretFromBytes", () => {
  it("MUST be whsec_ and base64 of 32 bytes (§5, D20, §5-6)", () => {
    expect(Signature.secretFromBytes(new Uint8Array(32))).toBe(`whsec_${"A".repeat(43)}=`)
    expect(Signature.secretFromBytes(new Uint8Array(32).fill(255))).toBe(`whsec_${"/".repeat(42)}8=`)
  })
})

describe("Standard Webhooks (D41)", () => {
  it("MUST use the decoded base64 of the secret as its key", () => {
    const bytes = new Uint8Array(32).map((_, index) => 7 * index)
    expect(Signature.standardKeyBytes(Signature.secretFromBytes(bytes))).toEqual(bytes)
  })

  it("MUST sign the event's id, the timestamp and the body, as v1 in base64", () => {
    expect(Signature.standardSignedText("evt_1", "1614265330", "{}")).toBe("evt_1.1614265330.{}")
    expect(Signature.standardSignatureOf(new Uint8Array(32).fill(255))).toBe(`v1,${"/".repeat(42)}8=`)
  })
})

describe("timestamps", () => {
  it("MUST be whole seconds, truncated and not rounded (§6)", () => {
    expect(Signature.timestampOf(1_614_265_330_999)).toBe("1614265330")
    expect(Signature.timestampOf(0)).toBe("0")
  })

  it.each([
    "",
    "1e9",
    "-5",
    "+5",
    " 5",
    "5 ",
    "5\n",
    "05",
    "00",
    "0x5",
    "5.0",
    "5,5",
    "٥",
    "Infinity",
    "NaN",
    "9".repeat(16),
  ])("MUST NOT be %j", (text) => {
    expect(Signature.parseTimestamp(text)).toBe(undefined)
  })

  it("MUST be read in the form in which they are written", () => {
    for (const seconds of [0, 5, 1_614_265_330, 253_402_300_799]) {
      expect(Signature.parseTimestamp(Signature.timestampOf(seconds * 1000))).toBe(seconds)
    }
  })

  it("MUST be refused past 300 seconds in either direction, to the millisecond (§5, §8)", () => {
    for (const [distance, fresh] of [
      [0, true],
      [300_000, true],
      [300_001, false],
    ] as const) {
      expect(Signature.isFresh(1_000, 1_000_000 + distance)).toBe(fresh)
      expect(Signature.isFresh(1_000, 1_000_000 - distance)).toBe(fresh)
    }
  })

  it("MUST NOT be fresh if the current time is unknown", () => {
    expect(Signature.isFresh(1_000, Number.NaN)).toBe(false)
  })
})

describe("accepts", () => {
  it("MUST refuse a signature that differs in any one digit (§5)", () => {
    const bytes = mac(good)
    expect(Signature.accepts(good, bytes, now)).toBe(true)
    for (let index = 0; index < 64; index++) {
      const digit = good.signature[index] === "0" ? "1" : "0"
      const signature = good.signature.slice(0, index) + digit + good.signature.slice(index + 1)
      expect(Signature.accepts({ ...good, signature }, bytes, now)).toBe(false)
    }
  })

  it("MUST refuse anything but 64 lower-case hexadecimal digits (§5)", () => {
    for (const signature of [`${good.signature} `, `${good.signature}00`, ` ${good.signature}`, "g".repeat(64), "0x"]) {
      expect(Signature.accepts({ ...good, signature }, mac(good), now)).toBe(false)
    }
  })

  it("MUST refuse every signature of an incomplete MAC", () => {
    expect(Signature.accepts(good, mac(good).slice(0, 31), now)).toBe(false)
    expect(Signature.accepts(good, new Uint8Array(), now)).toBe(false)
    expect(Signature.accepts({ ...good, signature: "" }, new Uint8Array(), now)).toBe(false)
    const half = mac(good).slice(0, 16)
    expect(Signature.accepts({ ...good, signature: Signature.signatureOf(half) }, half, now)).toBe(false)
  })
})
