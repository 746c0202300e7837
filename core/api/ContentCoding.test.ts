/** Which coding an answer goes out in (D17, RFC 9110 §12.5.3). */
import { describe, expect, it } from "@effect/vitest"
import { acceptedCodings, tagIn } from "./ContentCoding.ts"

const offered = ["zstd", "br", "gzip"] as const

describe("acceptedCodings", () => {
  for (const [header, expected] of [
    ["", ["identity"]],
    ["gzip", ["gzip", "identity"]],
    ["gzip, deflate, br, zstd", ["zstd", "br", "gzip", "identity"]],
    ["GZIP", ["gzip", "identity"]],
    ["gzip;q=0.5, br;q=0.8", ["br", "gzip", "identity"]],
    ["br;q=0.5 , gzip ; q=0.5", ["br", "gzip", "identity"]],
    ["gzip;q=0", ["identity"]],
    ["gzip;q=0.000", ["identity"]],
    ["gzip;q=0.001", ["gzip", "identity"]],
    ["gzip;q=1.000", ["gzip", "identity"]],
    ["*", ["zstd", "br", "gzip", "identity"]],
    ["*;q=0.5, gzip", ["gzip", "zstd", "br", "identity"]],
    ["*, zstd;q=0", ["br", "gzip", "identity"]],
    ["identity, gzip;q=0.9", ["identity", "gzip"]],
    ["identity;q=0, gzip", ["gzip"]],
    ["*;q=0, br", ["br"]],
    ["deflate", ["identity"]],
    ["gzip;q=2, br", ["br", "identity"]],
    ["gzip;q=abc, br;level=3", ["identity"]],
    [" ,, gzip ,", ["gzip", "identity"]],
    ["x y, gzip", ["gzip", "identity"]],
    ["__proto__, constructor", ["identity"]],
  ] as const) {
    it(`MUST answer ${expected.join(", ")} to ${JSON.stringify(header)}`, () => {
      expect(acceptedCodings(offered, header)).toEqual(expected)
    })
  }

  for (const header of ["identity;q=0", "*;q=0", "gzip;q=0, identity;q=0"]) {
    it(`MUST fall back to plain text if the client rules out every coding on offer: ${header}`, () => {
      expect(acceptedCodings(offered, header)).toEqual(["identity"])
    })
  }
})

describe("tagIn", () => {
  it("MUST differ for each coding", () => {
    expect([...offered, "identity"].map((coding) => tagIn(coding, "a"))).toEqual([
      '"a-zstd"',
      '"a-br"',
      '"a-gzip"',
      '"a"',
    ])
  })
})
