/** The places of a server's connections, over real sockets from several addresses of this machine. */
import type { RequestListener, ServerResponse } from "node:http"
import type { AddressInfo, Server } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { openConnection, type RawConnection } from "../../conformance/testkit/requests/RawConnection.ts"
import { parseNetworks } from "../../core/rules/webhooks/PublicHost.ts"
import { type ConnectionLimits, defaultLimits } from "./ConnectionLimits.ts"
import { makeConnections } from "./Connections.ts"

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`
const dripping = "GET / HTTP/1.1\r\nX: "
/** So much of a body that the application gets the request. */
const body = `POST /wait HTTP/1.1\r\nHost: a\r\nContent-Length: 40000\r\n\r\n${"x".repeat(20_000)}`
const answered = (text: string) => text.endsWith("ok")

/** A server that answers `ok`, but for `/wait`, which has an answer when the test gives one. */
const listening = Effect.fnUntraced(function* (limits: Partial<ConnectionLimits>) {
  const reports: Array<string> = []
  const { server } = makeConnections(
    { ...defaultLimits, ...limits },
    {},
    { report: (sentence) => void reports.push(sentence), refused: () => undefined },
  )
  const waiting: Array<ServerResponse> = []
  const answer: RequestListener = (request, response) => {
    if (request.url === "/wait") waiting.push(response)
    else response.end("ok")
  }
  server.on("request", answer)
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      }),
  )
  const { port } = server.address() as AddressInfo
  const connected = (count: number) => until(server, "connection", () => count <= connections)
  let connections = 0
  server.on("connection", () => connections++)
  /** Opens a connection from an address of this machine, and waits until the server has it. */
  const open = Effect.fnUntraced(function* (text = "", from = "127.0.0.1") {
    const before = connections
    const connection = yield* openConnection(port, text, from)
    yield* connected(before + 1)
    return connection
  })
  /** Opens a connection whose request is under way until the test answers it. */
  const openBusy = Effect.fnUntraced(function* (from?: string, text = get("/wait")) {
    const before = waiting.length
    const connection = yield* open(text, from)
    yield* until(server, "request", () => waiting.length > before)
    return connection
  })
  return { open, openBusy, reports, waiting }
})

/** Waits until something is so, which may change with an event. */
const until = (server: Server, event: string, isSo: () => boolean) =>
  Effect.callback<void>((resume) => {
    const look = () => {
      if (!isSo()) return
      server.off(event, look)
      resume(Effect.void)
    }
    server.on(event, look)
    look()
    return Effect.sync(() => server.off(event, look))
  })

/** Fails unless a connection still has its answers. */
const expectOpen = Effect.fnUntraced(function* (connection: RawConnection, request = get("/")) {
  connection.socket.write(request)
  expect(answered(yield* connection.until(answered))).toBe(true)
})

describe("The connections of one address", () => {
  it.live("MUST be bounded: the one that was idle for longest goes, and other addresses keep theirs", () =>
    Effect.gen(function* () {
      const { open, reports } = yield* listening({ maximumConnections: 100, maximumPerAddress: 3 })
      const other = yield* open("", "127.0.0.2")
      const first = yield* open(get("/"))
      yield* first.until(answered)
      const [second, third] = [yield* open(dripping), yield* open(dripping)]
      // By its second request the first becomes the one that was idle for the shortest time.
      yield* first.until(answered)
      first.socket.write(get("/again"))
      yield* first.until((text) => text.split("ok").length === 3)
      const fourth = yield* open(get("/"))
      yield* fourth.until(answered)
      expect(yield* second.closed).toBe("")
      const fifth = yield* open(get("/"))
      yield* fifth.until(answered)
      expect(yield* third.closed).toBe("")
      yield* expectOpen(first)
      yield* expectOpen(other)
      expect(reports).toEqual([expect.stringMatching(/^127\.0\.0\.1 has 3 connections.*DESIGNWIRE_PROXY_NETWORKS/)])
    }),
  )

  it.live("MUST leave a way in to others while one opens more than the server takes, and drips", () =>
    Effect.gen(function* () {
      expect(defaultLimits.maximumPerAddress).toBe(defaultLimits.maximumConnections / 8)
      const { open } = yield* listening({ maximumConnections: 80, maximumPerAddress: 10 })
      const other = yield* open(dripping, "127.0.0.2")
      const flood = yield* Effect.forEach(Array.from({ length: 120 }), () => open(dripping))
      yield* Effect.forEach(flood.slice(0, 110), ({ closed }) => closed)
      expect(flood.slice(110).filter(({ socket }) => socket.closed)).toEqual([])
      yield* expectOpen(other, "\r\nHost: a\r\n\r\n")
    }),
  )

  it.live("MUST keep requests under way, and close a new one without an answer if none is idle", () =>
    Effect.gen(function* () {
      const { open, openBusy, waiting } = yield* listening({ maximumPerAddress: 2 })
      const [first, second] = [yield* openBusy(), yield* openBusy()]
      const third = yield* open(get("/"))
      expect(yield* third.closed).toBe("")
      for (const response of waiting) response.end("ok")
      yield* first.until(answered)
      yield* second.until(answered)
    }),
  )

  it.live("MUST make room by one whose request has not arrived, if no other is idle", () =>
    Effect.gen(function* () {
      const { open, openBusy, waiting } = yield* listening({ maximumPerAddress: 2 })
      const busy = yield* openBusy()
      const arriving = yield* openBusy(undefined, body)
      const third = yield* open(get("/"))
      yield* third.until(answered)
      yield* arriving.closed
      waiting[0]?.end("ok")
      yield* busy.until(answered)
    }),
  )

  it.live("MUST NOT be bounded for a proxy that is named", () =>
    Effect.gen(function* () {
      const proxies = Result.getOrThrow(parseNetworks("127.0.0.8/30"))
      const { open, openBusy, reports } = yield* listening({ maximumPerAddress: 2, proxies })
      for (let index = 0; index < 4; index++) yield* openBusy("127.0.0.9")
      const fifth = yield* open(get("/"), "127.0.0.9")
      yield* fifth.until(answered)
      expect(reports).toEqual([])
    }),
  )
})

describe("A full server", () => {
  it.live("MUST close the connection that was idle for longest, of any address", () =>
    Effect.gen(function* () {
      const { open, openBusy, reports } = yield* listening({ maximumConnections: 3 })
      yield* openBusy("127.0.0.2")
      const idle = yield* open(dripping, "127.0.0.3")
      const later = yield* open(dripping, "127.0.0.4")
      const fourth = yield* open(get("/"), "127.0.0.5")
      yield* fourth.until(answered)
      yield* idle.closed
      expect(later.socket.closed).toBe(false)
      expect(reports).toEqual([expect.stringContaining("The server has 3 connections")])
    }),
  )

  it.live("MUST answer health probes, one for each connection, and nothing else", () =>
    Effect.gen(function* () {
      const { open, openBusy } = yield* listening({ maximumConnections: 2 })
      yield* openBusy()
      yield* openBusy("127.0.0.2")
      for (const path of ["/livez", "/readyz", "/readyz?verbose"]) {
        const probe = yield* open(get(path))
        expect(yield* probe.closed).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*Connection: close\r\n[\s\S]*ok$/)
      }
      for (const request of [get("/"), get("/livez/"), get("/wait"), body]) {
        const other = yield* open(request)
        expect(yield* other.closed).toBe("")
      }
    }),
  )

  it.live("MUST answer health probes while others hold every spare place", () =>
    Effect.gen(function* () {
      const { open, openBusy } = yield* listening({ maximumConnections: 1 })
      yield* openBusy()
      for (const from of ["127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5", "127.0.0.6"]) {
        for (let index = 0; index < 20; index++) yield* open(dripping, from)
      }
      const probe = yield* open(get("/livez"))
      expect(yield* probe.closed).toMatch(/ok$/)
    }),
  )
})
