/** Requests, and the results of their answers. */
import { inspect } from "node:util"
import { describe, expect, it } from "vitest"
import { type Outcome, scriptedFetch } from "../../conformance/testkit/requests/ScriptedFetch.ts"
import { apiVersion } from "../../core/model/events/Event.ts"
import { type CachedAnswer, type ClientOptions, createClient, DesignwireRequestError } from "./index.ts"

const url = "https://a.example/v1"
const token = "cmz_secret"

const clientOf = (outcomes: ReadonlyArray<Outcome>, options: Partial<ClientOptions> = {}) => {
  const { fetch, requests } = scriptedFetch(...outcomes)
  return { client: createClient({ url, token, fetch, maxRetries: 0, ...options }), requests }
}

const order = (id: string, more: object = {}) => Response.json({ id, ...more })

const page = (ids: ReadonlyArray<string>, nextCursor: string | null, total = 9) =>
  Response.json({ data: ids.map((id) => ({ id })), pagination: { total, limit: 2, nextCursor } })

/** An error in the form of the service. */
const refused = (status: number, message: string, headers: Readonly<Record<string, string>> = {}) =>
  Response.json({ message }, { status, headers: { "x-api-version": apiVersion, ...headers } })

/** The error of a call. */
const failureOf = async (promise: Promise<unknown>): Promise<DesignwireRequestError> => {
  const error = await promise.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!(error instanceof DesignwireRequestError)) throw new Error("It did not fail as it should", { cause: error })
  return error
}

describe("A request", () => {
  it("MUST carry the token and the API's version, and follow no redirect (§5, §9, D19)", async () => {
    const { client, requests } = clientOf([order("1001")])
    await client.orders.get("1001")
    expect(requests).toMatchObject([{ url: `${url}/orders/1001`, redirect: "manual" }])
    expect(requests[0]?.headers).toEqual({
      accept: "application/json",
      authorization: `Bearer ${token}`,
      "x-api-version": apiVersion,
    })
  })

  it.each([
    ["https://a.example/api/v1", "https://a.example/api/v1/orders"],
    ["https://a.example/api/v1/", "https://a.example/api/v1/orders"],
    ["https://a.example/api/v1//", "https://a.example/api/v1/orders"],
    ["https://a.example", "https://a.example/orders"],
    ["http://127.0.0.1:3000/", "http://127.0.0.1:3000/orders"],
    ["https://a.example/shop%2Fs/designs/v1", "https://a.example/shop%2Fs/designs/v1/orders"],
    [new URL("https://a.example/api/v1"), "https://a.example/api/v1/orders"],
  ])("MUST go to paths under url: %s", async (given, requested) => {
    const { client, requests } = clientOf([page([], null)], { url: given })
    await client.orders.list().pages().next()
    expect(requests[0]?.url).toBe(requested)
  })

  it.each([
    ["1001", "1001"],
    ["gid://platform/Order/1", "gid%3A%2F%2Fplatform%2FOrder%2F1"],
    ["../designs/d", "..%2Fdesigns%2Fd"],
    ["...", "..."],
    ["%2F", "%252F"],
    ["a b?c#d;e\\f", "a%20b%3Fc%23d%3Be%5Cf"],
    ["♥", "%E2%99%A5"],
  ])("MUST keep an id one segment of the path: %s", async (id, segment) => {
    const { client, requests } = clientOf([order(id), order(id)])
    await client.orders.get(id)
    await client.designs.get(id)
    expect(requests.map((request) => request.url)).toEqual([`${url}/orders/${segment}`, `${url}/designs/${segment}`])
    for (const request of requests) expect(new URL(request.url).href).toBe(request.url)
  })

  it.each(["", ".", "..", "\ud800", undefined, null, 1001])(
    "MUST NOT be made for an id that no URL can contain: %j",
    async (given) => {
      const { client, requests } = clientOf([])
      const id = given as string
      for (const call of [client.orders.get(id), client.designs.get(id)]) {
        expect(await failureOf(call)).toMatchObject({ code: "bad_request", status: undefined })
      }
      expect(requests).toEqual([])
    },
  )

  it("MUST carry the parameters of a list, and none that are left out", async () => {
    const { client, requests } = clientOf([page([], null), page([], null), page([], null)])
    const time = "2026-10-05T14:48:00+02:00"
    await client.orders.list({ orderedAfter: time, limit: 100, cursor: "a+b" }).pages().next()
    await client.orders
      .list({ orderedAfter: new Date(time) })
      .pages()
      .next()
    await client.orders.list({ limit: undefined }).pages().next()
    expect(requests.map((request) => Object.fromEntries(new URL(request.url).searchParams))).toEqual([
      { orderedAfter: time, limit: "100", cursor: "a+b" },
      { orderedAfter: "2026-10-05T12:48:00.000Z" },
      {},
    ])
    expect(requests[2]?.url).toBe(`${url}/orders`)
  })

  it("MUST use the runtime's fetch as it is at the time of the call", async () => {
    const client = createClient({ url, token })
    const own = globalThis.fetch
    try {
      globalThis.fetch = async () => order("1001")
      expect(await client.orders.get("1001")).toEqual({ id: "1001" })
    } finally {
      globalThis.fetch = own
    }
  })
})

describe("Options", () => {
  it.each([
    "",
    "/api/v1",
    "a.example/v1",
    "ftp://a.example",
    "https://u:secret@a.example",
    "https://a.example/v1?x=1",
    "https://a.example/#x",
  ])("MUST be refused if url is not the address of an API: %s", (given) => {
    expect(() => createClient({ url: given, token })).toThrow(
      new TypeError("url must be an http(s) address without user, query and fragment"),
    )
  })

  it.each(["", " cmz_secret", "cmz_secret\n", "cmz_se cret", "cmz_♥", undefined])(
    "MUST be refused if the token can't be sent in a header, without repeating it: %j",
    (given) => {
      expect(() => createClient({ url, token: given as string })).toThrow(
        new TypeError("token must be an API token: text without spaces and line breaks"),
      )
    },
  )

  it.each([{ maxRetries: -1 }, { maxRetries: Number.NaN }, { timeout: 0 }, { totalTimeout: -1 }])(
    "MUST be refused if a number is out of its range: %j",
    (given) => {
      expect(() => createClient({ url, token, ...given })).toThrow(TypeError)
    },
  )
})

describe("An answer of the service", () => {
  it.each([
    [400, "bad_request"],
    [401, "unauthorized"],
    [403, "plan_required"],
    [404, "not_found"],
    [410, "gone"],
    [429, "rate_limited"],
    [500, "server_error"],
    [503, "unavailable"],
  ])("MUST become an error with its message: %i is %s (§7, D11)", async (status, code) => {
    const { client } = clientOf([refused(status, "So and so")])
    const error = await failureOf(client.orders.get("1001"))
    expect(error).toMatchObject({ name: "DesignwireRequestError", code, status, message: "So and so" })
    expect(error).toBeInstanceOf(Error)
  })
})

describe("A 403 of the service", () => {
  it("MUST be scope_required if its challenge says so, and plan_required otherwise (D77)", async () => {
    const challenge = { "www-authenticate": 'Bearer error="insufficient_scope", scope="orders:read"' }
    const { client } = clientOf([refused(403, "So", challenge), refused(403, "So", { "www-authenticate": "Bearer" })])
    expect(await failureOf(client.orders.get("1"))).toMatchObject({
      code: "scope_required",
      status: 403,
      message: "So",
    })
    expect(await failureOf(client.orders.get("1"))).toMatchObject({ code: "plan_required", status: 403 })
  })
})

describe("An answer that is not the service's", () => {
  const html = (status: number) =>
    new Response("<h1>Sign in</h1>", { status, headers: { "content-type": "text/html; charset=utf-8" } })

  it.each([200, 201, 203, 206, 400, 401, 403, 404, 405, 451])(
    "MUST be reported as such if it is a proxy's page, and never as not_found: %i",
    async (status) => {
      const { client } = clientOf([html(status)])
      expect(await failureOf(client.orders.get("1001"))).toMatchObject({
        code: "unexpected_answer",
        status,
        message: [
          `This is not an answer of the REST API (${status}, text/html; charset=utf-8):`,
          "check that url is its address, without redirects",
        ].join(" "),
      })
    },
  )

  it.each([400, 401, 403, 404])(
    "MUST be reported as such if a gateway imitates the service's form, without the API's version: %i (D19)",
    async (status) => {
      const { client } = clientOf([Response.json({ message: "Not Found" }, { status })])
      expect(await failureOf(client.orders.get("1001"))).toMatchObject({ code: "unexpected_answer", status })
    },
  )

  it("MUST be reported with the service's message if a later version answers with an unknown error", async () => {
    const { client } = clientOf([refused(451, "Not any more")])
    expect(await failureOf(client.orders.get("1"))).toMatchObject({
      code: "unexpected_answer",
      message: "Not any more",
    })
  })

  it.each([
    new Response(null, { status: 302, headers: { location: "https://login.example/" } }),
    new Response(null, { status: 204 }),
    new Response(null, { status: 304 }),
    { status: 0, headers: new Headers(), text: async () => "" } as Response,
  ])("MUST be reported as such if it is a redirect or has no body: %#", async (answer) => {
    const { client } = clientOf([answer])
    const error = await failureOf(client.orders.get("1001"))
    expect(error).toMatchObject({ code: "unexpected_answer", status: answer.status })
    expect(error.message).toContain(`(${answer.status}, no content type)`)
  })

  it.each(["", "{", '{"id":"10', "null", "[]", '"1001"', "1001", "{}", '{"message":"1001"}'])(
    "MUST be reported as such if it is not a resource: %s",
    async (body) => {
      const { client } = clientOf([new Response(body), new Response(body), new Response(body)])
      for (const call of [client.orders.get("1"), client.designs.get("1"), client.customizers.get(1)]) {
        expect(await failureOf(call)).toMatchObject({ code: "unexpected_answer", status: 200 })
      }
    },
  )

  it.each([
    {},
    { data: [] },
    { data: {}, pagination: { nextCursor: null } },
    { data: [], pagination: null },
    { data: [], pagination: {} },
    { data: [], pagination: { nextCursor: 1 } },
  ])("MUST be reported as such if it is not a page: %j", async (body) => {
    const { client } = clientOf([Response.json(body)])
    expect(await failureOf(client.orders.list().pages().next())).toMatchObject({ code: "unexpected_answer" })
  })

  it("MUST NOT loop for ever if the same page comes again", async () => {
    const { client, requests } = clientOf([page(["1"], "a"), page(["1"], "a")])
    const read = async () => {
      for await (const one of client.orders.list()) expect(one.id).toBe("1")
    }
    expect(await failureOf(read())).toMatchObject({ code: "unexpected_answer" })
    expect(requests).toHaveLength(2)
  })
})

describe("The token", () => {
  it("MUST NOT be in any error, whatever comes back, nor in the client", async () => {
    const echo = `No ${token} here`
    const { client, requests } = clientOf([
      refused(404, echo),
      new Response(`<h1>${token}</h1>`, { headers: { "content-type": token } }),
      refused(500, echo),
    ])
    for (const message of ["No … here", expect.stringContaining("(200, …)"), "No … here"]) {
      const error = await failureOf(client.orders.get("1001"))
      expect(error.message).toEqual(message)
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(token)
    }
    const { client: other } = clientOf([new TypeError(echo)])
    expect((await failureOf(other.orders.get("1001"))).message).toBe("The request failed: No … here")
    expect(inspect(client, { depth: 9, showHidden: true })).not.toContain(token)
    expect(JSON.stringify(requests.map((request) => request.url))).not.toContain(token)
  })
})

describe("A list", () => {
  const idsOf = async (orders: AsyncIterable<{ readonly id: string }>) => {
    const ids: Array<string> = []
    for await (const { id } of orders) ids.push(id)
    return ids
  }

  it("MUST continue to the last page, however few orders a page has (§2.4, D46)", async () => {
    const { client, requests } = clientOf([page(["1", "2"], "a"), page(["3"], "b"), page([], "c"), page(["4"], null)])
    expect(await idsOf(client.orders.list({ limit: 2, orderedAfter: "2026-10-05" }))).toEqual(["1", "2", "3", "4"])
    expect(requests.map((request) => Object.fromEntries(new URL(request.url).searchParams))).toEqual(
      [{}, { cursor: "a" }, { cursor: "b" }, { cursor: "c" }].map((cursor) => ({
        ...cursor,
        limit: "2",
        orderedAfter: "2026-10-05",
      })),
    )
  })

  it("MUST request a page only when its orders are needed, and start again with each loop", async () => {
    const { client, requests } = clientOf([page(["1", "2"], "a"), page(["1", "2"], "a"), page(["3"], null)])
    const list = client.orders.list()
    expect(requests).toHaveLength(0)
    for await (const { id } of list) if (id === "2") break
    expect(requests).toHaveLength(1)
    expect(await idsOf(list)).toEqual(["1", "2", "3"])
    expect(requests).toHaveLength(3)
  })

  it("MUST return whole pages, each with the cursor to continue from later (§2.4)", async () => {
    const { client, requests } = clientOf([page(["1", "2"], "a"), page(["3"], null)])
    const first = (await client.orders.list().pages().next()).value
    expect(first).toEqual({ data: [{ id: "1" }, { id: "2" }], pagination: { total: 9, limit: 2, nextCursor: "a" } })
    expect(await idsOf(client.orders.list({ cursor: first?.pagination.nextCursor ?? undefined }))).toEqual(["3"])
    expect(requests[1]?.url).toBe(`${url}/orders?cursor=a`)
  })
})

describe("A cache (D17)", () => {
  const tagged = (etag: string, body: object) => Response.json(body, { headers: { etag } })
  const notModified = (etag: string) => new Response(null, { status: 304, headers: { etag } })
  const tags = (requests: ReadonlyArray<{ readonly headers: Readonly<Record<string, string>> }>) =>
    requests.map(({ headers }) => headers["if-none-match"])

  it("MUST return an unchanged resource as a new object, and replace a changed one", async () => {
    const { client, requests } = clientOf(
      [tagged('"1"', { id: "1001" }), notModified('"1"'), tagged('"2"', { id: "1001", total: 2 }), notModified('"2"')],
      { cache: new Map<string, CachedAnswer>() },
    )
    const first = await client.orders.get("1001")
    const second = await client.orders.get("1001")
    expect(second).toEqual(first)
    expect(second).not.toBe(first)
    expect(await client.orders.get("1001")).toEqual({ id: "1001", total: 2 })
    expect(await client.orders.get("1001")).toEqual({ id: "1001", total: 2 })
    expect(tags(requests)).toEqual([undefined, '"1"', '"1"', '"2"'])
  })

  it("MUST hold pages too, each by its query", async () => {
    const body = { data: [{ id: "1" }], pagination: { total: 1, limit: 25, nextCursor: null } }
    const cache = new Map<string, CachedAnswer>()
    const { client, requests } = clientOf([tagged('"1"', body), tagged('"2"', body), notModified('"1"')], { cache })
    for (const query of [{}, { limit: 25 }, {}])
      expect((await client.orders.list(query).pages().next()).value).toEqual(body)
    expect(tags(requests)).toEqual([undefined, undefined, '"1"'])
    expect([...cache.keys()]).toEqual([`${url}/orders`, `${url}/orders?limit=25`])
  })

  it("MUST be allowed to return promises, and hold only values that JSON can express", async () => {
    const stored = new Map<string, string>()
    const cache = {
      get: async (key: string) => JSON.parse(stored.get(key) ?? "null") as CachedAnswer | null,
      set: async (key: string, answer: CachedAnswer) => {
        stored.set(key, JSON.stringify(answer))
      },
    }
    const { client } = clientOf([tagged('"1"', { id: "1001" }), notModified('"1"')], { cache })
    expect(await client.orders.get("1001")).toEqual({ id: "1001" })
    expect(await client.orders.get("1001")).toEqual({ id: "1001" })
  })

  it("MUST keep neither errors, nor other answers that are not a resource, nor answers without a tag", async () => {
    const cache = new Map<string, CachedAnswer>()
    const { client } = clientOf(
      [
        refused(404, "No", { etag: '"1"' }),
        new Response("<h1>Sign in</h1>", { headers: { etag: '"1"' } }),
        order("1001"),
      ],
      { cache },
    )
    await failureOf(client.orders.get("1001"))
    await failureOf(client.orders.get("1001"))
    await client.orders.get("1001")
    expect(cache.size).toBe(0)
  })

  it("MUST NOT hide an error: a resource that is gone is not_found", async () => {
    const { client } = clientOf([tagged('"1"', { id: "1" }), refused(404, "No")], {
      cache: new Map<string, CachedAnswer>(),
    })
    await client.orders.get("1")
    expect(await failureOf(client.orders.get("1"))).toMatchObject({ code: "not_found" })
  })
})
