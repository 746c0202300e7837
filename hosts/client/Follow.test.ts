/** Following the event feed, in virtual time. */
import { getEventListeners } from "node:events"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { type Outcome, scriptedFetch } from "../../conformance/testkit/requests/ScriptedFetch.ts"
import { createClient, DesignwireRequestError, type EventBatch, type FollowOptions } from "./index.ts"

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse("2026-10-05T14:48:00Z") })
  vi.spyOn(Math, "random").mockReturnValue(0)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const url = "https://a.example/v1"

const page = (ids: ReadonlyArray<string>, nextCursor: string, hasMore = false) =>
  Response.json({ data: ids.map((id) => ({ id })), pagination: { limit: 100, nextCursor, hasMore } })

const refused = (status: number, headers: Readonly<Record<string, string>> = {}) =>
  Response.json({ message: "No" }, { status, headers: { "x-api-version": "2026-10", ...headers } })

const clientOf = (outcomes: ReadonlyArray<Outcome>) => {
  const { fetch, requests } = scriptedFetch(...outcomes)
  return { client: createClient({ url, token: "cmz_t", fetch, maxRetries: 0 }), requests }
}

const reason = new Error("Enough")

/** Follows until the outcomes are used up. Returns the batches, the requests and the end. */
const follow = async (outcomes: ReadonlyArray<Outcome>, options: FollowOptions = {}) => {
  const controller = new AbortController()
  const last = async () => {
    controller.abort(reason)
    return page([], "never")
  }
  const { client, requests } = clientOf([...outcomes, last])
  const batches: Array<EventBatch> = []
  const run = async () => {
    for await (const batch of client.events.follow({ ...options, signal: controller.signal })) batches.push(batch)
  }
  const ended = run().then(
    () => undefined,
    (error: unknown) => error,
  )
  await vi.runAllTimersAsync()
  const error = await ended
  expect([vi.getTimerCount(), getEventListeners(controller.signal, "abort")]).toEqual([0, []])
  return {
    error,
    batches: batches.map(({ cursor, events }) => [...events.map(({ id }) => id), cursor].join(" ")),
    asked: requests.map((request) => request.url.slice(url.length)),
    at: requests.map(({ at }) => at),
  }
}

describe("events.list", () => {
  it("MUST send the given parameters, and none that are left out (D39)", async () => {
    const { client, requests } = clientOf([page(["a"], "1", true), page([], "1")])
    expect(await client.events.list()).toEqual({
      data: [{ id: "a" }],
      pagination: { limit: 100, nextCursor: "1", hasMore: true },
    })
    await client.events.list({ after: "1", limit: 5, types: ["design.ordered", "order.cancelled"] })
    expect(requests.map((request) => request.url)).toEqual([
      `${url}/events`,
      `${url}/events?after=1&limit=5&types=design.ordered%2Corder.cancelled`,
    ])
  })

  it.each([{ data: [] }, { data: [], pagination: { nextCursor: null, hasMore: false } }, { pagination: {} }])(
    "MUST refuse an answer that is not a page of the feed: %j",
    async (body) => {
      const { client } = clientOf([Response.json(body)])
      await expect(client.events.list()).rejects.toMatchObject({ code: "unexpected_answer" })
    },
  )
})

describe("events.follow", () => {
  it("MUST read on at once if there is more, and otherwise wait and read again with the last cursor", async () => {
    const { asked, at, batches, error } = await follow([
      page(["a", "b"], "1", true),
      page(["c"], "2"),
      page([], "2"),
      page(["d"], "3"),
    ])
    expect(batches).toEqual(["a b 1", "c 2", "d 3"])
    expect(asked).toEqual([
      "/events?limit=100",
      ...["1", "2", "2", "3"].map((after) => `/events?after=${after}&limit=100`),
    ])
    expect(at).toEqual([0, 0, 2_000, 4_000, 6_000])
    expect(error).toBe(reason)
  })

  it("MUST continue from the caller's cursor, and return a new one also after events of other kinds", async () => {
    const options: FollowOptions = { after: "7", limit: 3, types: ["order.cancelled"], interval: 500 }
    const { asked, at, batches } = await follow([page([], "9"), page([], "9")], options)
    expect(batches).toEqual(["9"])
    expect(asked).toEqual(["7", "9", "9"].map((after) => `/events?after=${after}&limit=3&types=order.cancelled`))
    expect(at).toEqual([0, 500, 1_000])
  })

  it("MUST wait as long as Retry-After says, back off without it, and miss nothing", async () => {
    const { asked, at, batches } = await follow([
      refused(429, { "retry-after": "7" }),
      page(["a"], "1", true),
      new TypeError("fetch failed"),
      refused(503),
      refused(500),
      page(["b"], "2"),
    ])
    expect(batches).toEqual(["a 1", "b 2"])
    expect(at).toEqual([0, 7_000, 7_000, 7_250, 7_750, 8_750, 10_750])
    expect(new Set(asked.slice(2, 6))).toEqual(new Set(["/events?after=1&limit=100"]))
  })

  it("MUST read a page that breaks off again, and end with an error after one that is cut off without a word", async () => {
    const text = JSON.stringify({ data: [{ id: "b" }], pagination: { limit: 100, nextCursor: "2", hasMore: false } })
    const begun = (end: (controller: ReadableStreamDefaultController) => void) =>
      new Response(
        new ReadableStream({
          start: (controller) => {
            controller.enqueue(new TextEncoder().encode(text.slice(0, -30)))
            end(controller)
          },
        }),
      )
    const { asked, batches, error } = await follow([
      page(["a"], "1", true),
      begun((controller) => controller.error(new TypeError("terminated"))),
      page(["b"], "2", true),
      begun((controller) => controller.close()),
    ])
    expect(batches).toEqual(["a 1", "b 2"])
    expect(asked.slice(1)).toEqual(["1", "1", "2"].map((after) => `/events?after=${after}&limit=100`))
    expect(error).toMatchObject({ code: "unexpected_answer" })
  })

  it.each([
    [400, "bad_request"],
    [401, "unauthorized"],
    [403, "plan_required"],
    [410, "gone"],
  ])("MUST end with an error that says why at %i: %s", async (status, code) => {
    const { batches, error } = await follow([page(["a"], "1", true), refused(status)])
    expect(batches).toEqual(["a 1"])
    expect(error).toBeInstanceOf(DesignwireRequestError)
    expect(error).toMatchObject({ code, status })
  })

  it("MUST send no more requests once its loop is left", async () => {
    const { client, requests } = clientOf([page(["a"], "1"), page(["b"], "2")])
    for await (const { cursor } of client.events.follow()) {
      expect(cursor).toBe("1")
      break
    }
    await vi.runAllTimersAsync()
    expect([requests.length, vi.getTimerCount()]).toEqual([1, 0])
  })
})
