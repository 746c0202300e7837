/**
 * Reads the REST API (§4) with only `fetch`: on Node, Deno, Bun, edge runtimes and in browsers. Depends on nothing.
 *
 * ```ts
 * import { createClient } from "designwire/client"
 *
 * const client = createClient({ url: "https://designs.example.com/api/v1", token: "cmz_…" })
 * for await (const order of client.orders.list({ orderedAfter: "2026-10-05" })) console.log(order.id, order.total)
 * ```
 */
import type {
  Customizer,
  Design,
  EventPage,
  FeedEvent,
  Order,
  OrderLine,
  OrderPage,
} from "../../core/model/Resources.ts"
import { DesignwireRequestError } from "./DesignwireRequestError.ts"
import { type EventsQuery, eventsParameters, type OrdersQuery, ordersParameters } from "./Queries.ts"
import { type ClientCache, type Fetch, isPassing, makeGet, pauseAfter } from "./Requests.ts"
import { wait } from "./Timers.ts"

export type {
  Customizer,
  Definition,
  DefinitionAnswer,
  DefinitionCondition,
  DefinitionQuestion,
  DefinitionRule,
  DefinitionStep,
  Design,
  EventPage,
  FeedEvent,
  Order,
  OrderLine,
  OrderPage,
} from "../../core/model/Resources.ts"
export { DesignwireRequestError, type RequestErrorCode } from "./DesignwireRequestError.ts"
export type { EventsQuery, OrdersQuery } from "./Queries.ts"
export type { CachedAnswer, ClientCache, Fetch, FetchedAnswer } from "./Requests.ts"

/** Options of a client. */
export interface ClientOptions {
  /** The REST API's address, the version in its path included: `https://designs.example.com/api/v1`. */
  readonly url: string | URL
  /** The API token, `cmz_…`. It reads the whole store: keep it on a server. */
  readonly token: string
  /** Sends the requests; the runtime's own `fetch` when left out. */
  readonly fetch?: Fetch | undefined
  /**
   * Keeps answers, so that unchanged ones are not sent again (`ETag`, `If-None-Match`, D17). Every call still makes a
   * request, so no answer is out of date, and clients of different stores may share a cache. A `Map` works, but grows
   * without limit: processes that run long need an LRU cache.
   */
  readonly cache?: ClientCache | undefined
  /**
   * How often a request is tried again after 429, any 5xx, a network error or a timeout; 3 when left out. It waits as
   * long as `Retry-After` says; without one for half to all of 0.5, 1, 2, … 8 seconds.
   */
  readonly maxRetries?: number | undefined
  /** Milliseconds for a try, until its body is read; 30 000 when left out. */
  readonly timeout?: number | undefined
  /**
   * Milliseconds for a request with all its tries and waits, 120 000 when left out. If a wait would end later, the
   * request fails at once. A list makes a request for each page.
   */
  readonly totalTimeout?: number | undefined
}

/** Options of a call. */
export interface CallOptions {
  /** Ends the call, its waits included. It then fails with the signal's `reason`, as `fetch` does. */
  readonly signal?: AbortSignal | undefined
}

/** Orders, newest first. Iterating reads page after page as needed, each time from the beginning. */
export interface OrderList extends AsyncIterable<Order> {
  /**
   * The same orders as whole pages, with `pagination.total`, and the `pagination.nextCursor` to continue from later.
   */
  readonly pages: () => AsyncGenerator<OrderPage, void, undefined>
}

/** The part of the feed to follow, with 100 events on a page unless `limit` says otherwise, and the pace. */
export interface FollowOptions extends EventsQuery, CallOptions {
  /**
   * Milliseconds between two requests at the end of the feed; 2 000 when left out. A token has 120 requests in 60
   * seconds, unless the service sets another limit.
   */
  readonly interval?: number | undefined
}

/** Events that came together. */
export interface EventBatch {
  /** Oldest first. Empty if the feed has moved on past events of other kinds. */
  readonly events: ReadonlyArray<FeedEvent>
  /** The position after them, to continue from at any later time: store it together with your results. */
  readonly cursor: string
}

/**
 * Reads a store. A call fails with {@link DesignwireRequestError}, whose `code` gives the reason; with the reason of
 * its signal; or with the error of a cache that fails.
 */
export interface Client {
  readonly orders: {
    readonly list: (query?: OrdersQuery, options?: CallOptions) => OrderList
    /** An order by its id on the platform. */
    readonly get: (id: string, options?: CallOptions) => Promise<Order>
    /** The lines of an order that have a design, each with its quantity. */
    readonly lines: (id: string, options?: CallOptions) => Promise<ReadonlyArray<OrderLine>>
  }
  readonly events: {
    /** A page of the event feed, oldest first (D39). */
    readonly list: (query?: EventsQuery, options?: CallOptions) => Promise<EventPage>
    /**
     * All events of the shop, as they happen, without end: no event is missed or comes twice, however long either side
     * was away, as long as the events are stored. Retries after every temporary error. Fails with `gone` if events
     * after `after` have been dropped, and with the reason of its signal once that is aborted.
     *
     * ```ts
     * for await (const { events, cursor } of client.events.follow({ after: await load(), signal })) {
     *   for (const event of events) await handle(event)
     *   await save(cursor)
     * }
     * ```
     */
    readonly follow: (options?: FollowOptions) => AsyncGenerator<EventBatch, never, undefined>
  }
  readonly designs: {
    /** A design, drafts included. */
    readonly get: (id: string, options?: CallOptions) => Promise<Design>
  }
  readonly customizers: {
    /** A customizer with its published definition. */
    readonly get: (id: number, options?: CallOptions) => Promise<Customizer>
  }
}

/** Makes a client of one store's REST API. Throws a `TypeError` for invalid options; sends nothing. */
export const createClient = (options: ClientOptions): Client => {
  const { cache, fetch = globalFetch, maxRetries = 3, timeout = 30_000, token, totalTimeout = 120_000 } = options
  // Other text can't be sent in a header, and errors of `fetch` repeat the headers that they refuse.
  if (typeof token !== "string" || !/^[!-~]+$/.test(token)) {
    throw new TypeError("token must be an API token: text without spaces and line breaks")
  }
  if (!(maxRetries >= 0 && timeout > 0 && totalTimeout > 0)) {
    throw new TypeError("maxRetries must be 0 or more; timeout and totalTimeout must be above 0")
  }
  const get = makeGet({ base: baseOf(options.url), token, fetch, cache, maxRetries, timeout, totalTimeout })

  const list = (query: OrdersQuery = {}, { signal }: CallOptions = {}): OrderList => {
    const pages = async function* () {
      for (let cursor = query.cursor; ; ) {
        const page = await get(`/orders${search({ ...query, cursor }, ordersParameters)}`, isPage, signal)
        yield page
        const { nextCursor } = page.pagination
        if (nextCursor === null) return
        if (nextCursor === cursor) {
          throw new DesignwireRequestError(
            "unexpected_answer",
            "The same page came again: does a proxy ignore queries?",
          )
        }
        cursor = nextCursor
      }
    }
    const orders = async function* () {
      for await (const page of pages()) yield* page.data
    }
    return { pages, [Symbol.asyncIterator]: orders }
  }

  const listEvents = (query: EventsQuery, signal: AbortSignal | undefined): Promise<EventPage> =>
    get(`/events${search(query, eventsParameters)}`, isEventPage, signal)

  const follow = async function* ({ interval = 2_000, signal, ...query }: FollowOptions = {}) {
    let { after } = query
    for (let failures = 0; ; ) {
      let page: EventPage
      try {
        page = await listEvents({ limit: 100, ...query, after }, signal)
      } catch (error) {
        if (!isPassing(error)) throw error
        await wait(pauseAfter(error, failures++), signal)
        continue
      }
      failures = 0
      const cursor = page.pagination.nextCursor
      if (page.data.length > 0 || cursor !== after) yield { events: page.data, cursor }
      after = cursor
      if (!page.pagination.hasMore) await wait(interval, signal)
    }
  }

  return {
    events: {
      list: async (query = {}, { signal } = {}) => listEvents(query, signal),
      follow,
    },
    orders: {
      list,
      get: async (id, { signal } = {}) => get(`/orders/${segment(id)}`, isResource<Order>, signal),
      lines: async (id, { signal } = {}) => (await get(`/orders/${segment(id)}/lines`, isLines, signal)).data,
    },
    designs: {
      get: async (id, { signal } = {}) => get(`/designs/${segment(id)}`, isResource<Design>, signal),
    },
    customizers: {
      get: async (id, { signal } = {}) => get(`/customizers/${segment(String(id))}`, isResource<Customizer>, signal),
    },
  }
}

/** Looked up at each call: tools that replace it may do so after the client was made. */
const globalFetch: Fetch = (url, init) => globalThis.fetch(url, init)

const baseOf = (given: string | URL): string => {
  const url = URL.canParse(String(given)) ? new URL(given) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new TypeError("url must be an http(s) address without user, query and fragment")
  }
  return url.origin + url.pathname.replace(/\/+$/, "")
}

/** An id as part of a path. Three ids that no URL can contain, encoded or not, would lead to another route. */
const segment = (id: string): string => {
  if (typeof id !== "string" || /^\.{0,2}$/.test(id) || !id.isWellFormed()) {
    throw new DesignwireRequestError("bad_request", 'An id must be well-formed text, not "", "." or ".."')
  }
  return encodeURIComponent(id)
}

/** The parameters of a query, each once: lists have commas. */
const search = <Name extends string>(query: { readonly [_ in Name]?: unknown }, names: ReadonlyArray<Name>): string => {
  const given = new URLSearchParams()
  for (const name of names) {
    const value: unknown = query[name]
    if (value !== undefined) given.set(name, value instanceof Date ? value.toISOString() : String(value))
  }
  return String(given) && `?${given}`
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const isResource = <A>(value: unknown): value is A => isObject(value) && "id" in value

const isLines = (value: unknown): value is { readonly data: ReadonlyArray<OrderLine> } =>
  isObject(value) && Array.isArray(value["data"])

const isPage = (value: unknown): value is OrderPage =>
  isObject(value) &&
  Array.isArray(value["data"]) &&
  isObject(value["pagination"]) &&
  (value["pagination"]["nextCursor"] === null || typeof value["pagination"]["nextCursor"] === "string")

const isEventPage = (value: unknown): value is EventPage =>
  isObject(value) &&
  Array.isArray(value["data"]) &&
  isObject(value["pagination"]) &&
  typeof value["pagination"]["nextCursor"] === "string" &&
  typeof value["pagination"]["hasMore"] === "boolean"
