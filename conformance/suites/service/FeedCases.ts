import { Effect, Fiber, Redacted } from "effect"
import { own } from "../../../core/model/json/Json.ts"
import { equal, holds } from "../Assertion.ts"
import { ask, bodyOf, hasKeys, isError, isTimestamp, objectOf, objectsOf, textOf } from "./Asking.ts"
import { newShop, newToken, type OwnShop, saveDesign, sell } from "./Filling.ts"
import { addHook, deliveries } from "./Hooks.ts"
import { observed } from "./Observing.ts"
import { shopInput } from "./Samples.ts"
import { Driver, driving, observing, RestApi, receiving } from "./ServiceCase.ts"

type Token = Redacted.Redacted<string>

const kinds = ["design.created", "design.ordered", "order.cancelled"]

/** A page of the feed for a query such as `?limit=1`, with its form and its events checked. */
const readFeed = Effect.fnUntraced(function* (token: Token, query = "") {
  const what = `GET /events${query}`
  const answer = yield* ask(token, `/events${query}`)
  const page = yield* bodyOf(what, answer)
  yield* hasKeys(what, page, ["data", "pagination"])
  const pagination = yield* objectOf(`${what}: pagination`, page["pagination"])
  yield* hasKeys(`${what}: pagination`, pagination, ["limit", "nextCursor", "hasMore"])
  const { hasMore, limit } = pagination
  yield* holds(`${what}: limit is an integer: ${limit}`, Number.isInteger(limit))
  yield* holds(`${what}: hasMore is true or false: ${hasMore}`, typeof hasMore === "boolean")
  const nextCursor = yield* textOf(`${what}: nextCursor`, pagination["nextCursor"])
  const events = yield* Effect.forEach(yield* objectsOf(`${what}: data`, page["data"]), (envelope, index) =>
    Effect.gen(function* () {
      const place = `${what}: data[${index}]`
      yield* hasKeys(place, envelope, ["id", "event", "apiVersion", "createdAt", "shop", "data", "test"])
      const id = yield* textOf(`${place}.id`, envelope["id"])
      const kind = yield* textOf(`${place}.event`, envelope["event"])
      yield* holds(`${place}.event is a kind of event: ${kind}`, kinds.includes(kind))
      yield* isTimestamp(`${place}.createdAt`, envelope["createdAt"])
      yield* equal(`${place}.test`, envelope["test"], false)
      const data = yield* objectOf(`${place}.data`, envelope["data"])
      const about = yield* objectOf(`${place}.data`, own(data, kind === "order.cancelled" ? "order" : "design"))
      return { id, kind, shop: envelope["shop"], about: yield* textOf(`${place}: id`, about["id"]) }
    }),
  )
  yield* holds(`${what}: at most ${limit} events: ${events.length}`, events.length <= Number(limit))
  return { events, hasMore: hasMore === true, limit: Number(limit), nextCursor, text: answer.text }
})

type FeedEvent = Effect.Success<ReturnType<typeof readFeed>>["events"][number]

/** The events as short texts: `design.ordered a`. */
const told = (events: ReadonlyArray<FeedEvent>): ReadonlyArray<string> =>
  events.map(({ about, kind }) => `${kind} ${about}`)

const afterOf = (cursor: string): string => `after=${encodeURIComponent(cursor)}`

/** Three events, one after the other. */
const happenings = Effect.fnUntraced(function* (shop: OwnShop, order: string, design: string) {
  yield* sell(shop, order, [design])
  yield* (yield* Driver).cancelOrder({ shop: shop.id, id: order })
  return [`design.created ${design}`, `design.ordered ${design}`, `order.cancelled ${order}`]
})

/** Requests of a reader with one token: fewer than the limit per minute. */
const requestsPerToken = 100

/** Reads the feed from its beginning to the end that follows the last write. */
const follow = Effect.fnUntraced(function* (shop: OwnShop, isOver: () => boolean) {
  const seen: Array<FeedEvent> = []
  let after: string | undefined
  let token: Token = shop.token
  for (let request = 1; ; request++) {
    if (request % requestsPerToken === 0) token = (yield* newToken(shop.id)).token
    // Read before the page: everything written by then must be on this page or an earlier one.
    const wasOver = isOver()
    const page = yield* readFeed(token, after === undefined ? "?limit=7" : `?limit=7&${afterOf(after)}`)
    seen.push(...page.events)
    after = page.nextCursor
    if (!page.hasMore) {
      if (wasOver) return seen
      yield* Effect.sleep("20 millis")
    }
  }
})

/** The event feed (D39), which the specification does not require: a service may lack it. */
export const feedCases = [
  ...observing([
    {
      id: "feed.none",
      title: "MUST answer 404 at /events like at any unknown address if there is no feed",
      requirements: ["D11"],
      needs: ["token"],
      without: "feed",
      run: Effect.gen(function* () {
        yield* isError("GET /events", yield* ask(yield* observed, "/events"), 404)
      }),
    },
    {
      id: "feed.form",
      title: "MUST return pages of events, oldest first, 25 by default, with a cursor that is never null",
      requirements: ["D39", "D12"],
      needs: ["token", "feed"],
      run: Effect.gen(function* () {
        const token = yield* observed
        const { limit, nextCursor } = yield* readFeed(token)
        yield* equal("default limit", limit, 25)
        yield* readFeed(token, `?limit=3&${afterOf(nextCursor)}`)
      }),
    },
  ]),
  ...driving([
    {
      id: "feed.access",
      title: "MUST require a token of a shop with the right plan before anything else",
      requirements: ["D39", "D11", "§5-5"],
      needs: ["feed"],
      run: Effect.gen(function* () {
        const driver = yield* Driver
        const api = yield* RestApi
        const shop = yield* newShop()
        yield* isError("without a token", yield* api.send({ path: "/events" }), 401)
        const unknown = yield* ask(Redacted.make("cmz_unknown"), "/events?limit=0")
        yield* isError("with an unknown token", unknown, 401)
        yield* driver.putShop({ shop: shop.id, input: { ...shopInput, plan: "free" } })
        yield* isError("off the plan", yield* ask(shop.token, "/events?limit=0"), 403)
      }),
    },
    {
      id: "feed.answers",
      title: "MUST answer like every address of the REST API: limits, tags, HEAD, and 405 to other methods",
      requirements: ["D39", "D11", "D16", "D17"],
      needs: ["feed"],
      run: Effect.gen(function* () {
        const { token } = yield* newShop()
        const answer = yield* ask(token, "/events?limit=3")
        yield* equal(
          "RateLimit-Policy",
          answer.headers["ratelimit-policy"]?.replaceAll(" ", ""),
          '"default";q=120;w=60',
        )
        const tag = answer.headers["etag"] ?? ""
        yield* holds(`ETag is a strong tag: ${tag}`, /^"[^"]+"$/.test(tag))
        const again = yield* ask(token, "/events?limit=3", { headers: { "if-none-match": tag } })
        yield* equal("with that tag: status and body", [again.status, again.text], [304, ""])
        const head = yield* ask(token, "/events?limit=3", { method: "HEAD" })
        yield* equal("HEAD: status, tag and body", [head.status, head.headers["etag"], head.text], [200, tag, ""])
        const post = yield* ask(token, "/events", { method: "POST" })
        yield* isError("POST", post, 405)
        yield* equal("POST: Allow names GET", post.headers["allow"]?.includes("GET"), true)
      }),
    },
    {
      id: "feed.query",
      title: "MUST refuse an invalid limit, cursor or type, naming the parameter",
      requirements: ["D39", "D12"],
      needs: ["feed"],
      run: Effect.gen(function* () {
        const { token } = yield* newShop()
        const { nextCursor } = yield* readFeed(token)
        for (const query of [
          ...["limit=0", "limit=101", "limit=x", "limit=", "limit=1&limit=1"],
          ...["after=", "after=nobodys-cursor", `${afterOf(nextCursor)}&${afterOf(nextCursor)}`],
          ...["types=", "types=ping", "types=design.ordered,design.deleted"],
        ]) {
          const message = yield* isError(`?${query}`, yield* ask(token, `/events?${query}`), 400)
          const parameter = query.split("=")[0] ?? ""
          yield* holds(`the message for ?${query} names ${parameter}: ${message}`, message.includes(parameter))
        }
      }),
    },
    {
      id: "feed.events",
      title: "MUST return every event of its shop and no other's, oldest first, each once",
      requirements: ["D39"],
      needs: ["feed"],
      run: Effect.gen(function* () {
        const driver = yield* Driver
        const [shop, neighbour] = [yield* newShop(), yield* newShop()]
        const empty = yield* readFeed(shop.token)
        yield* equal("of an empty shop", [empty.events.length, empty.hasMore], [0, false])
        yield* happenings(neighbour, "1", "a")
        const expected = yield* happenings(shop, "1", "a")
        // A call that changes nothing is not an event.
        yield* driver.cancelOrder({ shop: shop.id, id: "1" })
        yield* saveDesign(shop, "b")
        yield* saveDesign(shop, "b", { basePrice: 1 })
        expected.push("design.created b")
        for (const query of ["", `?${afterOf(empty.nextCursor)}`]) {
          const { events, hasMore } = yield* readFeed(shop.token, query)
          yield* equal(`the events of /events${query}`, told(events), expected)
          yield* equal("more", hasMore, false)
          yield* equal("the domains in them", [...new Set(events.map(({ shop }) => shop))], [shopInput.domain])
        }
      }),
    },
    {
      id: "feed.pages",
      title: "MUST lead from page to page without gaps or repetitions, and later to new events",
      requirements: ["D39"],
      needs: ["feed"],
      run: Effect.gen(function* () {
        const shop = yield* newShop()
        const expected = [...(yield* happenings(shop, "1", "a")), ...(yield* happenings(shop, "2", "b"))]
        for (const limit of [1, 4, 6]) {
          const seen: Array<FeedEvent> = []
          let next = `?limit=${limit}`
          for (let more = true; more; ) {
            const page = yield* readFeed(shop.token, next)
            yield* equal(`limit of ${next}`, page.limit, limit)
            seen.push(...page.events)
            more = seen.length < expected.length
            yield* holds(`a page before the end is not empty (${next})`, page.events.length > 0)
            yield* equal(`hasMore of ${next}`, page.hasMore, more)
            next = `?limit=${limit}&${afterOf(page.nextCursor)}`
          }
          yield* equal(`the events by pages of ${limit}`, told(seen), expected)
          const end = yield* readFeed(shop.token, next)
          yield* equal("after the last page", [end.events.length, end.hasMore], [0, false])
        }
        const end = (yield* readFeed(shop.token)).nextCursor
        const since = yield* happenings(shop, "3", "c")
        for (const time of ["first", "second"]) {
          const { events } = yield* readFeed(shop.token, `?${afterOf(end)}`)
          yield* equal(`new events, read a ${time} time`, told(events), since)
        }
      }),
    },
    {
      id: "feed.latest",
      title: "MUST return nothing after latest, with a cursor that leads to the next events",
      requirements: ["D39"],
      needs: ["feed"],
      run: Effect.gen(function* () {
        const shop = yield* newShop()
        for (const order of ["1", "2"]) {
          const { events, hasMore, nextCursor } = yield* readFeed(shop.token, "?after=latest")
          yield* equal("after latest", [events.length, hasMore], [0, false])
          const next = yield* happenings(shop, order, `d-${order}`)
          const page = yield* readFeed(shop.token, `?${afterOf(nextCursor)}`)
          yield* equal("what happened next", told(page.events), next)
        }
      }),
    },
    {
      id: "feed.types",
      title: "MUST return only events of the requested types, with a cursor that is valid for all types",
      requirements: ["D39"],
      needs: ["feed"],
      run: Effect.gen(function* () {
        const shop = yield* newShop()
        const all = [...(yield* happenings(shop, "1", "a")), ...(yield* happenings(shop, "2", "b"))]
        for (const types of [["order.cancelled"], ["design.created", "design.ordered"], kinds]) {
          const { events } = yield* readFeed(shop.token, `?types=${types.join(",")}`)
          const expected = all.filter((text) => types.includes(text.split(" ")[0] ?? ""))
          yield* equal(`types=${types.join(",")}`, told(events), expected)
        }
        const first = yield* readFeed(shop.token, "?types=design.ordered&limit=1")
        yield* equal("the first order", [told(first.events), first.hasMore], [["design.ordered a"], true])
        const others = yield* readFeed(shop.token, `?${afterOf(first.nextCursor)}`)
        yield* equal("all types after it", told(others.events), all.slice(2))
      }),
    },
    {
      id: "feed.writers",
      title: "MUST return every event once, in one order, to all readers while others write",
      requirements: ["D39"],
      needs: ["feed"],
      timeoutMs: 120_000,
      run: Effect.gen(function* () {
        const shop = yield* newShop()
        const [writers, rounds] = [8, 6]
        let writing = writers
        const write = (writer: number) =>
          Effect.gen(function* () {
            for (let round = 0; round < rounds; round++)
              yield* happenings(shop, `o-${writer}-${round}`, `d-${writer}-${round}`)
            writing -= 1
          })
        const readers = yield* Effect.forEach([1, 2], () => Effect.forkScoped(follow(shop, () => writing === 0)))
        yield* Effect.forEach(
          Array.from({ length: writers }, (_, index) => index),
          write,
          { concurrency: "unbounded", discard: true },
        )
        const later = yield* follow({ ...shop, ...(yield* newToken(shop.id)) }, () => true)
        const expected = Array.from(
          { length: writers * rounds },
          (_, index) => `${Math.floor(index / rounds)}-${index % rounds}`,
        ).flatMap((name) => [`design.created d-${name}`, `design.ordered d-${name}`, `order.cancelled o-${name}`])
        yield* equal("all events at the end", told(later).toSorted(), expected.toSorted())
        const at = new Map(told(later).map((text, index) => [text, index]))
        for (const [index, text] of expected.entries()) {
          const before = expected[index - 1] ?? ""
          if (index % 3 > 0) yield* holds(`${before} comes before ${text}`, (at.get(before) ?? 0) < (at.get(text) ?? 0))
        }
        for (const reader of readers) {
          const seen = yield* Fiber.join(reader)
          yield* equal("events that a reader saw meanwhile", seen.length, later.length)
          yield* equal(
            "their ids",
            seen.map(({ id }) => id),
            later.map(({ id }) => id),
          )
        }
      }),
    },
    {
      id: "feed.gone",
      title: "MUST answer 410 to a cursor after which an event was dropped, and continue from a new one",
      requirements: ["D39", "D33"],
      needs: ["feed", "dropEvents"],
      // A service may drop the events of other shops too.
      alone: true,
      run: Effect.gen(function* () {
        const driver = yield* Driver
        const shop = yield* newShop()
        const start = (yield* readFeed(shop.token)).nextCursor
        yield* happenings(shop, "1", "a")
        const middle = (yield* readFeed(shop.token, "?limit=2")).nextCursor
        yield* driver.dropEvents({ shop: shop.id })
        for (const cursor of [start, middle]) {
          yield* isError("GET /events?after=…", yield* ask(shop.token, `/events?${afterOf(cursor)}`), 410)
        }
        const { events, nextCursor } = yield* readFeed(shop.token)
        yield* equal("remaining events", events.length, 0)
        const next = yield* happenings(shop, "2", "b")
        for (const query of ["", `?${afterOf(nextCursor)}`]) {
          yield* equal(`/events${query}`, told((yield* readFeed(shop.token, query)).events), next)
        }
      }),
    },
  ]),
  ...receiving([
    {
      id: "feed.delivered",
      title: "MUST return the delivered bytes, whether or not an endpoint takes the event, and no test events",
      requirements: ["D39", "D21"],
      needs: ["feed"],
      run: Effect.gen(function* () {
        const driver = yield* Driver
        const shop = yield* newShop()
        const hook = yield* addHook(shop, { events: ["design.ordered", "order.cancelled"] })
        const expected = yield* happenings(shop, "1", "a")
        yield* driver.test({ shop: shop.id, endpoint: hook.id })
        const received = yield* deliveries(hook, 3)
        const { events, text } = yield* readFeed(shop.token)
        yield* equal("the events", told(events), expected)
        for (const each of received.filter(({ envelope }) => envelope["test"] === false)) {
          yield* holds(`the feed has the bytes of ${each.event}`, text.includes(each.text))
          yield* holds(
            `${each.event} has the id of its delivery`,
            events.some(({ id }) => id === each.id),
          )
        }
      }),
    },
  ]),
]
