import type { Socket } from "node:net"
import { Effect, Exit, Layer } from "effect"
import { equal, holds } from "../Assertion.ts"
import { malformed } from "./AnswerCases.ts"
import { authority, selfSigned } from "./Certificates.ts"
import { type ConnectProxyOptions, connectProxy } from "./ConnectProxy.ts"
import { answer, eventually, freePort, otherLoopback, receiver } from "./Receiver.ts"
import { calling, type ListedCase, SenderThrough } from "./SenderCase.ts"
import { answered, send, soon, unanswered } from "./Sending.ts"

const answering = { answer: (socket: Socket) => socket.write(answer("200 OK")) }

/** A sender through a proxy at a URL, until the scope closes. */
const sendThrough = Effect.fnUntraced(function* (proxy: string) {
  const through = yield* SenderThrough
  const context = yield* Layer.build(through(proxy))
  return (...request: Parameters<typeof send>) => Effect.provideContext(send(...request), context)
})

/** A fault of the proxy is one of ours (D27): a response, or none, would be counted against the receiver. */
const dies = <A, E, R>(what: string, sending: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Effect.exit(sending), (exit) => holds(`${what}: a defect`, Exit.hasDies(exit)))

/** A case of a proxy that opens no tunnel. */
const faulty = (
  id: string,
  title: string,
  options: ConnectProxyOptions,
  expected: Parameters<typeof unanswered>[0] | "defect",
  connectTimeout = 5_000,
): ListedCase => ({
  id: `proxy.${id}`,
  title,
  needs: ["proxy"],
  requirements: ["D26", "D27", "D36"],
  run: Effect.gen(function* () {
    const { port, received } = yield* receiver(answering)
    const proxy = yield* connectProxy(options)
    const sendTo = yield* sendThrough(`http://127.0.0.1:${proxy.port}`)
    const sending = sendTo(`http://shop.example:${port}/`, { connectTimeout })
    if (expected === "defect") yield* dies("the attempt", sending)
    else yield* equal("the answer", yield* sending, unanswered(expected))
    yield* equal("what reached the receiver", received(), 0)
    yield* eventually("the connection is closed", () => proxy.sockets.every(({ destroyed }) => destroyed))
  }),
})

/** An answer of a proxy. */
const saying = (text: string): ConnectProxyOptions => ({
  answer: (socket) => {
    socket.write(text)
    return true
  },
})

/** Connections through a proxy. */
export const proxyCases = calling("WebhookSender")([
  {
    id: "proxy.malformed",
    title: "MUST report a complete status line through a proxy whatever follows it",
    needs: ["proxy"],
    requirements: ["D90", "D26"],
    run: Effect.gen(function* () {
      const proxy = yield* connectProxy()
      const sendTo = yield* sendThrough(`http://127.0.0.1:${proxy.port}`)
      for (const [what, rest] of malformed) {
        const { port } = yield* receiver({ answer: (socket) => socket.write(rest("HTTP/1.1 200 OK")) })
        yield* equal(what, yield* sendTo(`http://shop.example:${port}/`), answered(200))
      }
    }),
  },
  {
    id: "proxy.connect",
    title: "MUST open a tunnel through the proxy to the approved address, never by name, and verify the receiver",
    needs: ["proxy"],
    requirements: ["§6-24", "D36"],
    run: Effect.gen(function* () {
      const certificate = authority.issue({ hosts: ["shop.example"] })
      const encrypted = yield* receiver({ ...answering, certificate })
      const plain = yield* receiver(answering)
      const proxy = yield* connectProxy()
      const sendTo = yield* sendThrough(`http://127.0.0.1:${proxy.port}`)
      yield* equal("https", yield* sendTo(`https://shop.example:${encrypted.port}/a?b=c`), answered(200))
      yield* equal("http", yield* sendTo(`http://shop.example:${plain.port}/`), answered(200))
      yield* equal(
        "another host",
        yield* sendTo(`https://other.example:${encrypted.port}/`),
        unanswered("tls", "otherName"),
      )
      const places = [encrypted.port, plain.port, encrypted.port].map((port) => `127.0.0.1:${port}`)
      yield* equal("places", proxy.places(), places)
      yield* equal("the name in TLS", encrypted.serverNames[0], "shop.example")
      yield* equal("the request", encrypted.requests[0]?.line, "POST /a?b=c HTTP/1.1")
      yield* equal("Host", new Map(encrypted.requests[0]?.headers).get("host"), `shop.example:${encrypted.port}`)
      yield* equal("connections of the receiver", encrypted.sockets.length, 2)
    }),
  },
  {
    id: "proxy.address",
    title: "MUST NOT ask the proxy for a text that is given as an address but is not one",
    needs: ["proxy"],
    requirements: ["D36"],
    run: Effect.gen(function* () {
      const proxy = yield* connectProxy()
      const sendTo = yield* sendThrough(`http://127.0.0.1:${proxy.port}`)
      for (const address of ["localhost", "127.1", "[::1]", "a b", ""]) {
        const got = yield* sendTo("http://shop.example/", { addresses: [address] })
        yield* equal(`«${address}»`, got, unanswered("connect"))
      }
      yield* equal("requests", proxy.requests.length, 0)
    }),
  },
  {
    id: "proxy.ipv6",
    title: "MUST ask the proxy for an IPv6 address in brackets",
    needs: ["proxy"],
    requirements: ["D36"],
    run: Effect.gen(function* () {
      const proxy = yield* connectProxy(saying("HTTP/1.1 502 No\r\n\r\n"))
      const sendTo = yield* sendThrough(`http://127.0.0.1:${proxy.port}`)
      yield* sendTo("https://shop.example/", { addresses: ["2001:db8::1"] })
      yield* equal("the request", proxy.requests[0]?.line, "CONNECT [2001:db8::1]:443 HTTP/1.1")
      yield* equal("Host", new Map(proxy.requests[0]?.headers).get("Host"), "[2001:db8::1]:443")
    }),
  },
  {
    id: "proxy.credentials",
    title: "MUST show the user name and password to the proxy, and never to the receiver",
    needs: ["proxy"],
    requirements: ["D36"],
    run: Effect.gen(function* () {
      const { port, requests } = yield* receiver(answering)
      const proxy = yield* connectProxy({ credentials: "designs:p@ss wörd" })
      const sendTo = yield* sendThrough(`http://designs:p%40ss%20w%C3%B6rd@127.0.0.1:${proxy.port}`)
      yield* equal("the answer", yield* sendTo(`http://shop.example:${port}/`), answered(200))
      const names = requests.flatMap(({ headers }) => headers.map(([name]) => name.toLowerCase()))
      yield* holds("the receiver saw none", names.length > 0 && !names.some((name) => name.startsWith("proxy-")))
      const without = yield* sendThrough(`http://127.0.0.1:${proxy.port}`)
      yield* dies("without", without(`http://shop.example:${port}/`))
    }),
  },
  {
    id: "proxy.tls",
    title: "MUST reach a proxy at an https URL over TLS, and verify its certificate before it asks for anything",
    needs: ["proxy"],
    requirements: ["D36"],
    run: Effect.gen(function* () {
      const hosts = ["127.0.0.1", "shop.example"]
      const encrypted = yield* receiver({ ...answering, certificate: authority.issue({ hosts }) })
      const plain = yield* receiver(answering)
      const proxy = yield* connectProxy({ certificate: authority.issue({ hosts: ["127.0.0.1"] }) })
      const sendTo = yield* sendThrough(`https://127.0.0.1:${proxy.port}`)
      yield* equal("https", yield* sendTo(`https://shop.example:${encrypted.port}/`), answered(200))
      yield* equal("http", yield* sendTo(`http://shop.example:${plain.port}/`), answered(200))
      const impostor = yield* connectProxy({ certificate: selfSigned("127.0.0.1") })
      const other = yield* sendThrough(`https://me:secret@127.0.0.1:${impostor.port}`)
      yield* dies("an impostor", other(`http://shop.example:${plain.port}/`))
      yield* equal("requests to it", impostor.requests.length, 0)
    }),
  },
  {
    id: "proxy.reuse",
    title: "MUST reuse a tunnel for the next request to the same host at the same address, and for no other",
    needs: ["proxy"],
    requirements: ["D36"],
    run: Effect.gen(function* () {
      const other = yield* otherLoopback
      const { port, sockets } = yield* receiver(answering)
      const proxy = yield* connectProxy()
      const sendTo = yield* sendThrough(`http://127.0.0.1:${proxy.port}`)
      for (let times = 0; times < 10; times++) {
        yield* equal("the answer", yield* sendTo(`http://one.example:${port}/`), answered(200))
      }
      yield* equal("tunnels", [proxy.sockets.length, sockets.length], [1, 1])
      yield* sendTo(`http://two.example:${port}/`)
      yield* sendTo(`http://one.example:${port}/`, { addresses: [other] })
      yield* equal("tunnels of others", [proxy.sockets.length, sockets.length], [3, 3])
    }),
  },
  {
    id: "proxy.fallback",
    title: "MUST ask for the next address if the proxy can't connect to one, and report `connect` if it can to none",
    needs: ["proxy"],
    requirements: ["D36"],
    run: Effect.gen(function* () {
      const { port } = yield* receiver({ ...answering, host: "127.0.0.1" })
      const proxy = yield* connectProxy({
        answer: (socket, { line }) => {
          const status = /CONNECT 192\.0\.2\.(\d)/.exec(line)?.[1]
          if (status !== undefined) socket.write(`HTTP/1.1 50${status} No\r\nContent-Length: 2\r\n\r\nno`)
          return status !== undefined
        },
      })
      const sendTo = yield* sendThrough(`http://127.0.0.1:${proxy.port}`)
      const dead = ["192.0.2.2", "192.0.2.3", "192.0.2.4"]
      const url = `http://shop.example:${port}/`
      yield* equal("one", yield* sendTo(url, { addresses: [...dead, "127.0.0.1"] }), answered(200))
      yield* equal("none", yield* sendTo(url, { addresses: dead }), unanswered("connect"))
      const closed = yield* freePort
      yield* equal("nothing listens", yield* sendTo(`http://shop.example:${closed}/`), unanswered("connect"))
    }),
  },
  {
    id: "proxy.unreachable",
    title: "MUST die if nothing listens at the proxy's address: a fault of ours is not the receiver's",
    needs: ["proxy"],
    requirements: ["D27"],
    run: Effect.gen(function* () {
      const { port, received } = yield* receiver(answering)
      const sendTo = yield* sendThrough(`http://127.0.0.1:${yield* freePort}`)
      yield* dies("the attempt", sendTo(`http://shop.example:${port}/`))
      yield* equal("what reached the receiver", received(), 0)
    }),
  },
  faulty("credentials.wrong", "MUST die if the proxy wants credentials", { credentials: "a:b" }, "defect"),
  faulty("forbidden", "MUST report `connect` if the proxy forbids it", saying("HTTP/1.1 403 No\r\n\r\n"), "connect"),
  faulty(
    "redirect",
    "MUST report `connect` if the proxy answers with a redirect",
    saying("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/\r\n\r\n"),
    "connect",
  ),
  faulty("garbled", "MUST die if the proxy does not speak HTTP", saying("SSH-2.0\r\n\r\n"), "defect"),
  faulty(
    "large",
    "MUST die if the proxy's answer is larger than 16 KiB",
    saying(`HTTP/1.1 200 OK\r\nX: ${"y".repeat(32 * 1024)}\r\n\r\n`),
    "defect",
  ),
  faulty(
    "closed",
    "MUST die if the proxy closes the connection before its answer is complete",
    {
      answer: (socket) => {
        socket.end("HTTP/1.1 200 OK\r\n")
        return true
      },
    },
    "defect",
  ),
  faulty(
    "silent",
    "MUST report `timeout` after the time to connect if the proxy does not answer",
    { answer: () => true },
    "timeout",
    soon,
  ),
  faulty(
    "drip",
    "MUST report `timeout` after the time to connect if the proxy's answer does not end",
    {
      answer: (socket) => {
        socket.write("HTTP/1.1 200 OK\r\nX: ")
        const timer = setInterval(() => socket.write("y"), 20)
        socket.once("close", () => clearInterval(timer))
        return true
      },
    },
    "timeout",
    soon,
  ),
  {
    id: "proxy.early",
    title: "MUST NOT take what follows the proxy's answer at once for the response to the request",
    needs: ["proxy"],
    requirements: ["D26"],
    run: Effect.gen(function* () {
      const proxy = yield* connectProxy(
        saying("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nHTTP/1.1 408 Late\r\nConnection: close\r\n\r\n"),
      )
      const sendTo = yield* sendThrough(`http://127.0.0.1:${proxy.port}`)
      yield* equal("the answer", yield* sendTo("http://shop.example/"), unanswered("reset"))
    }),
  },
])
