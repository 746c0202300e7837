import { writeFileSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, Redacted, Scope } from "effect"
import { TestClock } from "effect/testing"
import { register, sender } from "../../conformance/index.ts"
import { selfSigned } from "../../conformance/suites/sender/Certificates.ts"
import { connectProxy } from "../../conformance/suites/sender/ConnectProxy.ts"
import { type DnsAnswer, dnsServer } from "../../conformance/suites/sender/DnsServer.ts"
import { answer, eventually, receiver } from "../../conformance/suites/sender/Receiver.ts"
import { answered, send, unanswered } from "../../conformance/suites/sender/Sending.ts"
import { HostLookup } from "../../core/ports/HostLookup.ts"
import { layerLookup, layerSender } from "./index.ts"

register(
  sender({
    sender: (authority) => layerSender({ trust: [authority] }),
    proxied: (authority, proxy) => layerSender({ trust: [authority], proxy: Redacted.make(proxy) }),
    lookup: (server) => layerLookup({ servers: [server], hostsFile: null }),
  }),
  { describe, it },
)

register(
  sender({
    name: "sender through a proxy",
    sender: (authority) =>
      Layer.unwrap(
        Effect.map(connectProxy(), ({ port }) =>
          layerSender({ trust: [authority], proxy: Redacted.make(`http://127.0.0.1:${port}`) }),
        ),
      ),
  }),
  { describe, it },
)

const answering = receiver({ answer: (socket) => socket.write(answer("200 OK")) })
const open = (sockets: ReadonlyArray<{ destroyed: boolean }>) => sockets.filter(({ destroyed }) => !destroyed).length

it.live("keeps as many idle connections as it may, the most recently used", () =>
  Effect.gen(function* () {
    const receivers = yield* Effect.all([answering, answering, answering, answering])
    for (const { port } of receivers) yield* send(`http://127.0.0.1:${port}/`)
    yield* eventually("two are closed", () => open(receivers.flatMap(({ sockets }) => sockets)) === 2)
    expect(receivers.map(({ sockets }) => open(sockets))).toEqual([0, 0, 1, 1])
  }).pipe(Effect.provide(layerSender({ maxIdleConnections: 2 })), Effect.scoped),
)

it.live("keeps using a connection although another to the same origin was closed", () =>
  Effect.gen(function* () {
    const waiting: Array<() => void> = []
    const { port, sockets } = yield* receiver({
      answer: (socket) => {
        waiting.push(() => socket.write(answer("200 OK")))
      },
    })
    const url = `http://127.0.0.1:${port}/`
    const both = yield* Effect.forkChild(Effect.all([send(url), send(url)], { concurrency: 2 }))
    yield* eventually("two requests at once", () => waiting.length === 2)
    for (const respond of waiting.splice(0)) respond()
    yield* Fiber.join(both)
    sockets[0]?.destroy()
    for (let times = 0; times < 3; times++) {
      const one = yield* Effect.forkChild(send(url))
      yield* eventually("another request", () => waiting.length === 1)
      waiting.pop()?.()
      yield* Fiber.join(one)
    }
    expect([sockets.length, open(sockets)]).toEqual([2, 1])
  }).pipe(Effect.provide(layerSender()), Effect.scoped),
)

it.live("closes idle connections a second before the receiver would, and with the layer", () =>
  Effect.gen(function* () {
    const hinting = yield* receiver({
      answer: (socket) => socket.write(answer("200 OK", ["Keep-Alive: timeout=1"])),
    })
    const plain = yield* answering
    yield* Effect.gen(function* () {
      yield* send(`http://127.0.0.1:${hinting.port}/`)
      yield* send(`http://127.0.0.1:${plain.port}/`)
      yield* eventually("closed as hinted", () => open(hinting.sockets) === 0)
      expect(open(plain.sockets)).toBe(1)
    }).pipe(Effect.provide(layerSender()))
    yield* eventually("closed with the layer", () => open(plain.sockets) === 0)
  }).pipe(Effect.scoped),
)

it.live("tries the next address if one does not answer", () =>
  Effect.gen(function* () {
    const { port } = yield* answering
    const addresses = ["192.0.2.1", "198.51.100.1", "127.0.0.1"]
    expect(yield* send(`http://shop.example:${port}/`, { addresses, connectTimeout: 3_000 })).toEqual(answered(200))
  }).pipe(Effect.provide(layerSender()), Effect.scoped),
)

it.live("verifies certificates whatever NODE_TLS_REJECT_UNAUTHORIZED says", () =>
  Effect.gen(function* () {
    const { port } = yield* receiver({ certificate: selfSigned("shop.example") })
    yield* Effect.acquireRelease(
      Effect.sync(() => {
        process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0"
      }),
      () => Effect.sync(() => delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"]),
    )
    expect(yield* send(`https://shop.example:${port}/`)).toEqual(unanswered("tls", "selfSigned"))
  }).pipe(Effect.provide(layerSender()), Effect.scoped),
)

it.live("dies of a header that HTTP does not allow: the receiver is not at fault", () =>
  Effect.gen(function* () {
    const { port, requests } = yield* answering
    const exit = yield* Effect.exit(send(`http://127.0.0.1:${port}/`, { headers: { "X-A": "b\r\nX-C: d" } }))
    expect(Exit.hasDies(exit)).toBe(true)
    expect(requests).toEqual([])
  }).pipe(Effect.provide(layerSender()), Effect.scoped),
)

const find = (name: string) => Effect.flatMap(HostLookup, (hosts) => hosts.lookup(name))

/** Runs an effect with a DNS server and the number of questions that it was asked. */
const asking = <A, E>(
  respond: (type: "A" | "AAAA") => DnsAnswer,
  effect: (questions: () => number) => Effect.Effect<A, E, HostLookup>,
) =>
  Effect.gen(function* () {
    const { address, questions } = yield* dnsServer(respond)
    return yield* Effect.provide(
      effect(() => questions.length),
      layerLookup({ servers: [address], hostsFile: null }),
    )
  }).pipe(Effect.scoped)

const one =
  (ttl: number) =>
  (type: "A" | "AAAA"): DnsAnswer =>
    type === "A" ? [["A", "203.0.113.7", ttl]] : []

it.effect("remembers a name for five seconds, or less if its server says so", () =>
  Effect.gen(function* () {
    for (const [ttl, seconds] of [
      [3_600, 5],
      [2, 2],
    ] as const) {
      yield* asking(one(ttl), (questions) =>
        Effect.gen(function* () {
          yield* find("shop.example")
          yield* find("SHOP.example.")
          yield* TestClock.adjust(seconds * 1_000 - 1)
          yield* find("shop.example")
          expect(questions()).toBe(2)
          yield* TestClock.adjust(1)
          yield* find("shop.example")
          expect(questions()).toBe(4)
        }),
      )
    }
  }),
)

it.effect("asks the system's servers of the time, at most thirty seconds old", () =>
  Effect.gen(function* () {
    const [before, after] = [yield* dnsServer(one(60)), yield* dnsServer(one(60))]
    const servers = [before.address]
    yield* Effect.gen(function* () {
      yield* find("one.example")
      servers[0] = after.address
      yield* TestClock.adjust(29_999)
      yield* find("two.example")
      expect([before.questions.length, after.questions.length]).toEqual([4, 0])
      yield* TestClock.adjust(1)
      yield* find("three.example")
      expect([before.questions.length, after.questions.length]).toEqual([4, 2])
    }).pipe(Effect.provide(layerLookup({ servers, hostsFile: null })))
  }).pipe(Effect.scoped),
)

it.live("ends lookups under way when it is closed, before any server has answered", () =>
  Effect.gen(function* () {
    const { address, questions } = yield* dnsServer(() => "silence")
    const scope = yield* Scope.make()
    const hosts = yield* Layer.buildWithScope(layerLookup({ servers: [address], hostsFile: null }), scope)
    const looking = yield* Effect.forkChild(Effect.provideContext(Effect.flip(find("shop.example")), hosts))
    yield* eventually("a question has arrived", () => questions.length > 0)
    yield* Scope.close(scope, Exit.void)
    expect(yield* Fiber.join(looking)).toMatchObject({ message: expect.stringContaining("ECANCELLED") })
  }).pipe(Effect.scoped),
)

it.effect("asks once for simultaneous lookups of a name, and remembers no failure", () =>
  asking(
    () => "NXDOMAIN",
    (questions) =>
      Effect.gen(function* () {
        const all = Effect.forEach(Array.from({ length: 50 }), () => Effect.flip(find("shop.example")), {
          concurrency: "unbounded",
        })
        expect((yield* all)[49]?.message).toBe("shop.example could not be found: there is no such name")
        expect(questions()).toBe(2)
        yield* all
        expect(questions()).toBe(4)
      }),
  ),
)

it.live("MUST explain in words why a name was not found, each reason once", () =>
  Effect.gen(function* () {
    const message = (respond: Parameters<typeof asking>[0]) =>
      asking(respond, () => Effect.map(Effect.flip(find("shop.example")), (error) => error.message))
    const said = [
      yield* message(() => "NXDOMAIN"),
      yield* message(() => []),
      yield* message((type) => (type === "A" ? "SERVFAIL" : [])),
    ]
    expect(said.map((text) => text.split(/; |: /).toSorted())).toEqual([
      ["shop.example could not be found", "there is no such name"],
      ["shop.example could not be found", "the name has no addresses"],
      ["shop.example could not be found", "the DNS server failed", "the name has no addresses"],
    ])
  }),
)

it.effect("remembers a thousand names and no more", () =>
  asking(one(60), (questions) =>
    Effect.gen(function* () {
      const names = Array.from({ length: 1_001 }, (_, index) => `shop${index}.example`)
      yield* Effect.forEach(names, find, { concurrency: 20 })
      const before = questions()
      yield* find("shop1000.example")
      expect(questions()).toBe(before)
      yield* Effect.forEach(names.slice(0, 20), find)
      expect(questions()).toBeGreaterThan(before)
    }),
  ),
)

it.live("waits a second for the other address family if a server drops the question", () =>
  asking(
    (type) => (type === "A" ? [["A", "203.0.113.7"]] : "silence"),
    () => Effect.map(find("shop.example"), (addresses) => expect(addresses).toEqual(["203.0.113.7"])),
  ),
)

it.effect("reads the hosts file first, which may change", () =>
  Effect.gen(function* () {
    const folder = yield* Effect.acquireRelease(
      Effect.promise(() => mkdtemp(join(tmpdir(), "hosts-"))),
      (path) => Effect.promise(() => rm(path, { recursive: true })),
    )
    const hostsFile = join(folder, "hosts")
    const write = (text: string) => Effect.sync(() => writeFileSync(hostsFile, text))
    yield* write(
      [
        "# 10.0.0.9 shop.example",
        "10.0.0.1\tShop.example other.example # shop2.example",
        "::1 shop.example",
        "fe80::1%lo0 shop.example",
        "127.0.0.3 localhost",
        "nonsense shop.example",
        "",
      ].join("\r\n"),
    )
    const { address } = yield* dnsServer(() => "NXDOMAIN")
    yield* Effect.gen(function* () {
      expect(yield* find("shop.example")).toEqual(["10.0.0.1", "::1"])
      expect(yield* find("other.example")).toEqual(["10.0.0.1"])
      expect(yield* find("localhost")).toEqual(["127.0.0.3"])
      expect(yield* find("api.localhost")).toEqual(["127.0.0.1", "::1"])
      yield* Effect.flip(find("shop2.example"))
      yield* write("10.0.0.2 shop.example")
      yield* TestClock.adjust(5_000)
      expect(yield* find("shop.example")).toEqual(["10.0.0.2"])
    }).pipe(Effect.provide(layerLookup({ servers: [address], hostsFile })))
  }).pipe(Effect.scoped),
)
