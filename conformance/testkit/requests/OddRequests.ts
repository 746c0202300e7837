/** Random requests to the REST API as bytes: good, bad and odd ones. Equal seeds make equal requests. */

/** Known names for requests. */
export interface Known {
  /** Prefix of the REST API. */
  readonly prefix: string
  readonly tokens: ReadonlyArray<string>
  /** Paths of existing objects. */
  readonly paths: ReadonlyArray<string>
  readonly etags: ReadonlyArray<string>
  readonly cursors: ReadonlyArray<string>
}

/** A request as sent over the wire. */
export interface OddRequest {
  readonly method: string
  readonly text: string
}

/** Numbers from 0 up to 1, from a seed (mulberry32). */
export const random = (seed: number) => {
  let state = seed
  return (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const methods = ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "QUERY", "SEARCH", "M-SEARCH"]

const plainIds = [
  "1001",
  "d-1",
  "101",
  "102",
  "0",
  "00101",
  "1e2",
  "-1",
  "9007199254740993",
  ".",
  "..",
  "...",
  "~",
  "__proto__",
]

const oddIds = [
  ...[
    "",
    "%",
    "%zz",
    "%2",
    "%00",
    "%2F",
    "%2f..",
    "a%2Fb",
    "a/b",
    "a//b",
    "a;b",
    "a#b",
    "a%23b",
    "a%3Fb",
    "%3F",
    "é",
    "%C3%A9",
  ],
  ...[
    "%ff",
    "%E2%82",
    "😀",
    "*",
    "a b".replace(" ", "%20"),
    "a+b",
    "a:b",
    ":id",
    "(x)",
    "{x}",
    "a\\b",
    '"',
    "<x>",
    "|",
    "^",
    "`",
    "\x80",
  ],
]

const segments = [
  "orders",
  "designs",
  "customizers",
  "Orders",
  "order",
  "openapi.json",
  "docs",
  "",
  ".",
  "..",
  "%6Frders",
  "orders;x",
]

const values = {
  limit: [
    "1",
    "2",
    "25",
    "100",
    "0",
    "101",
    "01",
    "-1",
    "1.5",
    "1e1",
    "",
    "+1",
    "%31",
    "1%",
    "1#x",
    "1;x",
    "%EF%BB%BF1",
    "9007199254740993",
  ],
  orderedAfter: [
    ...[
      "2026-10-05",
      "2026-10-05T14:48:00Z",
      "2026-10-05T14:48:00%2B02:00",
      "2026-10-05T14:48:00+02:00",
      "20261005T144800Z",
    ],
    ...[
      "2026-10-05T14:48",
      "2026",
      "",
      "yesterday",
      "2026-02-30",
      "%32026-10-05",
      "9999-12-31",
      "2026-10-05T14:48:00.9999Z",
    ],
  ],
}

const extras = [
  "x=1",
  "limit",
  "LIMIT=0",
  "limit%5B%5D=1",
  "%6cimit=2",
  "=",
  "&",
  "?limit=0",
  "__proto__=1",
  "%zz=1",
  "a=%",
  "limit%=0",
]

/** Generates requests, one after the other. */
export const makeOddRequests = (known: Known, next: () => number) => {
  const chance = (share: number): boolean => next() < share
  const one = <A>(all: ReadonlyArray<A>): A => all[Math.floor(next() * all.length)] as A

  const encodeSome = (path: string): string =>
    path.replace(/[^/]/g, (character) =>
      chance(0.2)
        ? `%${character.charCodeAt(0).toString(16)[chance(0.5) ? "toUpperCase" : "toLowerCase"]()}`
        : character,
    )

  const id = (): string => {
    if (chance(0.4)) return one(plainIds)
    return chance(0.8) ? one(oddIds) : one(["x", "%78", "%C3%A9"]).repeat(one([85, 254, 255, 256, 4096, 5000]))
  }

  const path = (): string => {
    if (chance(0.6)) return known.prefix + one(known.paths)
    if (chance(0.1)) return encodeSome(known.prefix + one(known.paths))
    const below = Array.from({ length: Math.floor(next() * 3) }, () => (chance(0.7) ? one(segments) : id()))
    const made = `${known.prefix}/${[...below, ...(chance(0.7) ? [id()] : [])].join("/")}`
    return chance(0.1) ? made.replace("/api", one(["//api", "/API", "/%61pi", "/api/../api"])) : made
  }

  const parameter = (): string => {
    if (chance(0.2)) return one(extras)
    if (chance(0.3))
      return `cursor=${chance(0.7) ? one(known.cursors) : one(["", "x", "1.x.y", `${one(known.cursors)}x`])}`
    const name = one(["limit", "orderedAfter"] as const)
    return `${name}=${one(values[name])}`
  }

  const query = (): string =>
    chance(0.5)
      ? ""
      : `?${Array.from({ length: Math.floor(next() * 4) }, parameter).join(one(["&", "&", "&", ";", "&&"]))}`

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

  const versions = (): ReadonlyArray<string> =>
    chance(0.85)
      ? []
      : one([
          ["X-Api-Version: 2026-10"],
          ["x-api-version: 2026-10 "],
          ["X-Api-Version: 2026-09"],
          ["X-Api-Version:"],
          ["X-Api-Version: 2026-10", "X-Api-Version: 2026-10"],
        ])

  const others = (): ReadonlyArray<string> =>
    chance(0.8)
      ? []
      : one([
          ["Accept: text/html"],
          ["Connection: close"],
          ["Range: bytes=0-1"],
          ["Origin: https://example.com"],
          ["Cookie: a=b"],
          ["Upgrade: websocket", "Connection: Upgrade"],
          ["traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"],
          ["X-HTTP-Method-Override: DELETE"],
          [`X-Long: ${"x".repeat(2_000)}`],
        ])

  const codings = (): ReadonlyArray<string> =>
    chance(0.5)
      ? []
      : one([
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
        ])

  const hosts = (): ReadonlyArray<string> =>
    chance(0.97) ? ["Host: a"] : one([[], ["Host: a", "Host: b"], ["host:"], ["HOST: example.com:80"]])

  const body = (): { readonly headers: ReadonlyArray<string>; readonly text: string } => {
    if (chance(0.94)) return { headers: [], text: "" }
    return one([
      { headers: ["Content-Length: 0"], text: "" },
      { headers: ["Content-Length: 2", "Content-Type: application/json"], text: "{}" },
      { headers: ["Transfer-Encoding: chunked"], text: "3\r\nabc\r\n0\r\n\r\n" },
      { headers: ["Content-Length: 3", "Expect: 100-continue"], text: "abc" },
      { headers: ["Content-Length: 3", "Expect: something"], text: "abc" },
    ])
  }

  return (): OddRequest => {
    const method = chance(0.8) ? "GET" : chance(0.5) ? "HEAD" : one(methods)
    const target = path() + query()
    const { headers, text } = body()
    const address = chance(0.97) ? target : `${one(["http://a", "HTTP://a.example", "https://a", "http:"])}${target}`
    const lines = [
      ...hosts(),
      ...authorization(),
      ...conditions(),
      ...versions(),
      ...codings(),
      ...others(),
      ...headers,
    ]
    const version = chance(0.98) ? "1.1" : "1.0"
    return { method, text: `${method} ${address} HTTP/${version}\r\n${lines.join("\r\n")}\r\n\r\n${text}` }
  }
}
