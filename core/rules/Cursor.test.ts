import { describe, expect, it } from "@effect/vitest"
import { hostileIds } from "../../conformance/suites/storage/support/Fixtures.ts"
import { decode, encode, join, signed, split } from "./Cursor.ts"

const mac = new Uint8Array(32).map((_, index) => index * 7)

describe("Cursor (D14)", () => {
  it("MUST return the end of the page and the filter, for any id", () => {
    for (const id of hostileIds) {
      for (const orderedAfter of [null, 0, 1_791_211_680_123, -62_135_596_800_000]) {
        const cursor = { after: { orderedAt: -1, id }, orderedAfter }
        const parts = split(join(encode(cursor), mac))
        expect(parts?.mac).toEqual(mac)
        expect(decode(parts?.payload ?? "")).toEqual(cursor)
      }
    }
  })

  it("MUST be of a form that needs no escaping in an address", () => {
    expect(join(encode({ after: { orderedAt: 0, id: "ü/+ " }, orderedAfter: null }), mac)).toMatch(
      /^2\.[\w-]+\.[\w-]{43}$/,
    )
  })

  it("MUST cover the shop and the version by the MAC, separate from the payload", () => {
    expect(signed("a", "p")).toBe("designwire cursor 2\na\np")
    expect(signed("a", "b")).not.toBe(signed("a\nb", ""))
    expect(new Set([signed("a", "p"), signed("b", "p"), signed("a", "q")]).size).toBe(3)
  })

  it("MUST NOT take apart what can't be a cursor, and know only one spelling of each", () => {
    const text = join(encode({ after: { orderedAt: 0, id: "x" }, orderedAfter: null }), mac)
    const [version, payload, end] = text.split(".") as [string, string, string]
    // The last character of 43 holds 4 bits that count and 2 that don't.
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    const twin = alphabet[(alphabet.indexOf(end.at(-1) ?? "") & ~3) | 1]
    for (const not of [
      ...[
        "",
        ".",
        "..",
        "1..",
        version,
        `${version}.${payload}`,
        `0.${payload}.${end}`,
        `1.${payload}.${end}`,
        `3.${payload}.${end}`,
        `12.${payload}.${end}`,
        `.${payload}.${end}`,
        `${text}\n`,
      ],
      ...[
        ` ${text}`,
        `${text}=`,
        `${text}.`,
        `${version}.${payload}.${end}A`,
        `${version}.${payload}.${end.slice(1)}`,
        `${version}.a+b.${end}`,
      ],
      ...[`${version}.${"a".repeat(2001)}.${end}`, `${version}.${payload}.${end.slice(0, -1)}${twin}`],
    ]) {
      expect([not, split(not)]).toEqual([not, undefined])
    }
  })

  it("MUST NOT read a payload that says something else", () => {
    const payload = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")
    for (const not of [
      null,
      {},
      [],
      [0, "x"],
      [0, "x", null, 1],
      ["0", "x", null],
      [0, 1, null],
      [0.5, "x", null],
      [0, "x", "0"],
      [1e300, "x", null],
      [0, "x", 0.5],
    ]) {
      expect([not, decode(payload(not))]).toEqual([not, undefined])
    }
    expect(decode("%")).toBeUndefined()
    expect(decode(payload([0, "x", null]))).toEqual({ after: { orderedAt: 0, id: "x" }, orderedAfter: null })
  })
})
