import { Buffer } from "node:buffer"
import type { Socket } from "node:net"
import process from "node:process"
import { Effect, Fiber } from "effect"
import { equal, holds } from "../Assertion.ts"
import { answer, eventually, freePort, otherLoopback, receiver } from "./Receiver.ts"
import { calling } from "./SenderCase.ts"
import { answered, send, soon, unanswered } from "./Sending.ts"
import { silence } from "./SilentAddress.ts"

const answering = { answer: (socket: Socket) => socket.write(answer("200 OK")) }

/** A receiver may see IPv4 as IPv6 if it listens on all addresses. */
const localAddress = (socket: Socket | undefined) => socket?.localAddress?.replace("::ffff:", "")

/** The number of connection ends of this process, including those being opened. */
const ends = () => process.getActiveResourcesInfo().filter((kind) => kind === "TCPSocketWrap").length

/** Destinations of connections, and their reuse. */
export const connectionCases = calling("WebhookSender")([
  {
    id: "connection.pinned",
    title: "MUST connect to the given address without looking up a name",
    requirements: ["§6-24", "D36"],
    run: Effect.gen(function* () {
      const other = yield* otherLoopback
      const { port, sockets } = yield* receiver(answering)
      for (const host of ["no-such-name.invalid", "localhost", "example.com", "127.0.0.1"]) {
        yield* equal(host, yield* send(`http://${host}:${port}/`, { addresses: [other] }), answered(200))
        yield* equal(`where ${host} led`, localAddress(sockets.at(-1)), other)
      }
    }),
  },
  {
    id: "connection.address",
    title: "MUST NOT look up a text that is given as an address but is not one",
    requirements: ["D36"],
    run: Effect.gen(function* () {
      const { port, sockets } = yield* receiver(answering)
      for (const address of ["localhost", "127.1", "0x7f000001", "[::1]", ""]) {
        const response = yield* send(`http://shop.example:${port}/`, { addresses: [address] })
        yield* equal(`«${address}»`, response, unanswered("connect"))
      }
      yield* equal("connections", sockets.length, 0)
      const addresses = ["localhost", "127.0.0.1"]
      const closed = yield* freePort
      yield* equal("no other", yield* send(`http://shop.example:${closed}/`, { addresses }), unanswered("connect"))
      yield* equal("another", yield* send(`http://shop.example:${port}/`, { addresses }), answered(200))
    }),
  },
  {
    id: "connection.address.forms",
    title: "MUST connect to IPv6 addresses in any notation",
    requirements: ["D35", "D36"],
    needs: ["ipv6"],
    run: Effect.gen(function* () {
      const { port, requests } = yield* receiver({ ...answering, host: "::1" })
      for (const address of ["::1", "0:0:0:0:0:0:0:1", "0000::0001"]) {
        for (const host of ["[::1]", "shop.example"]) {
          const response = yield* send(`http://${host}:${port}/`, { addresses: [address] })
          yield* equal(`${host} at ${address}`, response, answered(200))
          const sent = requests.at(-1)?.headers.find(([name]) => name.toLowerCase() === "host")
          yield* equal("Host", sent?.[1], `${host}:${port}`)
        }
      }
    }),
  },
  {
    id: "connection.reuse",
    title: "MUST reuse a connection for the next request to the same receiver",
    requirements: ["D36"],
    run: Effect.gen(function* () {
      const { port, sockets, requests } = yield* receiver(answering)
      for (let index = 0; index < 20; index++) {
        yield* equal("the answer", yield* send(`http://127.0.0.1:${port}/${index}`), answered(200))
      }
      yield* equal("requests", requests.length, 20)
      yield* equal("connections", sockets.length, 1)
    }),
  },
  {
    id: "connection.reuse.approved",
    title: "MUST reuse a connection only if its address is approved for this attempt",
    requirements: ["D36"],
    run: Effect.gen(function* () {
      const other = yield* otherLoopback
      const { port, sockets } = yield* receiver(answering)
      // The host is a name or an address.
      for (const host of ["shop.example", "127.0.0.1"]) {
        const from = sockets.length
        const url = `http://${host}:${port}/`
        yield* send(url, { addresses: ["127.0.0.1"] })
        yield* send(url, { addresses: [other] })
        yield* equal(
          "connections",
          sockets.slice(from).map((socket) => localAddress(socket)),
          ["127.0.0.1", other],
        )
        // Both are open now; any address with a connection will do.
        yield* send(url, { addresses: ["192.0.2.1", other] })
        yield* send(url, { addresses: ["127.0.0.1", "192.0.2.1"] })
        yield* equal("connections at the end", sockets.length - from, 2)
      }
    }),
  },
  {
    id: "connection.reuse.origin",
    title: "MUST NOT share a connection between hosts, even at one address",
    requirements: ["D36"],
    run: Effect.gen(function* () {
      const { port, sockets } = yield* receiver(answering)
      yield* send(`http://one.example:${port}/`)
      yield* send(`http://two.example:${port}/`)
      yield* equal("connections", sockets.length, 2)
    }),
  },
  {
    id: "connection.concurrent",
    title: "MUST send one request at a time over a connection",
    requirements: ["D26"],
    run: Effect.gen(function* () {
      const { port, sockets, requests } = yield* receiver({
        answer: (socket) => setTimeout(() => socket.write(answer("200 OK")), 100),
      })
      yield* Effect.forEach([1, 2, 3, 4], (index) => send(`http://127.0.0.1:${port}/${index}`), { concurrency: 4 })
      yield* equal("connections of four at once", sockets.length, 4)
      yield* Effect.forEach([5, 6, 7, 8], (index) => send(`http://127.0.0.1:${port}/${index}`), { concurrency: 4 })
      yield* equal("connections of four more", sockets.length, 4)
      yield* equal("requests", requests.length, 8)
    }),
  },
  {
    id: "connection.closed",
    title: "MUST open another connection if the receiver has closed the idle one",
    requirements: ["D26"],
    run: Effect.gen(function* () {
      const { port, sockets } = yield* receiver(answering)
      const closings: ReadonlyArray<(socket: Socket | undefined) => unknown> = [
        (socket) => socket?.end(),
        (socket) => socket?.resetAndDestroy(),
        (socket) => socket?.write("HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n"),
      ]
      for (const close of closings) {
        yield* equal("before", yield* send(`http://127.0.0.1:${port}/`), answered(200))
        close(sockets.at(-1))
        yield* Effect.sleep(50)
        yield* equal("after", yield* send(`http://127.0.0.1:${port}/`), answered(200))
      }
      yield* equal("connections", sockets.length, 4)
    }),
  },
  {
    id: "connection.close",
    title: "MUST close the connection if the receiver says so",
    requirements: ["D26"],
    run: Effect.gen(function* () {
      const { port, sockets } = yield* receiver({
        answer: (socket) => socket.write(answer("200 OK", ["Connection: close"])),
      })
      yield* equal("first", yield* send(`http://127.0.0.1:${port}/`), answered(200))
      yield* equal("second", yield* send(`http://127.0.0.1:${port}/`), answered(200))
      yield* equal("connections", sockets.length, 2)
      yield* eventually("they are closed", () => sockets.every(({ destroyed }) => destroyed))
    }),
  },
  {
    id: "connection.fallback",
    title: "MUST try the next address if one refuses, within the time to connect",
    requirements: ["D36"],
    run: Effect.gen(function* () {
      const other = yield* otherLoopback
      const { port, sockets } = yield* receiver({ ...answering, host: "127.0.0.1" })
      const addresses = [other, other, "127.0.0.1"]
      yield* equal("the answer", yield* send(`http://shop.example:${port}/`, { addresses }), answered(200))
      yield* equal("connections", sockets.length, 1)
      const none = yield* send(`http://shop.example:${port}/`, { addresses: [other, other] })
      yield* equal("where all refuse", none, unanswered("connect"))
    }),
  },
  {
    id: "connection.slow",
    title: "MUST also try the next address if one neither accepts nor refuses, within the time to connect",
    requirements: ["§6-19", "D26", "D36"],
    run: Effect.gen(function* () {
      const other = yield* otherLoopback
      const { port, sockets } = yield* receiver({ ...answering, host: "127.0.0.1" })
      yield* silence(other, port)
      const addresses = [other, "127.0.0.1"]
      const got = yield* send(`http://shop.example:${port}/`, { addresses, connectTimeout: 3_000 })
      yield* equal("the answer", got, answered(200))
      yield* equal("connections", sockets.length, 1)
      const alone = yield* send(`http://shop.example:${port}/`, { addresses: [other], connectTimeout: soon })
      yield* equal("without another address", alone, unanswered("timeout"))
    }),
  },
  {
    id: "connection.slow.closed",
    title: "MUST abandon unopened connections to other addresses once one is open",
    requirements: ["D26", "D36"],
    run: Effect.gen(function* () {
      const other = yield* otherLoopback
      const { port } = yield* receiver({
        host: "127.0.0.1",
        answer: (socket) => socket.write(answer("200 OK", ["Connection: close"])),
      })
      yield* silence(other, port)
      const before = ends()
      const addresses = [other, "127.0.0.1"]
      for (let index = 0; index < 3; index++) {
        const got = yield* send(`http://host${index}.example:${port}/`, { addresses })
        yield* equal("the answer", got, answered(200))
      }
      yield* eventually("nothing is open or being opened", () => ends() <= before)
    }),
  },
  {
    id: "connection.busy",
    title: "MUST keep the connection of a request under way, however many idle ones there are",
    requirements: ["D26", "D36"],
    run: Effect.gen(function* () {
      const held: Array<Socket> = []
      const { port } = yield* receiver({
        answer: (socket, { line }) => (line.includes("held") ? held.push(socket) : socket.write(answer("200 OK"))),
      })
      const others = yield* receiver(answering)
      const url = `http://127.0.0.1:${port}/`
      // Its connection has been idle longest.
      yield* equal("the first", yield* send(url), answered(200))
      const fiber = yield* Effect.forkChild(send(`${url}held`))
      yield* eventually("the request is under way", () => held.length === 1)
      yield* Effect.forEach(
        Array.from({ length: 300 }, (_, index) => index),
        (index) => send(`http://host${index}.example:${others.port}/`),
        { concurrency: 50, discard: true },
      )
      held[0]?.write(answer("200 OK"))
      yield* equal("the request that was under way", yield* Fiber.join(fiber), answered(200))
    }),
  },
  {
    id: "connection.once",
    title: "MUST NOT resend a request on its own once it was written",
    requirements: ["§6-20", "D25"],
    run: Effect.gen(function* () {
      const { port, requests } = yield* receiver({
        answer: (socket, { line }) => (line.includes("first") ? socket.write(answer("200 OK")) : socket.destroy()),
      })
      yield* equal("the first", yield* send(`http://127.0.0.1:${port}/first`), answered(200))
      yield* equal("the second", yield* send(`http://127.0.0.1:${port}/second`), unanswered("reset"))
      yield* equal("requests", requests.length, 2)
    }),
  },
  {
    id: "connection.idle",
    title: "MUST close a connection that no request uses for some seconds",
    requirements: ["D26"],
    run: Effect.gen(function* () {
      const { port, sockets } = yield* receiver(answering)
      yield* equal("the request", yield* send(`http://127.0.0.1:${port}/`), answered(200))
      yield* eventually("the sender has closed its end", () => sockets.every((socket) => socket.destroyed))
    }),
  },
  {
    id: "connection.churn",
    title: "MUST match responses to requests while connections come and go",
    requirements: ["D26", "D36"],
    run: Effect.gen(function* () {
      // The number n of a request, in its body, decides its fate.
      const endings: ReadonlyArray<(socket: Socket, text: string) => unknown> = [
        (socket, text) => socket.write(answer("200 OK", [], text)),
        (socket, text) => socket.write(answer("200 OK", [], text)),
        (socket, text) => setTimeout(() => socket.write(answer("200 OK", [], text)), 5),
        (socket, text) => socket.write(answer("200 OK", ["Connection: close"], text)),
        (socket, text) => socket.end(answer("200 OK", ["Connection: close"], text)),
        (socket, text) => socket.write(Buffer.concat([answer("200 OK", [], text), Buffer.from("surplus")])),
        (socket) => socket.resetAndDestroy(),
        (socket) => socket.end("nonsense"),
        () => "never",
      ]
      const { port, requests } = yield* receiver({
        answer: (socket, { body }) => endings[Number(body) % endings.length]?.(socket, `${body}`),
      })
      const others = yield* receiver(answering)
      yield* Effect.forEach(
        Array.from({ length: 2_000 }, (_, index) => index),
        (index) =>
          Effect.gen(function* () {
            const kind = index % endings.length
            const url = `http://127.0.0.1:${port}/`
            if (kind === 8) {
              // Interrupted at some moment.
              yield* Effect.timeoutOption(send(url, { body: `${index}` }), index % 7)
              return
            }
            const response = yield* send(url, { body: `${index}` })
            yield* equal(`${index}`, response, kind < 6 ? answered(200, `${index}`) : unanswered("reset"))
            yield* equal("another receiver", yield* send(`http://127.0.0.1:${others.port}/`), answered(200))
          }),
        { concurrency: 50 },
      )
      const bodies = requests.map(({ body }) => `${body}`)
      yield* equal("requests received twice", bodies.length - new Set(bodies).size, 0)
    }),
  },
  {
    id: "connection.interrupted",
    title: "MUST close the connection of an interrupted request at any stage",
    requirements: ["D26"],
    run: Effect.gen(function* () {
      const hang = (socket: Socket) => {
        socket.resume()
        return true
      }
      const stages = [
        ["in the handshake", "https", yield* receiver({ accept: hang })],
        ["before the answer", "http", yield* receiver({})],
        [
          "in the answer",
          "http",
          yield* receiver({ answer: (socket) => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc") }),
        ],
      ] as const
      for (const [stage, scheme, { port, sockets }] of stages) {
        // No deadline ends it meanwhile.
        const times = { timeout: 120_000, connectTimeout: 120_000 }
        const fiber = yield* Effect.forkChild(send(`${scheme}://127.0.0.1:${port}/`, times))
        yield* eventually(`a connection ${stage}`, () => sockets.length === 1 && (sockets[0]?.bytesRead ?? 0) > 0)
        yield* Effect.sleep(20)
        yield* Fiber.interrupt(fiber)
        yield* eventually(`closed ${stage}`, () => sockets[0]?.destroyed === true)
      }
      // An idle connection must not keep a request alive.
      const { port, requests } = yield* receiver(answering)
      yield* send(`http://127.0.0.1:${port}/`)
      const fiber = yield* Effect.forkChild(send(`http://127.0.0.1:${port}/`), { startImmediately: true })
      yield* Fiber.interrupt(fiber)
      yield* equal("the next", yield* send(`http://127.0.0.1:${port}/`), answered(200))
      yield* holds("the interrupted one may not have been sent", requests.length <= 3)
    }),
  },
])
