import { Effect } from "effect"
import { equal } from "../Assertion.ts"
import { ask, idsOf, isBadQuery, readPage } from "./Asking.ts"
import { newShop, newToken, sell, sellSome } from "./Filling.ts"
import { observed, someObjects } from "./Observing.ts"
import { driving, observing } from "./ServiceCase.ts"

const badLimits = [
  ...["0", "-1", "101", "999", "1000", "99999999999999999999", "1.0", "1e1", "0x10", "01", "+1", "%2B1"],
  ...["", "%20", "%201", "1%20", "ten", "NaN", "Infinity", "null", "1,2", "%EF%BC%95", "1%00", "1%0A", "%FF"],
]

const badTimes = [
  ...["", "2026", "2026-10", "2026-10-5", "2026-10-05T14", "2026-10-05T14Z", "2026-10-05T14:48", "20261005T1448"],
  ...["2026-10-05T14:48:00", "2026-10-05T14:48:00.Z", "2026-10-05T14:48:00,5Z", "2026-10-05%2014:48:00Z"],
  ...["2026-10-05T14:48:00%2B2", "2026-10-05T14:48:00%2B020", "2026-10-05T14:48:00%2B24:00", "2026-02-29"],
  ...["2026-13-01", "2026-00-01", "2026-01-00", "2026-01-32", "2026-10-05T24:00:00Z", "2026-10-05T14:60:00Z"],
  ...["2026-10-05T14:48:61Z", "2026-10-05T14:48:60Z", "0000-01-01", "%2B12026-10-05", "-2026-10-05", "10000-01-01"],
  ...["1791211680", "yesterday", "Mon,%2005%20Oct%202026%2014:48:00%20GMT", "2026-W41-1", "2026-278", "null"],
  ...["2026-10-05T14:48:00Z%20", "%202026-10-05", "2026-10-05%0A", "2026-10-05%00", "%FF", "2026-10-05Z", "%D9%A2026"],
  ...["0001-01-01T00:00:00%2B00:01", "9999-12-31T23:59:59-00:01", "2026-10-05T14:48:00++02:00"],
]

/** Parameters of `GET /orders`. */
export const queryCases = [
  ...observing([
    {
      id: "query.refused",
      title: "MUST answer 400 to bad values of limit, cursor and orderedAfter, naming the parameter, adjusting nothing",
      requirements: ["D12"],
      needs: ["token"],
      run: Effect.gen(function* () {
        const token = yield* observed
        for (const query of ["limit=0", "limit=101", "limit=ten", "limit=", "limit=5&limit=5"]) {
          yield* isBadQuery(token, "limit", query)
        }
        for (const query of ["cursor=x", "cursor="]) yield* isBadQuery(token, "cursor", query)
        for (const query of ["orderedAfter=yesterday", "orderedAfter=2026-10-05T14:48:00", "orderedAfter="]) {
          yield* isBadQuery(token, "orderedAfter", query)
        }
      }),
    },
    {
      id: "query.unknown",
      title: "MUST ignore unknown parameters",
      requirements: ["D12"],
      needs: ["token"],
      run: Effect.gen(function* () {
        const token = yield* observed
        for (const query of ["foo=bar&page=2", "Limit=0&limit[]=0", "=&&=limit&a=%ZZ"]) {
          yield* equal(`?${query}: limit`, (yield* readPage(token, `?${query}`)).limit, 25)
        }
      }),
    },
    {
      id: "query.after",
      title: "MUST include an order placed at orderedAfter, and exclude it a millisecond later",
      requirements: ["§4-8", "D13"],
      needs: ["token"],
      run: Effect.gen(function* () {
        const token = yield* observed
        const { order, orderedAt } = yield* someObjects(token)
        const at = Date.parse(orderedAt)
        const shown = (time: number) =>
          Effect.map(readPage(token, `?limit=100&orderedAfter=${new Date(time).toISOString()}`), ({ orders }) =>
            orders.some(({ id }) => `/orders/${encodeURIComponent(String(id))}` === order),
          )
        yield* equal(`${order} with orderedAfter=${orderedAt}`, yield* shown(at), true)
        yield* equal(`${order} with a millisecond more`, yield* shown(at + 1), false)
      }),
    },
  ]),
  ...driving([
    {
      id: "query.limit",
      title: "MUST refuse every limit but `^[1-9][0-9]{0,2}$` up to 100, including repeated and empty ones",
      requirements: ["D12"],
      run: Effect.gen(function* () {
        const { token } = yield* newShop()
        for (const limit of badLimits) yield* isBadQuery(token, "limit", `limit=${limit}`)
        for (const query of ["limit", "limit=5&limit=5", "limit=5&limit=", "limit=&limit=5", "limit=1&x=2&limit=3"]) {
          yield* isBadQuery(token, "limit", query)
        }
      }),
    },
    {
      id: "query.cursor",
      title: "MUST refuse a cursor that is foreign, altered anywhere, repeated or empty",
      requirements: ["D12", "D14"],
      run: Effect.gen(function* () {
        const shop = yield* newShop()
        yield* sellSome(shop, 2)
        const { nextCursor } = yield* readPage(shop.token, "?limit=1")
        const cursor = String(nextCursor)
        const others = [
          ...["x", "1", "null", "%00", "%FF", "..", "a".repeat(3_000), `${cursor}x`, `x${cursor}`, cursor.slice(0, -1)],
          ...[`${cursor}%20`, `${cursor}=`, cursor.slice(1), [...cursor].reverse().join("")],
        ]
        for (const other of others) yield* isBadQuery(shop.token, "cursor", `cursor=${other}`)
        for (const query of ["cursor", "cursor=", `cursor=${cursor}&cursor=${cursor}`, `cursor=&cursor=${cursor}`]) {
          yield* isBadQuery(shop.token, "cursor", query)
        }
        let { token } = yield* newToken(shop.id)
        for (let at = 0; at < cursor.length; at++) {
          if (at % 100 === 99) token = (yield* newToken(shop.id)).token
          const altered = `${cursor.slice(0, at)}${cursor[at] === "A" ? "B" : "A"}${cursor.slice(at + 1)}`
          yield* isBadQuery(token, "cursor", `cursor=${altered}`)
        }
        yield* equal("the cursor itself", idsOf((yield* readPage(token, `?cursor=${cursor}`)).orders), ["o-0"])
      }),
    },
    {
      id: "query.cursor.other",
      title: "MUST refuse a cursor of another shop, even of one with the same orders",
      requirements: ["D14"],
      run: Effect.gen(function* () {
        const [mine, other] = [yield* newShop(), yield* newShop()]
        for (const shop of [mine, other]) yield* sellSome(shop, 2)
        const { nextCursor } = yield* readPage(other.token, "?limit=1")
        yield* isBadQuery(mine.token, "cursor", `cursor=${nextCursor}`)
        yield* equal("in its own shop", (yield* ask(other.token, `/orders?cursor=${nextCursor}`)).status, 200)
      }),
    },
    {
      id: "query.after.epoch",
      title: "MUST filter by an orderedAfter of 1970, which is no less a time than others, and keep it in the cursor",
      requirements: ["§4-8", "D13", "D14"],
      run: Effect.gen(function* () {
        const shop = yield* newShop()
        for (const [id, at] of [
          ["before", "1969-12-31T23:59:59.999Z"],
          ["at", "1970-01-01T00:00:00Z"],
          ["after", "1970-01-01T00:00:00.001Z"],
        ] as const) {
          yield* sell(shop, id, [id], at)
        }
        for (const epoch of ["1970-01-01", "1970-01-01T00:00:00Z", "1970-01-01T02:00:00%2B02:00"]) {
          const { nextCursor, orders, total } = yield* readPage(shop.token, `?limit=1&orderedAfter=${epoch}`)
          yield* equal(`the first page after ${epoch}`, [idsOf(orders), total], [["after"], 2])
          for (const query of [`?cursor=${nextCursor}`, `?cursor=${nextCursor}&orderedAfter=${epoch}`]) {
            const next = yield* readPage(shop.token, query)
            yield* equal("the next page", [idsOf(next.orders), next.total, next.nextCursor], [["at"], 2, null])
          }
        }
        const all = yield* readPage(shop.token, "?limit=1")
        yield* isBadQuery(shop.token, "cursor", `cursor=${all.nextCursor}&orderedAfter=1970-01-01`)
      }),
    },
    {
      id: "query.after.forms",
      title: "MUST filter by orderedAfter inclusively, to the millisecond, in every form",
      requirements: ["§4-8", "D13"],
      run: Effect.gen(function* () {
        const shop = yield* newShop()
        for (const [id, at] of [
          ["before", "2026-10-05T23:59:59.999Z"],
          ["at", "2026-10-06T00:00:00.000Z"],
          ["after", "2026-10-06T00:00:00.001Z"],
        ] as const) {
          yield* sell(shop, id, [id], at)
        }
        const both = ["after", "at"]
        for (const [after, expected] of [
          ["2026-10-06", both],
          ["2026-10-06T00:00:00Z", both],
          ["2026-10-06t00:00:00.000z", both],
          ["2026-10-06T02:00:00%2B02:00", both],
          // An unescaped + arrives as a space.
          ["2026-10-06T02:00:00+02:00", both],
          ["2026-10-06T02:00:00%2002:00", both],
          ["2026-10-05T18:30:00-05:30", both],
          // Other forms of ISO 8601.
          ["2026-10-06T00:00Z", both],
          ["2026-10-06T02:00:00%2B0200", both],
          ["2026-10-06T02:00+02", both],
          ["20261006T000000.001Z", ["after"]],
          ["20261005T1830-0530", both],
          ["20261006", both],
          // Further decimals are truncated, not rounded.
          ["2026-10-06T00:00:00.0009Z", both],
          ["2026-10-06T00:00:00.001Z", ["after"]],
          ["2026-10-06T00:00:00.002Z", []],
          ["2026-10-05T23:59:59.999Z", [...both, "before"]],
          ["0001-01-01", [...both, "before"]],
          ["9999-12-31T23:59:59.999Z", []],
        ] as const) {
          const page = yield* readPage(shop.token, `?orderedAfter=${after}`)
          yield* equal(`orderedAfter=${after}`, [page.total, ...idsOf(page.orders)], [expected.length, ...expected])
        }
      }),
    },
    {
      id: "query.after.refused",
      title: "MUST refuse an orderedAfter that is neither a date nor a full date-time with an offset or Z",
      requirements: ["D12", "D13"],
      run: Effect.gen(function* () {
        const { token } = yield* newShop()
        for (const after of badTimes) yield* isBadQuery(token, "orderedAfter", `orderedAfter=${after}`)
        const good = "orderedAfter=2026-10-05"
        for (const query of ["orderedAfter", `${good}&${good}`, `${good}&orderedAfter=`]) {
          yield* isBadQuery(token, "orderedAfter", query)
        }
      }),
    },
    {
      id: "query.unknown.all",
      title: "MUST ignore unknown parameters, whatever they are",
      requirements: ["D12"],
      run: Effect.gen(function* () {
        const { token } = yield* newShop()
        for (const query of [
          ...[
            "foo=bar",
            "Limit=0",
            "LIMIT=x",
            "limit[]=0",
            "page=2&page=3",
            "__proto__=1",
            "constructor=1",
            "toString",
          ],
          ...[
            "%00=%00",
            "%FF=%FF",
            "&&&",
            "=",
            "=limit",
            "a=%ZZ",
            "ordered_after=x",
            "limit%20=0",
            "[limit]=0",
            "?limit=0",
          ],
        ]) {
          yield* equal(`?${query}: limit`, (yield* readPage(token, `?${query}`)).limit, 25)
        }
      }),
    },
  ]),
]
