import type { Socket } from "node:net"
import { Effect } from "effect"
import type { WebhookResponse } from "../../../core/ports/WebhookSender.ts"
import { equal, holds } from "../Assertion.ts"
import { answer, eventually, freePort, type ReceiverOptions, receiver } from "./Receiver.ts"
import { calling, type ListedCase } from "./SenderCase.ts"
import { answered, send, soon, unanswered } from "./Sending.ts"

/** A case of a receiver that never finishes. */
const slow = (
  id: string,
  title: string,
  options: ReceiverOptions,
  expected: WebhookResponse,
  {
    scheme = "http",
    times = { timeout: soon },
  }: { scheme?: string; times?: { timeout?: number; connectTimeout?: number } } = {},
): ListedCase => ({
  id: `deadline.${id}`,
  title,
  requirements: ["§6-14", "§6-19", "§8-4", "D26"],
  run: Effect.gen(function* () {
    const { port, sockets } = yield* receiver(options)
    yield* equal("the answer", yield* send(`${scheme}://127.0.0.1:${port}/`, times), expected)
    yield* equal("connections", sockets.length, 1)
    yield* eventually("the connection is closed", () => sockets.every(({ destroyed }) => destroyed))
  }),
})

/** Writes repeatedly until the connection is closed. */
const drip = (socket: Socket, text: string, every: number) => {
  const timer = setInterval(() => socket.write(text), every)
  socket.once("close", () => clearInterval(timer))
}

// The closing of unread connections goes unnoticed.
const hang = (socket: Socket) => {
  socket.resume()
  return true
}

/** Every attempt ends in time. */
export const deadlineCases = calling("WebhookSender")([
  slow("headers", "MUST report `timeout` for a receiver that never answers", {}, unanswered("timeout")),
  slow(
    "tls",
    "MUST report `timeout` after the time to connect if a receiver never answers the TLS handshake",
    { accept: hang },
    unanswered("timeout"),
    { scheme: "https", times: { timeout: 60_000, connectTimeout: soon } },
  ),
  slow(
    "tls.all",
    "MUST report `timeout` if the total time ends before the time to connect",
    { accept: hang },
    unanswered("timeout"),
    { scheme: "https", times: { timeout: soon, connectTimeout: 60_000 } },
  ),
  slow(
    "connected",
    "MUST NOT apply the time to connect to a connected receiver",
    {
      answer: (socket) => {
        setTimeout(() => socket.end(answer("200 OK", ["Connection: close"])), 2 * soon)
      },
    },
    answered(200),
    { times: { timeout: 10_000, connectTimeout: soon } },
  ),
  slow(
    "status",
    "MUST report `timeout` if the status line is incomplete",
    { answer: (socket) => socket.write("HTTP/1.1 200 O") },
    unanswered("timeout"),
  ),
  slow(
    "status.drip",
    "MUST report `timeout` for a status line that arrives byte by byte",
    {
      answer: (socket) => {
        const bytes = [..."HTTP/1.1 200 OK"]
        const timer = setInterval(() => socket.write(bytes.shift() ?? " "), 50)
        socket.once("close", () => clearInterval(timer))
      },
    },
    unanswered("timeout"),
  ),
  slow(
    "informational",
    "MUST report `timeout` for a receiver that only sends informational responses",
    { answer: (socket) => drip(socket, "HTTP/1.1 102 Processing\r\n\r\n", 50) },
    unanswered("timeout"),
  ),
  slow(
    "header",
    "MUST accept a status line in time even if the headers never end",
    {
      answer: (socket) => {
        socket.write("HTTP/1.1 200 OK\r\nX: ")
        drip(socket, "y", 50)
      },
    },
    answered(200),
  ),
  slow(
    "body",
    "MUST accept a status line in time even if the body never arrives",
    { answer: (socket) => socket.write("HTTP/1.1 500 No\r\nContent-Length: 5\r\n\r\n") },
    answered(500),
  ),
  {
    id: "deadline.body.drip",
    title: "MUST return what it has read of a body that arrives byte by byte",
    requirements: ["§6-14", "§6-19", "§8-4", "D26"],
    run: Effect.gen(function* () {
      const { port, sockets } = yield* receiver({
        answer: (socket) => {
          socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
          drip(socket, "x", 20)
        },
      })
      const { statusCode, responseStart, error } = yield* send(`http://127.0.0.1:${port}/`, { timeout: soon })
      yield* equal("the status", { statusCode, error }, { statusCode: 200, error: null })
      yield* holds("some of the body", /^x{1,30}$/.test(responseStart ?? ""))
      yield* eventually("the connection is closed", () => sockets.every(({ destroyed }) => destroyed))
    }),
  },
  {
    id: "deadline.request",
    title: "MUST report `timeout` for a receiver that never reads the request",
    requirements: ["§6-14", "§6-19", "§8-4", "D26"],
    run: Effect.gen(function* () {
      const { port } = yield* receiver({
        accept: (socket) => {
          socket.pause()
          return true
        },
      })
      const body = "x".repeat(16 * 1024 * 1024)
      yield* equal(
        "the answer",
        yield* send(`http://127.0.0.1:${port}/`, { body, timeout: soon }),
        unanswered("timeout"),
      )
    }),
  },
  {
    id: "deadline.many",
    title: "MUST end a thousand attempts to hanging receivers in time, and serve others meanwhile",
    requirements: ["§6-14", "§6-19", "§8-4", "D26"],
    run: Effect.gen(function* () {
      const slowOnes = yield* receiver({ answer: (socket) => drip(socket, "HTTP/1.1 102 Processing\r\n\r\n", 500) })
      const quick = yield* receiver({ answer: (socket) => socket.write(answer("200 OK")) })
      const body = "x".repeat(16 * 1024)
      const before = process.memoryUsage().rss
      const [ended] = yield* Effect.all(
        [
          Effect.forEach(
            Array.from({ length: 1_000 }, (_, index) => index),
            (index) => send(`http://127.0.0.1:${slowOnes.port}/${index}`, { body, timeout: 3_000 }),
            { concurrency: "unbounded" },
          ),
          Effect.forEach(Array.from({ length: 20 }), () =>
            Effect.flatMap(send(`http://127.0.0.1:${quick.port}/`), (response) =>
              equal("a quick one", response, answered(200)),
            ),
          ),
        ],
        { concurrency: 2 },
      )
      for (const response of ended) yield* equal("a slow one", response, unanswered("timeout"))
      yield* holds("less than 512 MiB were used", process.memoryUsage().rss - before < 512 * 1024 * 1024)
      yield* eventually("the connections are closed", () => slowOnes.sockets.every(({ destroyed }) => destroyed))
      yield* equal("connections to the quick one", quick.sockets.length, 1)
    }),
  },
  {
    id: "connect.refused",
    title: "MUST report `connect` if nothing listens",
    requirements: ["§6-19", "D32"],
    run: Effect.gen(function* () {
      const port = yield* freePort
      yield* equal("http", yield* send(`http://127.0.0.1:${port}/`), unanswered("connect"))
      yield* equal("https", yield* send(`https://127.0.0.1:${port}/`), unanswered("connect"))
    }),
  },
])
