import { Buffer } from "node:buffer"
import { Effect, Exit } from "effect"
import { equal, holds } from "../Assertion.ts"
import { answer, receiver } from "./Receiver.ts"
import { calling } from "./SenderCase.ts"
import { answered, send } from "./Sending.ts"

const answering = { answer: (socket: { write: (bytes: Buffer) => unknown }) => socket.write(answer("200 OK")) }

/** Bytes on the wire. */
export const requestCases = calling("WebhookSender")([
  {
    id: "request.bytes",
    title: "MUST send the given headers and body byte for byte, and add only the headers named in the port",
    requirements: ["§4-11", "D21"],
    run: Effect.gen(function* () {
      const { port, requests } = yield* receiver(answering)
      const headers = {
        "Content-Type": "application/json",
        "User-Agent": "Conformance-Webhooks/1.0",
        "X-Service-Event": "design.ordered",
        "X-Service-Delivery": "dlv_1",
        "X-Service-Timestamp": "1791211680",
        "X-Service-Signature": "0f".repeat(32),
      }
      const body = '{"text":"𝒟 é ﬀ \\u0000 👩‍👩‍👧\u2028","cents":100}'
      yield* equal("the answer", yield* send(`http://127.0.0.1:${port}/hook`, { headers, body }), answered(200))
      const [request] = requests
      yield* equal("the request line", request?.line ?? "", "POST /hook HTTP/1.1")
      yield* equal("the body", request?.body.toString("hex") ?? "", Buffer.from(body, "utf8").toString("hex"))
      const sent = (request?.headers ?? []).map(([name, value]) => `${name.toLowerCase()}: ${value}`)
      yield* equal(
        "the headers",
        sent.toSorted(),
        [
          ...Object.entries(headers).map(([name, value]) => `${name.toLowerCase()}: ${value}`),
          `host: 127.0.0.1:${port}`,
          `content-length: ${Buffer.byteLength(body)}`,
          "connection: keep-alive",
          "accept-encoding: identity",
        ].toSorted(),
      )
    }),
  },
  {
    id: "request.names",
    title: "MUST keep the case of given header names",
    requirements: ["D20a"],
    run: Effect.gen(function* () {
      const { port, requests } = yield* receiver(answering)
      const headers = { "Content-Type": "application/json", "X-Service-Event": "ping", "x-lower": "1", "X-UPPER": "2" }
      // The second request reuses the connection of the first.
      for (const index of [0, 1]) {
        yield* equal("the answer", yield* send(`http://127.0.0.1:${port}/`, { headers }), answered(200))
        const sent = Object.fromEntries(requests[index]?.headers ?? [])
        yield* equal("the headers", sent, { ...sent, ...headers })
      }
    }),
  },
  {
    id: "request.standard-webhooks",
    title: "MUST send the headers of Standard Webhooks as given: one webhook-signature with every signature",
    requirements: ["D41"],
    run: Effect.gen(function* () {
      const { port, requests } = yield* receiver(answering)
      const headers = {
        "Content-Type": "application/json",
        "X-Service-Signature": "0f".repeat(32),
        "webhook-id": "evt_1",
        "webhook-timestamp": "1791211680",
        "webhook-signature": `v1,${"+/".repeat(21)}A= v1,${"Bb".repeat(21)}C=`,
      }
      yield* equal("the answer", yield* send(`http://127.0.0.1:${port}/`, { headers }), answered(200))
      const sent = requests[0]?.headers.filter(([name]) => name.toLowerCase().startsWith("webhook-")) ?? []
      yield* equal("the headers", Object.fromEntries(sent), {
        "webhook-id": headers["webhook-id"],
        "webhook-timestamp": headers["webhook-timestamp"],
        "webhook-signature": headers["webhook-signature"],
      })
      yield* equal("headers of Standard Webhooks", sent.length, 3)
    }),
  },
  {
    id: "request.path",
    title: "MUST keep path and query as they are in the URL",
    requirements: ["§4-11", "D24"],
    run: Effect.gen(function* () {
      const { port, requests } = yield* receiver(answering)
      const paths = [
        "/",
        "/hook/",
        "/hook?",
        "/hook?a=1&a=2&b=",
        "/a%20b/%2F/c;d=e?x=%26&y=+z",
        "/a//b?next=https://other.example/",
        "/?key=%F0%9F%8E%A8",
      ]
      for (const path of paths) {
        yield* equal(path, yield* send(`http://127.0.0.1:${port}${path}`), answered(200))
      }
      yield* equal(
        "the request lines",
        requests.map(({ line }) => line),
        paths.map((path) => `POST ${path} HTTP/1.1`),
      )
      yield* send(`http://127.0.0.1:${port}`)
      yield* equal("without a path", requests.at(-1)?.line ?? "", "POST / HTTP/1.1")
    }),
  },
  {
    id: "request.defect",
    title: "MUST die of a header that HTTP does not allow, and send nothing: a fault of ours is not the receiver's",
    requirements: ["D27"],
    run: Effect.gen(function* () {
      const { port, requests } = yield* receiver(answering)
      const url = `http://127.0.0.1:${port}/`
      const exit = yield* Effect.exit(send(url, { headers: { "X-A": "b\r\nX-C: d" } }))
      yield* holds("a defect", Exit.hasDies(exit))
      yield* equal("the requests", requests.length, 0)
      yield* equal("the next answer", yield* send(url), answered(200))
    }),
  },
  {
    id: "request.host",
    title: "MUST name the URL's host and port in Host, not the address",
    requirements: ["§4-11", "D36"],
    run: Effect.gen(function* () {
      const { port, requests } = yield* receiver(answering)
      yield* equal("the answer", yield* send(`http://shop.receiver.example:${port}/`), answered(200))
      const hosts = (requests[0]?.headers ?? []).filter(([name]) => name.toLowerCase() === "host")
      yield* equal("Host", hosts, [[hosts[0]?.[0] ?? "", `shop.receiver.example:${port}`]])
    }),
  },
  {
    id: "request.empty",
    title: "MUST send an empty body with its length",
    requirements: ["§4-11"],
    run: Effect.gen(function* () {
      const { port, requests } = yield* receiver(answering)
      yield* equal("the answer", yield* send(`http://127.0.0.1:${port}/`, { body: "" }), answered(200))
      const length = requests[0]?.headers.find(([name]) => name.toLowerCase() === "content-length")
      yield* equal("Content-Length", length?.[1], "0")
    }),
  },
  {
    id: "request.large",
    title: "MUST send a body of several MiB completely",
    requirements: ["§4-11", "D21"],
    run: Effect.gen(function* () {
      const { port, requests } = yield* receiver(answering)
      const body = JSON.stringify("0123456789é𝒟\n".repeat(200_000))
      yield* equal("the answer", yield* send(`http://127.0.0.1:${port}/`, { body }), answered(200))
      yield* holds("the body arrived as it was sent", requests[0]?.body.equals(Buffer.from(body, "utf8")) === true)
    }),
  },
])
