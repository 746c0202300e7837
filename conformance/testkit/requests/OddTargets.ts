/** Random targets of requests: paths of objects that exist or don't, in good and odd spellings, with parameters. */
import type { Draw } from "./Draw.ts"
import type { Known } from "./Known.ts"

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
    "2026-10-05",
    "2026-10-05T14:48:00Z",
    "2026-10-05T14:48:00%2B02:00",
    "2026-10-05T14:48:00+02:00",
    "20261005T144800Z",
    "2026-10-05T14:48",
    "2026",
    "",
    "yesterday",
    "2026-02-30",
    "%32026-10-05",
    "9999-12-31",
    "2026-10-05T14:48:00.9999Z",
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

/** Generates paths with their queries. */
export const makeOddTargets = ({ chance, next, one }: Draw, known: Known) => {
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

  return (): string => path() + query()
}
