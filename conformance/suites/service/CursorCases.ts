/** Cursors that were forged, mangled, or come from another shop (D14, D39). */
import { Effect, type Redacted } from "effect"
import { equal, holds } from "../Assertion.ts"
import { unique } from "../storage/support/Fixtures.ts"
import { ask, isBadQuery, isError, objectOf, read, readPage, textOf } from "./Asking.ts"
import { newShop, newToken, sell, sellSome } from "./Filling.ts"
import { driving } from "./ServiceCase.ts"

type Token = Redacted.Redacted<string>

const feedCursor = Effect.fnUntraced(function* (token: Token, query: string) {
  const page = yield* read(token, `/events${query}`)
  const pagination = yield* objectOf("pagination", page["pagination"])
  return yield* textOf("nextCursor", pagination["nextCursor"])
})

const isBadAfter = Effect.fnUntraced(function* (token: Token, after: string) {
  const message = yield* isError(`after=${after}`, yield* ask(token, `/events?after=${encodeURIComponent(after)}`), 400)
  yield* holds(`the message for after=${after} names after: ${message}`, message.includes("after"))
})

/** Numbers in forms that a program may read, and texts that are no numbers. */
const noPositions = [
  ...["abc", "1e3", "NaN", "0b1", "0x10", "0o7", "-1", "+1", "1.5", "01", "1_000", "Infinity", "null", ""],
  ...["9".repeat(20), "9".repeat(64), "9".repeat(400), "1n", " 1", "1 "],
]

/** Cursors as `GET /events` made them when they had a check, but no key (D39). */
const forged = (shop: string, position: string) =>
  Effect.map(
    Effect.promise(() =>
      crypto.subtle.digest("SHA-256", new TextEncoder().encode(`designwire feed 1\n${shop}\n${position}`)),
    ),
    (hash) => `e1.${position}.${Buffer.from(hash).subarray(0, 9).toString("base64url")}`,
  )

/** A shop whose id is the beginning of another shop's id, and that other shop. */
const shopsOfOneBeginning = Effect.gen(function* () {
  const id = `t-${unique(16)}`
  const ending = unique(4)
  return { ending, short: yield* newShop({}, id), long: yield* newShop({}, id + ending) }
})

/** A cursor with a text inserted before each of its parts. */
const withInserted = (cursor: string, text: string): ReadonlyArray<string> => {
  const parts = cursor.split(/(?<=[.:~])/)
  return parts.map((_, at) => parts.map((part, index) => (index === at ? text + part : part)).join(""))
}

/** Cursors of other shops and of nobody. */
export const cursorCases = driving([
  {
    id: "feed.cursor.altered",
    title: "MUST refuse a cursor of the feed that is foreign, repeated, or altered in any character, with 400",
    requirements: ["D39", "D12"],
    needs: ["feed"],
    run: Effect.gen(function* () {
      const shop = yield* newShop()
      yield* sell(shop, "1", ["a"])
      const cursor = yield* feedCursor(shop.token, "?limit=1")
      for (const other of [
        ...["x", "0", "1", "null", "..", "\0", "a".repeat(3_000), `${cursor}x`, `x${cursor}`, cursor.slice(0, -1)],
        ...[`${cursor} `, `${cursor}=`, cursor.slice(1), [...cursor].reverse().join(""), cursor + cursor],
        ...["LATEST", "latest ", "e1.", "e2.", "e3.", `e2.${"A".repeat(64)}`, `2.${"A".repeat(20)}.${"A".repeat(43)}`],
      ]) {
        yield* isBadAfter(shop.token, other)
      }
      let { token } = yield* newToken(shop.id)
      for (let at = 0; at < cursor.length; at++) {
        if (at % 100 === 99) token = (yield* newToken(shop.id)).token
        yield* isBadAfter(token, `${cursor.slice(0, at)}${cursor[at] === "A" ? "B" : "A"}${cursor.slice(at + 1)}`)
      }
      yield* equal("the cursor itself", (yield* ask(token, `/events?after=${cursor}`)).status, 200)
    }),
  },
  {
    id: "feed.cursor.forged",
    title: "MUST refuse a cursor of the feed that was made for a position that is not one, with 400",
    requirements: ["D39", "D12"],
    needs: ["feed"],
    run: Effect.gen(function* () {
      const shop = yield* newShop()
      yield* sell(shop, "1", ["a"])
      for (const position of noPositions) yield* isBadAfter(shop.token, yield* forged(shop.id, position))
    }),
  },
  {
    id: "feed.cursor.other",
    title: "MUST refuse a cursor of another shop's feed, even of one with the same events",
    requirements: ["D39"],
    needs: ["feed"],
    run: Effect.gen(function* () {
      const [mine, other] = [yield* newShop(), yield* newShop()]
      for (const shop of [mine, other]) yield* sell(shop, "1", ["a"])
      for (const query of ["?limit=1", "", "?after=latest"]) {
        const cursor = yield* feedCursor(other.token, query)
        yield* isBadAfter(mine.token, cursor)
        yield* equal("in its own shop", (yield* ask(other.token, `/events?after=${cursor}`)).status, 200)
      }
    }),
  },
  {
    id: "cursor.joined",
    title: "MUST refuse a cursor of a shop whose id begins with this shop's, with the rest of the id moved into it",
    requirements: ["D14"],
    run: Effect.gen(function* () {
      const { ending, long, short } = yield* shopsOfOneBeginning
      for (const shop of [short, long]) yield* sellSome(shop, 2)
      const page = String((yield* readPage(long.token, "?limit=1")).nextCursor)
      for (const moved of withInserted(page, ending)) yield* isBadQuery(short.token, "cursor", `cursor=${moved}`)
      const { token } = yield* newToken(long.id)
      yield* equal("in its own shop", (yield* ask(token, `/orders?cursor=${page}`)).status, 200)
    }),
  },
])
