/** Retries of requests, and their end, in virtual time. */
import { getEventListeners } from "node:events"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { type Outcome, scriptedFetch } from "../../conformance/testkit/requests/ScriptedFetch.ts"
import { type ClientOptions, createClient, DesignwireRequestError } from "./index.ts"

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse("2026-10-05T14:48:00Z") })
  vi.spyOn(Math, "random").mockReturnValue(0)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const good = () => Response.json({ id: "1001" })
const refused = (status: number, retryAfter?: string) =>
  Response.json(
    { message: "Later" },
    {
      status,
      headers: { "x-api-version": "2026-10", ...(retryAfter === undefined ? {} : { "retry-after": retryAfter }) },
    },
  )
const html = (status: number) =>
  new Response("<h1>Bad gateway</h1>", { status, headers: { "content-type": "text/html" } })
const unreachable = () => new TypeError("fetch failed")

const clientOf = (outcomes: ReadonlyArray<Outcome>, options: Partial<ClientOptions> = {}) => {
  const { fetch, requests } = scriptedFetch(...outcomes)
  return { client: createClient({ url: "https://a.example/v1", token: "cmz_t", fetch, ...options }), requests }
}

/** The outcome of a promise once all timers have run, and its time. */
const outcomeOf = async (promise: Promise<unknown>) => {
  const start = performance.now()
  const settled = promise.then(
    (value) => ({ value, after: performance.now() - start }),
    (error: unknown) => ({ error, after: performance.now() - start }),
  )
  await vi.runAllTimersAsync()
  return settled
}

/** Gets an order. Returns the times of the requests, the outcome and the duration. */
const run = async (outcomes: ReadonlyArray<Outcome>, options: Partial<ClientOptions> = {}) => {
  const { client, requests } = clientOf(outcomes, options)
  const outcome = await outcomeOf(client.orders.get("1001"))
  expect(vi.getTimerCount()).toBe(0)
  const error = "error" in outcome ? outcome.error : undefined
  if (error !== undefined) expect(error).toBeInstanceOf(DesignwireRequestError)
  return {
    at: requests.map((request) => request.at),
    requests,
    error: error as DesignwireRequestError | undefined,
    after: Math.round(outcome.after),
  }
}

describe("Retry-After", () => {
  it.each([429, 503])("MUST be waited for exactly, in seconds, at %i", async (status) => {
    expect(await run([refused(status, "7"), refused(status, "0"), good()])).toMatchObject({ at: [0, 7000, 7000] })
  })

  it.each(
    [429, 503].flatMap((status) => [
      [status, "Mon, 05 Oct 2026 14:48:30 GMT", 30_000] as const,
      [status, "Monday, 05-Oct-26 14:48:30 GMT", 30_000] as const,
      [status, "Mon, 05 Oct 2026 14:00:00 GMT", 0] as const,
    ]),
  )("MUST be waited for as a date, at %i: %s", async (status, date, at) => {
    expect(await run([refused(status, date), good()])).toMatchObject({ at: [0, at] })
  })

  it("MUST NOT end before the date", async () => {
    vi.setSystemTime(Date.now() + 600)
    expect(await run([refused(503, "Mon, 05 Oct 2026 14:48:30 GMT"), good()])).toMatchObject({ at: [0, 30_000] })
  })

  it.each(["soon", "1.5", "-3", "", "2026-10-05T14:49:00Z", "Mon GMT"])(
    "MUST be ignored if it is neither: %j",
    async (text) => {
      expect(await run([refused(429, text), good()])).toMatchObject({ at: [0, 250] })
    },
  )

  it("MUST be in the error of the last try, in seconds", async () => {
    const { at, error } = await run([1, 2, 3, 4].map((seconds) => refused(429, String(seconds))))
    expect(at).toEqual([0, 1000, 3000, 6000])
    expect(error).toMatchObject({ code: "rate_limited", status: 429, message: "Later", retryAfter: 4 })
  })

  it("MUST NOT be waited for if that would pass the total time", async () => {
    const whole = await run([refused(429, "120")])
    expect(whole).toMatchObject({ at: [0], after: 0, error: { code: "rate_limited", retryAfter: 120 } })
    const second = await run([refused(503, "60"), refused(503, "60")])
    expect(second).toMatchObject({ at: [0, 60_000], after: 60_000, error: { code: "unavailable", retryAfter: 60 } })
    const wide = await run([refused(503, "60"), refused(503, "60"), good()], { totalTimeout: 121_000 })
    expect(wide).toMatchObject({ at: [0, 60_000, 120_000], error: undefined })
    const endless = await run([refused(503, "999999999999999999999")])
    expect(endless).toMatchObject({ at: [0], after: 0 })
  })
})

describe("Without Retry-After", () => {
  it("MUST wait half to all of 0.5, 1, 2, 4, 8, 8 seconds, at random", async () => {
    const outcomes = () => [...Array.from({ length: 6 }, () => refused(503)), good()]
    const options = { maxRetries: 6 }
    expect(await run(outcomes(), options)).toMatchObject({ at: [0, 250, 750, 1750, 3750, 7750, 11_750] })
    vi.mocked(Math.random).mockReturnValue(1)
    expect(await run(outcomes(), options)).toMatchObject({ at: [0, 500, 1500, 3500, 7500, 15_500, 23_500] })
  })

  it.each([
    [429, "rate_limited"],
    [500, "server_error"],
    [502, "unavailable"],
    [503, "unavailable"],
    [504, "unavailable"],
    [520, "server_error"],
  ])("MUST try again at %i, a proxy's page or the service's answer, and report %s in the end", async (status, code) => {
    expect(await run([html(status), refused(status), good()])).toMatchObject({ at: [0, 250, 750], error: undefined })
    const { error } = await run(Array.from({ length: 4 }, () => html(status)))
    expect(error).toMatchObject({ code, status, message: `The service answered ${status}`, retryAfter: undefined })
  })

  it("MUST try again after a network error, and report the last one as cause", async () => {
    expect(await run([unreachable(), good()])).toMatchObject({ at: [0, 250], error: undefined })
    const last = unreachable()
    const { error } = await run([unreachable(), unreachable(), unreachable(), last])
    expect(error).toMatchObject({ code: "network", status: undefined, message: "The request failed: fetch failed" })
    expect(error?.cause).toBe(last)
  })

  it("MUST say why no connection was made: the cause of the error of fetch, or its code", async () => {
    const several = Object.assign(new AggregateError([]), { code: "ECONNREFUSED" })
    for (const [cause, said] of [
      [new Error("connect ECONNREFUSED 127.0.0.1:9"), "fetch failed (connect ECONNREFUSED 127.0.0.1:9)"],
      [several, "fetch failed (ECONNREFUSED)"],
      ["other", "fetch failed"],
      [null, "fetch failed"],
    ] as const) {
      const { error } = await run([new TypeError("fetch failed", { cause })], { maxRetries: 0 })
      expect(error?.message).toBe(`The request failed: ${said}`)
    }
  })

  it("MUST try again if the body breaks off", async () => {
    const broken = new ReadableStream({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode('{"id":'))
        controller.error(new TypeError("terminated"))
      },
    })
    expect(await run([new Response(broken), good()])).toMatchObject({ at: [0, 250], error: undefined })
  })

  it.each([400, 401, 403, 404, 405, 302, 304, 204])("MUST NOT try again at %i", async (status) => {
    const answer = status < 400 ? new Response(null, { status }) : refused(status, "1")
    expect((await run([answer])).at).toEqual([0])
  })
})

describe("The number of tries", () => {
  it("MUST be 4, or 1 more than maxRetries", async () => {
    for (const [options, tries] of [
      [{}, 4],
      [{ maxRetries: 0 }, 1],
      [{ maxRetries: 1 }, 2],
    ] as const) {
      const { at, error } = await run(Array.from({ length: 5 }, unreachable), options)
      expect([at.length, error?.code]).toEqual([tries, "network"])
    }
  })

  it("MUST be counted, like the time, for each page of a list separately", async () => {
    const page = (nextCursor: string | null) =>
      Response.json({ data: [], pagination: { total: 0, limit: 1, nextCursor } })
    const { client, requests } = clientOf(
      [refused(429, "60"), page("a"), refused(429, "60"), page("b"), refused(429, "60"), page(null)],
      { maxRetries: 1 },
    )
    const read = async () => {
      for await (const _ of client.orders.list()) expect.unreachable()
    }
    expect(await outcomeOf(read())).toMatchObject({ value: undefined })
    expect(requests.map(({ at }) => at)).toEqual([0, 60_000, 60_000, 120_000, 120_000, 180_000])
  })
})

describe("The timeout of a try", () => {
  it.each(["hangs", "ignores its signal"] as const)("MUST end it, and the next may succeed: %s", async (outcome) => {
    const { at, error, requests } = await run([outcome, good()], { timeout: 1000 })
    expect([at, error]).toEqual([[0, 1250], undefined])
    expect(requests.map(({ signal }) => signal.aborted)).toEqual([true, false])
  })

  it("MUST cover the body", async () => {
    const endless = () => new Response(new ReadableStream({ pull: () => new Promise<never>(() => undefined) }))
    const { at, error } = await run(Array.from({ length: 4 }, endless), { timeout: 1000 })
    expect(at).toEqual([0, 1250, 2750, 4750])
    expect(error).toMatchObject({
      code: "timeout",
      status: undefined,
      message: "No complete answer within 1000 ms",
    })
  })

  it("MUST be 30 seconds, and 120 for all tries together", async () => {
    const { after, at, error } = await run(
      Array.from({ length: 9 }, () => "hangs" as const),
      { maxRetries: 8 },
    )
    expect(at).toEqual([0, 30_250, 60_750, 91_750])
    expect([error?.code, after]).toEqual(["timeout", 120_000])
  })

  it("MUST be as long as configured, however long", async () => {
    const hour = 3_600_000
    for (const long of [Number.POSITIVE_INFINITY, 2 ** 40]) {
      const late = () => new Promise<Response>((resolve) => setTimeout(() => resolve(good()), hour))
      const { after, at } = await run([late], { timeout: long, totalTimeout: long })
      expect([at, after]).toEqual([[0], hour])
    }
  })
})

describe("The caller's signal", () => {
  const reason = new Error("Enough")

  /** Aborts after some time. Returns the error of the call, and its time. */
  const aborted = async (outcomes: ReadonlyArray<Outcome>, milliseconds: number) => {
    const controller = new AbortController()
    const { signal } = controller
    const { client, requests } = clientOf(outcomes)
    if (milliseconds === 0) controller.abort(reason)
    else setTimeout(() => controller.abort(reason), milliseconds)
    const calls = [
      client.orders.get("1001", { signal }),
      client.designs.get("d", { signal }),
      client.customizers.get(1, { signal }),
      client.orders.list({}, { signal }).pages().next(),
    ]
    const outcomesOf = await Promise.all(calls.map(outcomeOf))
    expect(vi.getTimerCount()).toBe(0)
    expect(getEventListeners(signal, "abort")).toEqual([])
    for (const outcome of outcomesOf) expect(outcome).toEqual({ error: reason, after: milliseconds })
    return requests
  }

  it("MUST end the wait before the next try", async () => {
    expect(
      await aborted(
        Array.from({ length: 4 }, () => refused(429, "60")),
        1000,
      ),
    ).toHaveLength(4)
  })

  it.each(["hangs", "ignores its signal"] as const)("MUST end a request under way: %s", async (outcome) => {
    const requests = await aborted(
      Array.from({ length: 4 }, () => outcome),
      1000,
    )
    expect(requests.map(({ signal }) => signal.reason)).toEqual([reason, reason, reason, reason])
  })

  it("MUST send nothing if it is already aborted", async () => {
    expect(await aborted([], 0)).toEqual([])
  })

  it("MUST have no listeners left after calls that end otherwise", async () => {
    const { signal } = new AbortController()
    const { client } = clientOf([refused(429, "1"), unreachable(), good(), refused(404)])
    expect(await outcomeOf(client.orders.get("1001", { signal }))).toMatchObject({ value: { id: "1001" } })
    expect(await outcomeOf(client.orders.get("1002", { signal }))).toMatchObject({ error: { code: "not_found" } })
    expect(getEventListeners(signal, "abort")).toEqual([])
  })
})
