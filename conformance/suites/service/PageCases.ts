import { Effect, Fiber, Option, type Redacted } from "effect"
import type { Json } from "../../../core/model/json/Json.ts"
import { equal, holds, some } from "../Assertion.ts"
import { ask, bodyOf, idsOf, pageOf, readPage } from "./Asking.ts"
import { minute, newShop, newToken, placeOrder, product, saveDesign, sell, sellSome } from "./Filling.ts"
import { observed } from "./Observing.ts"
import { Driver, driving, observing, RestApi } from "./ServiceCase.ts"

/** All pages from a query on, up to a number. */
const walk = Effect.fnUntraced(function* (token: Redacted.Redacted<string>, query: string, most: number) {
  const pages: Array<{
    readonly orders: ReadonlyArray<Json>
    readonly total: number
    readonly nextCursor: string | null
  }> = []
  let cursor = ""
  do {
    const page = yield* readPage(token, `?${query}${cursor}`)
    pages.push(page)
    cursor = page.nextCursor === null ? "" : `&cursor=${encodeURIComponent(page.nextCursor)}`
  } while (cursor !== "" && pages.length < most)
  return pages
})

/** The target of `Link: <…>; rel="next"`, relative to the requested address. */
const nextOf = Effect.fnUntraced(function* (path: string, link: string | undefined) {
  const { base } = yield* RestApi
  const found = /<([^<>\s]+)>\s*;\s*rel="?next"?/.exec(link ?? "")?.[1]
  const target = yield* some(`${path}: Link, rel next`, Option.fromUndefinedOr(found))
  const url = new URL(target, `${base}${path}`)
  const at = new URL(`${base}/orders`)
  yield* equal(`${path}: target of Link`, [url.origin, url.pathname], [at.origin, at.pathname])
  for (const [name, value] of new URL(`${base}${path}`).searchParams) {
    if (name !== "cursor") yield* equal(`${path}: ${name} of Link`, url.searchParams.get(name), value)
  }
  return url
})

/** Publishes customizer 7 of a shop, whose designs have 250 KB. */
const publishLong = Effect.fnUntraced(function* (shop: { readonly id: string }) {
  const driver = yield* Driver
  const answers = [{ id: "a", title: "A", productionCode: "A", orderValue: "é".repeat(125_000) }]
  const questions = [{ id: "q", step: "s", title: "Q", type: "single", answers }]
  const definition = { schemaVersion: 1, steps: [{ id: "s", title: "S", view: "v" }], questions, rules: [] }
  yield* driver.putCustomizer({ shop: shop.id, id: 7, input: product })
  yield* driver.publish({ shop: shop.id, id: 7, definition })
})

/** Listing the orders of a shop. */
export const pageCases = [
  ...observing([
    {
      id: "pages.walk",
      title: "MUST lead by nextCursor from the newest order to older ones, each once, with a constant total, to `null`",
      requirements: ["§2.4-3", "§4-2", "§4-7", "§4-9", "D14"],
      needs: ["token"],
      run: Effect.gen(function* () {
        const token = yield* observed
        const pages = yield* walk(token, "limit=2", 4)
        const seen = new Set<unknown>()
        let last = Number.POSITIVE_INFINITY
        for (const [index, { orders, total }] of pages.entries()) {
          yield* holds(`page ${index + 1} has at most 2 orders`, orders.length <= 2)
          yield* equal(`page ${index + 1}: total`, total, pages[0]?.total ?? total)
          for (const { id, orderedAt } of orders) {
            yield* holds(`${id} is shown once`, !seen.has(id))
            seen.add(id)
            const at = Date.parse(String(orderedAt))
            yield* holds(`${id} of ${orderedAt} is not newer than the previous order`, at <= last)
            last = at
          }
        }
        const end = pages.at(-1)
        if (end?.nextCursor === null) yield* equal("orders on all pages", seen.size, end.total)
      }),
    },
    {
      id: "pages.link",
      title: "MUST link to the next page of nextCursor, keeping the other parameters, and nowhere else",
      requirements: ["D17"],
      needs: ["token"],
      run: Effect.gen(function* () {
        const token = yield* observed
        const path = "/orders?x=a%20b&limit=1&orderedAfter=1990-01-01"
        const answer = yield* ask(token, path)
        const { nextCursor, orders } = yield* pageOf(path, answer)
        if (nextCursor === null) return yield* equal("Link on the last page", answer.headers["link"], undefined)
        const url = yield* nextOf(path, answer.headers["link"])
        yield* equal("the cursor of Link", url.searchParams.get("cursor"), nextCursor)
        const next = yield* readPage(token, url.search)
        yield* equal("limit of the next page", next.limit, 1)
        yield* holds("the next page shows another order", next.orders[0]?.["id"] !== orders[0]?.["id"])
      }),
    },
  ]),
  ...driving([
    {
      id: "pages.form",
      title: "MUST return `{data, pagination: {total, limit, nextCursor}}`, newest first, 25 orders by default",
      requirements: ["§2.4-1", "§2.4-2", "§2.4-3", "§4-2", "§4-6", "§4-9", "§8-2"],
      run: Effect.gen(function* () {
        const shop = yield* newShop()
        const empty = yield* ask(shop.token, "/orders")
        yield* equal(
          "a shop without orders",
          empty.text,
          '{"data":[],"pagination":{"total":0,"limit":25,"nextCursor":null}}',
        )
        yield* equal("Link of it", empty.headers["link"], undefined)
        yield* sellSome(shop, 26)
        const first = yield* readPage(shop.token)
        yield* equal("total and limit", [first.total, first.limit], [26, 25])
        yield* equal(
          "ids",
          idsOf(first.orders),
          Array.from({ length: 25 }, (_, index) => `o-${25 - index}`),
        )
        const rest = yield* readPage(shop.token, `?cursor=${first.nextCursor}`)
        yield* equal(
          "the second page",
          [rest.total, rest.limit, rest.nextCursor, ...idsOf(rest.orders)],
          [26, 25, null, "o-0"],
        )
      }),
    },
    {
      id: "pages.limits",
      title: "MUST accept every limit from 1 to 100 and apply it",
      requirements: ["§4-6", "§8-2"],
      run: Effect.gen(function* () {
        const shop = yield* newShop()
        yield* sellSome(shop, 3)
        for (const limit of [1, 2, 3, 9, 10, 99, 100]) {
          const page = yield* readPage(shop.token, `?limit=${limit}`)
          yield* equal(`limit=${limit}`, [page.limit, page.orders.length], [limit, Math.min(limit, 3)])
          yield* equal(`limit=${limit}: is the last page`, page.nextCursor === null, limit >= 3)
        }
      }),
    },
    {
      id: "pages.many",
      title: "MUST return 100 of many orders for a limit of 100, and count more than 1,000",
      requirements: ["§2.4-3", "§4-6", "§4-7", "§8-2"],
      timeoutMs: 180_000,
      run: Effect.gen(function* () {
        const shop = yield* newShop()
        const count = 1_001
        const ids = Array.from({ length: count }, (_, index) => `o-${index}`)
        yield* Effect.forEach(ids, (id, index) => sell(shop, id, [`d-${index}`], minute(index)), {
          concurrency: 10,
          discard: true,
        })
        const pages = yield* walk(shop.token, "limit=100", 20)
        const sizes = pages.map(({ orders, total }) => [orders.length, total])
        yield* equal("orders and total of each page", sizes, [...Array(10).fill([100, count]), [1, count]])
        yield* equal(
          "all orders",
          pages.flatMap(({ orders }) => idsOf(orders)),
          ids.toReversed(),
        )
      }),
    },
    {
      id: "pages.link.all",
      title: "MUST lead by Link, rel next, like nextCursor from page to page to the last one, which has none",
      requirements: ["D14", "D17"],
      run: Effect.gen(function* () {
        const shop = yield* newShop()
        yield* sellSome(shop, 7)
        for (const [first, pages] of [
          ["?limit=3", [["o-6", "o-5", "o-4"], ["o-3", "o-2", "o-1"], ["o-0"]]],
          [
            "?foo=a%26b&orderedAfter=2026-10-05T16:03:00%2B02:00&limit=2",
            [
              ["o-6", "o-5"],
              ["o-4", "o-3"],
            ],
          ],
          ["?limit=7", [["o-6", "o-5", "o-4", "o-3", "o-2", "o-1", "o-0"]]],
        ] as const) {
          let query: string = first
          for (const [index, expected] of pages.entries()) {
            const answer = yield* ask(shop.token, `/orders${query}`)
            const page = yield* pageOf(`/orders${query}`, answer)
            yield* equal(`page ${index + 1} from ${first}`, idsOf(page.orders), [...expected])
            const isLast = index === pages.length - 1
            yield* equal(`page ${index + 1} from ${first}: is the last`, page.nextCursor === null, isLast)
            if (isLast) yield* equal("Link on the last page", answer.headers["link"], undefined)
            else {
              const url = yield* nextOf(`/orders${query}`, answer.headers["link"])
              yield* equal("the cursor of Link", url.searchParams.get("cursor"), page.nextCursor)
              query = url.search
            }
          }
        }
      }),
    },
    {
      id: "pages.ties",
      title: "MUST return every order once, and orders of one instant by id, descending",
      requirements: ["§4-2", "D14"],
      run: Effect.gen(function* () {
        const shop = yield* newShop()
        const expected: Array<string> = []
        for (const id of ["1", "2", "A", "B", "a", "a1", "b"]) {
          yield* sell(shop, id, [id])
          expected.unshift(id)
        }
        for (const limit of [1, 2, 3, 6]) {
          const pages = yield* walk(shop.token, `limit=${limit}`, 20)
          yield* equal(
            `limit=${limit}`,
            pages.flatMap(({ orders }) => idsOf(orders)),
            expected,
          )
          yield* equal(
            `limit=${limit}: totals`,
            pages.map(({ total }) => total),
            pages.map(() => 7),
          )
        }
      }),
    },
    {
      id: "pages.added",
      title: "MUST NOT repeat or skip an order while others are added before, between and after",
      requirements: ["D14"],
      run: Effect.gen(function* () {
        const shop = yield* newShop()
        const add = (at: number, name: string) => sell(shop, `${name}-${at}`, [`${name}-${at}`], minute(at))
        const there = Array.from({ length: 12 }, (_, index) => 100 + index * 10)
        for (const at of there) yield* add(at, "old")
        const seen: Array<string> = []
        let cursor = ""
        let total = there.length
        for (let step = 0; step < 20; step++) {
          const page = yield* readPage(shop.token, `?limit=3${cursor}`)
          yield* equal(`total on page ${step + 1}`, page.total, total)
          seen.push(...idsOf(page.orders).map(String))
          if (page.nextCursor === null) break
          cursor = `&cursor=${page.nextCursor}`
          // Newer than all, at the position where the page ended, between shown ones, and older than all.
          const last = Number(seen.at(-1)?.split("-")[1])
          yield* add(1_000 + step, "new")
          yield* add(last, "zz")
          yield* add(last + 5, "mid")
          total += 3
          if (step === 0) {
            yield* add(10, "old")
            there.unshift(10)
            total += 1
          }
        }
        yield* equal("what was shown", seen, there.map((at) => `old-${at}`).reverse())
      }),
    },
    {
      id: "pages.total",
      title: "MUST count all matching orders in total, including cancelled ones, and none of other shops",
      requirements: ["§2.4-1", "D14"],
      run: Effect.gen(function* () {
        const driver = yield* Driver
        const [shop, neighbour] = [yield* newShop(), yield* newShop()]
        yield* sellSome(shop, 3)
        yield* sellSome(neighbour, 2)
        yield* driver.cancelOrder({ shop: shop.id, id: "o-1" })
        yield* equal("total", (yield* readPage(shop.token, "?limit=1")).total, 3)
        const { orders } = yield* readPage(shop.token)
        yield* equal(
          "orders",
          orders.map(({ id, status }) => `${id} ${status}`),
          ["o-2 ordered", "o-1 cancelled", "o-0 ordered"],
        )
      }),
    },
    {
      id: "pages.token",
      title: "MUST accept a cursor from another token of the shop and with another limit",
      requirements: ["D14"],
      run: Effect.gen(function* () {
        const shop = yield* newShop()
        yield* sellSome(shop, 4)
        const { nextCursor } = yield* readPage(shop.token, "?limit=1")
        const { token } = yield* newToken(shop.id)
        yield* equal("the next page", idsOf((yield* readPage(token, `?limit=2&cursor=${nextCursor}`)).orders), [
          "o-2",
          "o-1",
        ])
      }),
    },
    {
      id: "pages.filter",
      title:
        "MUST accept a cursor without orderedAfter or with the same instant, keep the filter, and refuse another instant",
      requirements: ["D14"],
      run: Effect.gen(function* () {
        const shop = yield* newShop()
        yield* sellSome(shop, 4)
        const after = "2026-10-05T14:01:00Z"
        const first = yield* readPage(shop.token, `?limit=2&orderedAfter=${after}`)
        yield* equal("the first page", [first.total, ...idsOf(first.orders)], [3, "o-3", "o-2"])
        const cursor = `cursor=${first.nextCursor}`
        for (const query of [
          cursor,
          `${cursor}&orderedAfter=${after}`,
          `${cursor}&orderedAfter=2026-10-05T16:01:00.0004%2B02:00`,
          `orderedAfter=${after}&${cursor}`,
        ]) {
          const page = yield* readPage(shop.token, `?${query}`)
          // The filter still applies: o-0 is older.
          yield* equal(`?${query}`, [page.total, page.nextCursor, ...idsOf(page.orders)], [3, null, "o-1"])
        }
        const unfiltered = yield* readPage(shop.token, "?limit=2")
        for (const query of [
          ...["2026-10-05T14:01:00.001Z", "2026-10-05T14:00:59.999Z", "2026-10-05"].map(
            (at) => `${cursor}&orderedAfter=${at}`,
          ),
          `cursor=${unfiltered.nextCursor}&orderedAfter=0001-01-01`,
        ]) {
          yield* equal(`?${query}: status`, (yield* ask(shop.token, `/orders?${query}`)).status, 400)
        }
      }),
    },
    {
      id: "pages.bytes",
      title: "MUST end a page early rather than exceed 8 MiB of body, and still return one larger order",
      requirements: ["D46"],
      timeoutMs: 180_000,
      run: Effect.gen(function* () {
        const shop = yield* newShop()
        yield* publishLong(shop)
        for (const [index, count] of [7, 7, 34, 7, 7, 7, 7, 7].entries()) {
          const designs = Array.from({ length: count }, (_, at) => `d-${index}-${at}`)
          for (const id of designs) yield* saveDesign(shop, id, { customizerId: 7, selection: { q: "a" } })
          yield* placeOrder(shop, `o-${index}`, designs, minute(index))
        }
        const pages: Array<ReadonlyArray<unknown>> = []
        let cursor = ""
        do {
          const answer = yield* ask(shop.token, `/orders?limit=100${cursor}`)
          const page = yield* pageOf("a page", answer)
          yield* equal("total and limit", [page.total, page.limit], [8, 100])
          const ids = idsOf(page.orders)
          const bytes = new TextEncoder().encode(answer.text).length
          const isWithin = bytes <= 8 * 1024 * 1024
          yield* equal(
            `the page of ${ids.join(", ")} has at most 8 MiB: ${bytes} bytes`,
            isWithin,
            !ids.includes("o-2"),
          )
          pages.push(ids)
          cursor = page.nextCursor === null ? "" : `&cursor=${page.nextCursor}`
        } while (cursor !== "")
        yield* equal("pages", pages, [["o-7", "o-6", "o-5", "o-4"], ["o-3"], ["o-2"], ["o-1", "o-0"]])
      }),
    },
    {
      id: "pages.beside",
      title:
        "MUST answer another shop while one token waits for long pages, each of them whole or 503 with Retry-After",
      requirements: ["D46"],
      timeoutMs: 180_000,
      run: Effect.gen(function* () {
        const greedy = yield* newShop()
        yield* publishLong(greedy)
        const designs = Array.from({ length: 28 }, (_, at) => `d-${at}`)
        for (const id of designs) yield* saveDesign(greedy, id, { customizerId: 7, selection: { q: "a" } })
        yield* placeOrder(greedy, "o", designs, minute(0))
        const other = yield* newShop()
        yield* sell(other, "1001", ["d-1"])
        const whole = (yield* readPage(greedy.token, "")).orders
        const pages = yield* Effect.forkChild(
          Effect.forEach(Array.from({ length: 12 }), () => ask(greedy.token, "/orders"), { concurrency: "unbounded" }),
        )
        for (let times = 0; times < 5; times++) {
          yield* bodyOf("a design of another shop", yield* ask(other.token, "/designs/d-1"))
          yield* bodyOf("a page of another shop", yield* ask(other.token, "/orders"))
        }
        const answers = yield* Fiber.join(pages)
        yield* holds(
          "a page is answered",
          answers.some(({ status }) => status === 200),
        )
        for (const answer of answers) {
          if (answer.status !== 503) yield* equal("the page", (yield* pageOf("a page", answer)).orders, whole)
          else yield* holds("503 has Retry-After", /^[1-9]\d*$/.test(answer.headers["retry-after"] ?? ""))
        }
        yield* equal("the page afterwards", (yield* readPage(greedy.token, "")).orders, whole)
      }),
    },
    {
      id: "pages.objects",
      title: "MUST return the same bytes of an object on a page as alone",
      requirements: ["§4-3", "§4-4", "D10"],
      run: Effect.gen(function* () {
        const shop = yield* newShop()
        yield* sell(shop, "1001", ["d-1"])
        const order = (yield* ask(shop.token, "/orders/1001")).text
        yield* bodyOf("the design", yield* ask(shop.token, "/designs/d-1"))
        const design = (yield* ask(shop.token, "/designs/d-1")).text
        const page = (yield* ask(shop.token, "/orders")).text
        yield* equal("the page", page, `{"data":[${order}],"pagination":{"total":1,"limit":25,"nextCursor":null}}`)
        yield* holds("the order ends with its design", order.endsWith(`"designs":[${design}]}`))
      }),
    },
  ]),
]
