/** Requests whose bodies do not arrive (D46a), over real connections. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Redacted, Result } from "effect"
import { shopInput } from "../../conformance/suites/service/Samples.ts"
import { keptAlive, manage, manageKey, memory, sender, serve } from "../../conformance/testkit/hosts/TestHost.ts"
import { answersIn, openConnection, type RawConnection } from "../../conformance/testkit/requests/RawConnection.ts"
import { parseNetworks } from "../../core/rules/webhooks/PublicHost.ts"
import { signedHeaders } from "../ingest/samples/SignedWebhook.ts"
import type { ConnectionLimits } from "./ConnectionLimits.ts"

const secret = "shpss_0123456789abcdef"

/** A host with the shop acme. */
const host = Effect.fnUntraced(function* (limits: Partial<ConnectionLimits> = {}) {
  const { dump, ports } = yield* memory.open
  const ingest = { shopify: [Redacted.make(secret)] }
  const port = yield* serve(yield* Layer.build(ports), { ingest, limits })
  const send = sender(port, yield* keptAlive)
  yield* manage(send, "PUT", "/shops/acme", shopInput)
  return { dump, port, send }
})

const post = (path: string, headers = "") =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\n${headers}Content-Length: 2000000\r\n\r\n`

/** Opens a request whose body is about to arrive, once the host has read its head: it answers the request before. */
const slow = (port: number, path: string, address?: string) =>
  Effect.tap(openConnection(port, `GET /livez HTTP/1.1\r\nHost: a\r\n\r\n${post(path)}`, address), ({ until }) =>
    until((text) => text.includes("HTTP/1.1 200")),
  )

/** The answer to the request after the first. */
const refusal = ({ closed }: RawConnection) =>
  Effect.map(closed, (text) => {
    const [, answer] = answersIn(text)
    return { ...answer, json: JSON.parse(answer?.body ?? "null") as unknown }
  })

const mebibyte = 1024 * 1024

const loopback = Result.getOrThrow(parseNetworks("127.0.0.0/8"))

const paths = [
  "/ingest/shopify/acme",
  "/settings/sign-in",
  "/settings/acme/link",
  "/nothing",
  "http://a/ingest/shopify/a",
]

describe("Bodies of callers that are not known yet", () => {
  it.live("MUST be 408 if they arrive too slowly, and store nothing (D46a)", () =>
    Effect.gen(function* () {
      const { dump, port } = yield* host()
      const before = yield* dump
      const body = JSON.stringify({ id: 1 })
      const signed = signedHeaders.shopify({ topic: "orders/create", body, secret })
      const headers = Object.entries(signed).map(([name, value]) => `${name}: ${value}\r\n`)
      const head = `POST /ingest/shopify/acme HTTP/1.1\r\nHost: a\r\n${headers.join("")}Content-Length: ${body.length}\r\n\r\n`
      const { closed } = yield* openConnection(port, head + body.slice(0, -1))
      const [answer] = answersIn(yield* closed)
      expect([answer?.status, answer?.headers["connection"]]).toEqual([408, "close"])
      expect(JSON.parse(answer?.body ?? "")).toEqual({
        message: "The body arrived too slowly: it must come at 1 KiB a second or more",
      })
      expect(yield* dump).toBe(before)
    }),
  )

  it.live("MUST be 503 with Retry-After without room, the oldest first (D46a)", () =>
    Effect.gen(function* () {
      const { port, send } = yield* host({ maximumArriving: 4 * mebibyte })
      // The registry of metrics is the process': other hosts may have refused some.
      const refused = Effect.map(send("GET", "/metrics"), ({ text }) =>
        Number(/designwire_requests_refused_total\{share="bodies"\} (\d+)/.exec(text)?.[1] ?? 0),
      )
      const before = yield* refused
      const first = yield* slow(port, "/ingest/shopify/acme", "127.0.0.2")
      const second = yield* slow(port, "/ingest/shopify/acme", "127.0.0.2")
      const other = yield* slow(port, "/ingest/shopify/acme", "127.0.0.3")
      // Enough for minutes, so that none of them is slow.
      for (const { socket } of [first, second, other]) socket.write("x".repeat(mebibyte / 4))
      // With both heads more than the quarter of one address.
      second.socket.write("x".repeat(mebibyte / 2))
      const { headers, json, status } = yield* refusal(first)
      expect([status, headers?.["retry-after"], json]).toEqual([
        503,
        "1",
        { message: "The service is too busy at the moment, and nothing was stored; try again" },
      ])
      expect(other.received()).not.toContain("503")
      expect((yield* refused) - before).toBe(1)
    }),
  )

  it.live("MUST give their room back once their clients have left (D46a)", () =>
    Effect.gen(function* () {
      const { port, send } = yield* host({ maximumArriving: 4 * mebibyte })
      // The oldest, so the first that is given up without room.
      const honest = yield* slow(port, "/ingest/shopify/acme", "127.0.0.2")
      honest.socket.write("x".repeat(mebibyte / 4))
      for (let client = 3; client < 15; client++) {
        const { socket } = yield* slow(port, "/ingest/shopify/acme", `127.0.0.${client}`)
        yield* Effect.promise(() => new Promise<unknown>((written) => socket.write("x".repeat(mebibyte / 2), written)))
        socket.destroy()
        yield* send("GET", "/livez")
      }
      expect(honest.received()).not.toContain("503")
    }),
  )

  it.live("MUST NOT keep people from signing in, and callers with the key from changing anything (D46a)", () =>
    Effect.gen(function* () {
      // One request at a time.
      const { port, send } = yield* host({ maximumRequests: 4 })
      for (const path of paths) for (let times = 0; times < 4; times++) yield* slow(port, path)
      const page = yield* send("GET", "/settings/sign-in")
      expect(page.status).toBe(200)
      const form = /name="form" value="([^"]+)"/.exec(page.text)?.[1] ?? ""
      const signedIn = yield* send("POST", "/settings/sign-in", {
        body: new URLSearchParams({ form, key: manageKey }).toString(),
        headers: { "content-type": "application/x-www-form-urlencoded" },
      })
      expect(signedIn.status).toBe(303)
      const body = JSON.stringify({ id: 1, line_items: [] })
      const headers = signedHeaders.shopify({ topic: "orders/create", body, secret })
      expect((yield* send("POST", "/ingest/shopify/acme", { body, headers })).status).toBe(200)
      expect((yield* manage(send, "PUT", "/shops/other", shopInput)).status).toBe(200)
    }),
  )

  it.live("MUST NOT be waited for with a wrong key", () =>
    Effect.gen(function* () {
      const { port } = yield* host()
      for (const key of ["", "Authorization: Bearer wrong-key-0123456789\r\nIdempotency-Key: a\r\n"]) {
        const { until } = yield* openConnection(port, post("/manage/v1/shops/acme/tokens", key))
        yield* until((text) => text.startsWith("HTTP/1.1 401"))
      }
    }),
  )

  it.live("MUST be read to their end behind a proxy as well, each client with a share of its own", () =>
    Effect.gen(function* () {
      const { port } = yield* host({ maximumArriving: 4 * mebibyte, proxies: loopback })
      const from = (client: string) =>
        openConnection(port, post("/ingest/shopify/acme", `X-Forwarded-For: ${client}\r\n`))
      const [greedy, honest] = [yield* from("203.0.113.7, 198.51.100.1"), yield* from("203.0.113.7, 198.51.100.2")]
      greedy.socket.write("x".repeat(1.5 * mebibyte))
      expect(answersIn(yield* greedy.closed).map(({ status }) => status)).toEqual([503])
      expect(honest.received()).toBe("")
    }),
  )
})

it.live("wrong keys of one client MUST NOT lock out other clients of the same proxy", () =>
  Effect.gen(function* () {
    const { send } = yield* host({ proxies: loopback })
    const tried = (key: string, client: string) =>
      Effect.map(
        send("GET", "/manage/v1/shops", {
          headers: { authorization: `Bearer ${key}`, "x-forwarded-for": `203.0.113.7, ${client}` },
        }),
        ({ status }) => status,
      )
    for (let times = 0; times < 10; times++) expect(yield* tried("wrong", "198.51.100.1")).toBe(401)
    expect(yield* tried(manageKey, "198.51.100.1")).toBe(429)
    expect(yield* tried(manageKey, "198.51.100.2")).toBe(200)
  }),
)
