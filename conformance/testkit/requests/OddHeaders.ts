/** Random headers of requests, each in good and odd forms: tokens, conditions, versions, codings and others. */
import type { Draw } from "./Draw.ts"
import type { Known } from "./Known.ts"

const oddVersions = [
  ["X-Api-Version: 2026-10"],
  ["x-api-version: 2026-10 "],
  ["X-Api-Version: 2026-09"],
  ["X-Api-Version:"],
  ["X-Api-Version: 2026-10", "X-Api-Version: 2026-10"],
]

const oddOthers = [
  ["Accept: text/html"],
  ["Connection: close"],
  ["Range: bytes=0-1"],
  ["Origin: https://example.com"],
  ["Cookie: a=b"],
  ["Upgrade: websocket", "Connection: Upgrade"],
  ["traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"],
  ["X-HTTP-Method-Override: DELETE"],
  [`X-Long: ${"x".repeat(2_000)}`],
]

const oddCodings = [
  ["Accept-Encoding: gzip, deflate, br, zstd"],
  ["Accept-Encoding: gzip"],
  ["accept-encoding: br;q=0.5, GZIP ; q=1.0"],
  ["Accept-Encoding: zstd;q=0, *"],
  ["Accept-Encoding: *;q=0"],
  ["Accept-Encoding: identity;q=0, gzip;q=0.001"],
  ["Accept-Encoding: identity, gzip;q=0.9"],
  ["Accept-Encoding: identity;q=0"],
  ["Accept-Encoding:"],
  ["Accept-Encoding: gzip", "Accept-Encoding: br"],
  ["Accept-Encoding: gzip;q=2, br;q=x, zstd;level=3"],
  ["Accept-Encoding: ,, ;q=1, é, gzip;"],
  [`Accept-Encoding: ${"x,".repeat(500)}gzip`],
]

/** Generates the headers of a request without a body. */
export const makeOddHeaders = ({ chance, one }: Draw, known: Known) => {
  const authorization = (): ReadonlyArray<string> => {
    const token = one(known.tokens)
    if (chance(0.8)) return [`Authorization: Bearer ${token}`]
    return one([
      [],
      [`authorization: bearer ${token}`],
      [`AUTHORIZATION: BEARER    ${token}  `],
      [`Authorization: Bearer${token}`],
      [`Authorization: Bearer\t${token}`],
      ["Authorization: Bearer "],
      ["Authorization:"],
      [`Authorization: Basic ${token}`],
      [`Authorization: Token ${token}`],
      [`Authorization: Bearer ${token} ${token}`],
      [`Authorization: Bearer ${token}, Bearer ${token}`],
      [`Authorization: Bearer x`, `Authorization: Bearer ${token}`],
      [`Authorization: Bearer ${token.toUpperCase()}`],
      [`Authorization: Bearer ${token.slice(0, -1)}é`],
    ])
  }

  const conditions = (): ReadonlyArray<string> => {
    if (chance(0.7)) return []
    const etag = one(known.etags).replace(/"$/, one(['"', '"', '-gzip"', '-br"', '-zstd"']))
    return one([
      [`If-None-Match: ${etag}`],
      [`if-none-match: W/${etag}`],
      [`If-None-Match: "x", ${etag}`],
      [`If-None-Match: "x"`, `If-None-Match: ${etag}`],
      ["If-None-Match: *"],
      ["If-None-Match:"],
      [`If-None-Match: ${etag.slice(1, -1)}`],
      [`If-None-Match: ${etag} x`],
      [`If-Match: "x"`],
      ["If-Modified-Since: Thu, 01 Jan 1970 00:00:00 GMT"],
    ])
  }

  const versions = (): ReadonlyArray<string> => (chance(0.85) ? [] : one(oddVersions))

  const others = (): ReadonlyArray<string> => (chance(0.8) ? [] : one(oddOthers))

  const codings = (): ReadonlyArray<string> => (chance(0.5) ? [] : one(oddCodings))

  const hosts = (): ReadonlyArray<string> =>
    chance(0.97) ? ["Host: a"] : one([[], ["Host: a", "Host: b"], ["host:"], ["HOST: example.com:80"]])

  return (): ReadonlyArray<string> => [
    ...hosts(),
    ...authorization(),
    ...conditions(),
    ...versions(),
    ...codings(),
    ...others(),
  ]
}
