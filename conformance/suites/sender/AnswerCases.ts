import { Buffer } from "node:buffer"
import type { Socket } from "node:net"
import { gzipSync } from "node:zlib"
import { Effect } from "effect"
import type { WebhookResponse } from "../../../core/ports/WebhookSender.ts"
import { equal, holds } from "../Assertion.ts"
import { authority } from "./Certificates.ts"
import { answer, eventually, receiver } from "./Receiver.ts"
import { calling, type ListedCase } from "./SenderCase.ts"
import { answered, send, soon, unanswered } from "./Sending.ts"

/** A case of responses, each to a request on a separate connection. */
const answers = (
  id: string,
  title: string,
  requirements: ReadonlyArray<string>,
  expectations: ReadonlyArray<
    readonly [what: string, bytes: string | Buffer | ((socket: Socket) => void), expected: WebhookResponse]
  >,
): ListedCase => ({
  id,
  title,
  requirements,
  run: Effect.gen(function* () {
    for (const [what, bytes, expected] of expectations) {
      const respond = typeof bytes === "function" ? bytes : (socket: Socket) => socket.write(bytes)
      const { port, sockets } = yield* receiver({ answer: respond })
      yield* equal(what, yield* send(`http://127.0.0.1:${port}/`), expected)
      yield* equal(`connections: ${what}`, sockets.length, 1)
    }
  }),
})

const ends = (bytes: string) => (socket: Socket) => socket.end(bytes)
const letters = "abcdefghij"

/** More bytes than kernels keep of a connection that nobody reads. */
const endless = 32 * 1024 * 1024
const piece = "x".repeat(64 * 1024)

/** What may follow a status line against RFC 9112. None of it leaves a body that could be read. */
export const malformed: ReadonlyArray<readonly [what: string, rest: (statusLine: string) => string]> = [
  ["a header of 40 KB", (line) => `${line}\r\nX: ${"x".repeat(40_000)}\r\nContent-Length: 2\r\n\r\nok`],
  ["headers without end", (line) => `${line}\r\nX: ${"x".repeat(1024 * 1024)}`],
  ["a hundred thousand headers", (line) => `${line}\r\n${"X: y\r\n".repeat(100_000)}\r\n`],
  ["a length in words", (line) => `${line}\r\nContent-Length: two\r\n\r\nok`],
  ["two lengths", (line) => `${line}\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok`],
  ["a space before a colon", (line) => `${line}\r\nX-Foo : 1\r\nContent-Length: 2\r\n\r\nok`],
  ["a header without a colon", (line) => `${line}\r\nnonsense\r\n\r\nok`],
  ["lines that end without CR", (line) => `${line}\nContent-Length: 2\n\nok`],
  ["NUL in a header", (line) => `${line}\r\nX: a\0b\r\nContent-Length: 2\r\n\r\nok`],
  ["a length and chunks", (line) => `${line}\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\nok`],
  ["chunks that are none", (line) => `${line}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nok`],
]

/** Handling of good and bad responses. */
export const answerCases = calling("WebhookSender")([
  answers(
    "answer.forms",
    "MUST read every form of an HTTP/1 response",
    ["§6-14", "D26"],
    [
      ["with a length", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", answered(200, "ok")],
      [
        "chunked",
        "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n1\r\n!\r\n0\r\n\r\n",
        answered(201, "ok!"),
      ],
      ["without a length", ends("HTTP/1.1 200 OK\r\n\r\nuntil the end"), answered(200, "until the end")],
      ["HTTP/1.0", ends("HTTP/1.0 202 Accepted\r\n\r\nold"), answered(202, "old")],
      ["without a reason", "HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", answered(200)],
      ["empty", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", answered(200)],
      ["204 without a body", "HTTP/1.1 204 No Content\r\n\r\n", answered(204)],
      [
        "with the end of the connection announced",
        ends("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok"),
        answered(200, "ok"),
      ],
      [
        "in single bytes",
        (socket) => {
          const bytes = [...answer("200 OK", ["X-A: b"], "slowly")]
          const next = () => {
            const byte = bytes.shift()
            if (byte !== undefined) socket.write(Buffer.from([byte]), () => setImmediate(next))
          }
          next()
        },
        answered(200, "slowly"),
      ],
    ],
  ),
  answers(
    "answer.status",
    "MUST report any status with the start of the body, whatever it means",
    ["§6-19", "D26", "D32"],
    [
      ["401", answer("401 Unauthorized", [], "bad signature"), answered(401, "bad signature")],
      ["410", answer("410 Gone"), answered(410)],
      ["429", answer("429 Too Many Requests", ["Retry-After: 60"]), answered(429, "", "60")],
      ["500", answer("500 Internal Server Error", [], "<html>"), answered(500, "<html>")],
      ["299", answer("299 Whatever"), answered(299)],
      ["599", answer("599 Whatever"), answered(599)],
    ],
  ),
  answers(
    "answer.retry-after",
    "MUST report Retry-After as it came, and nothing for one that is missing, given twice, or longer than 100 characters",
    ["D71"],
    [
      ["seconds", answer("503 No", ["retry-after: 120"], "later"), answered(503, "later", "120")],
      [
        "a date",
        answer("503 No", ["Retry-After: Sat, 31 Jan 2026 13:30:00 GMT"]),
        answered(503, "", "Sat, 31 Jan 2026 13:30:00 GMT"),
      ],
      ["missing", answer("503 No", ["X-Retry-After: 120"]), answered(503)],
      ["twice", answer("503 No", ["Retry-After: 1", "Retry-After: 2"]), answered(503)],
      ["100 characters", answer("503 No", [`Retry-After: ${"1".repeat(100)}`]), answered(503, "", "1".repeat(100))],
      ["101 characters", answer("503 No", [`Retry-After: ${"1".repeat(101)}`]), answered(503)],
      [
        "of an informational response",
        `HTTP/1.1 103 Early Hints\r\nRetry-After: 9\r\n\r\n${answer("503 No")}`,
        answered(503),
      ],
    ],
  ),
  {
    id: "answer.redirect",
    title: "MUST NOT follow redirects",
    requirements: ["§6-15"],
    run: Effect.gen(function* () {
      const elsewhere = yield* receiver({ answer: (socket) => socket.write(answer("200 OK")) })
      for (const status of [300, 301, 302, 303, 305, 307, 308]) {
        const { port } = yield* receiver({
          answer: (socket) =>
            socket.write(answer(`${status} Elsewhere`, [`Location: http://127.0.0.1:${elsewhere.port}/`], "there")),
        })
        yield* equal(`${status}`, yield* send(`http://127.0.0.1:${port}/`), answered(status, "there"))
      }
      yield* equal("connections to the target", elsewhere.sockets.length, 0)
    }),
  },
  answers(
    "answer.informational",
    "MUST wait for the response after informational ones",
    ["§6-14", "D26"],
    [
      ["100", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", answered(200, "ok")],
      [
        "100, 102, 103 and 100 again",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" +
          `HTTP/1.1 100 Continue\r\nX: y\r\n\r\n${answer("500 No")}`,
        answered(500),
      ],
      [
        "103, later the response in pieces",
        (socket) => {
          socket.write("HTTP/1.1 103 Early Hin")
          setTimeout(() => socket.write("ts\r\nLink: </a>\r\n\r"), 20)
          setTimeout(() => socket.write("\nHTTP/1.1 20"), 40)
          setTimeout(() => socket.write("0 OK\r\nContent-Length: 0\r\n\r\n"), 60)
        },
        answered(200),
      ],
      ["100 and nothing else", ends("HTTP/1.1 100 Continue\r\n\r\n"), unanswered("reset")],
    ],
  ),
  answers(
    "answer.limit",
    "MUST keep the first 1,024 bytes of the body and nothing beyond",
    ["§8-7", "D26", "D32"],
    [
      ["one byte less", answer("200 OK", [], "x".repeat(1_023)), answered(200, "x".repeat(1_023))],
      ["as many", answer("200 OK", [], "x".repeat(1_024)), answered(200, "x".repeat(1_024))],
      ["one byte more", answer("200 OK", [], `${"x".repeat(1_024)}y`), answered(200, "x".repeat(1_024))],
      ["many more", answer("500 No", [], letters.repeat(50_000)), answered(500, letters.repeat(200).slice(0, 1_024))],
      // A character cut by the limit is dropped.
      ["é across the limit", answer("200 OK", [], `${"x".repeat(1_023)}éy`), answered(200, "x".repeat(1_023))],
      ["an emoji across the limit", answer("200 OK", [], `${"x".repeat(1_021)}🎨y`), answered(200, "x".repeat(1_021))],
      [
        "an emoji before the limit",
        answer("200 OK", [], `${"x".repeat(1_020)}🎨y`),
        answered(200, `${"x".repeat(1_020)}🎨`),
      ],
    ],
  ),
  {
    id: "answer.get",
    title: "MUST send a GET without a body where one is asked for",
    requirements: ["D88"],
    run: Effect.gen(function* () {
      const { port, requests } = yield* receiver({ answer: (socket) => socket.write(answer("200 OK", [], letters)) })
      const sent = yield* send(`http://127.0.0.1:${port}/orders?page=2`, { method: "GET", body: "" })
      yield* equal("the answer", sent, answered(200, letters))
      const [request] = requests
      yield* equal("the line", request?.line, "GET /orders?page=2 HTTP/1.1")
      yield* equal("the body", request?.body.length, 0)
    }),
  },
  {
    id: "answer.limit.argument",
    title: "MUST read no more than the request allows",
    requirements: ["D26"],
    run: Effect.gen(function* () {
      const { port } = yield* receiver({ answer: (socket) => socket.write(answer("200 OK", [], letters)) })
      for (const [responseLimit, text] of [
        [0, ""],
        [3, "abc"],
        [10, letters],
        [11, letters],
      ] as const) {
        yield* equal(
          `${responseLimit}`,
          yield* send(`http://127.0.0.1:${port}/`, { responseLimit }),
          answered(200, text),
        )
      }
      const chunked = `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n5\r\nfghij\r\n0\r\n\r\n`
      const inPieces = yield* receiver({ answer: (socket) => socket.write(chunked) })
      for (const [responseLimit, text] of [
        [5, "abcde"],
        [7, "abcdefg"],
        [10, letters],
      ] as const) {
        const answer = yield* send(`http://127.0.0.1:${inPieces.port}/`, { responseLimit })
        yield* equal(`${responseLimit}, in two chunks`, answer, answered(200, text))
      }
    }),
  },
  {
    id: "answer.endless",
    title: "MUST close the connection instead of reading a gigabyte",
    requirements: ["D26"],
    run: Effect.gen(function* () {
      const block = Buffer.alloc(1024 * 1024, "x")
      const { port, sockets } = yield* receiver({
        answer: (socket) => {
          socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n")
          let left = 1_024
          const more = () => {
            while (left-- > 0) if (!socket.write(block)) return
          }
          socket.on("drain", more)
          more()
        },
      })
      yield* equal("the answer", yield* send(`http://127.0.0.1:${port}/`), answered(200, "x".repeat(1_024)))
      const [socket] = sockets
      yield* eventually("the connection is closed", () => socket?.destroyed === true)
      yield* holds(
        "less than 32 MiB left the receiver",
        (socket?.bytesWritten ?? 0) - (socket?.writableLength ?? 0) < 32 * 1024 * 1024,
      )
    }),
  },
  {
    id: "answer.compressed",
    title: "MUST NOT decompress: a response that was compressed without request is kept as it is",
    requirements: ["D26"],
    run: Effect.gen(function* () {
      const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024))
      const { port } = yield* receiver({
        answer: (socket) => socket.write(answer("200 OK", ["Content-Encoding: gzip"], bomb)),
      })
      const { statusCode, responseStart } = yield* send(`http://127.0.0.1:${port}/`)
      yield* equal("the status", statusCode, 200)
      yield* equal("the start of gzip, which is not UTF-8", responseStart?.slice(0, 2), "\u001f\ufffd")
      yield* holds("no longer than the bytes read", (responseStart ?? "").length <= 1_024)
    }),
  },
  answers(
    "answer.text",
    "MUST convert any body to text: U+FFFD for bytes that are not UTF-8, no NUL",
    ["D32"],
    [
      ["Latin-1", answer("200 OK", [], Buffer.from([0x63, 0x61, 0x66, 0xe9])), answered(200, "caf\ufffd")],
      ["NUL", answer("200 OK", [], "a\0b\0\0c"), answered(200, "abc")],
      ["only NUL", answer("200 OK", [], "\0\0"), answered(200)],
      [
        "surrogates in UTF-8",
        answer("200 OK", [], Buffer.from([0x61, 0xed, 0xa0, 0x80, 0x62])),
        answered(200, "a\ufffd\ufffd\ufffdb"),
      ],
      ["all of Unicode", answer("200 OK", [], "é ﬀ 𝒟 👩‍👩‍👧"), answered(200, "é ﬀ 𝒟 👩‍👩‍👧")],
      [
        "characters cut between packets",
        (socket) => {
          const bytes = answer("200 OK", [], "🎨é")
          const at = bytes.length - 3
          socket.write(bytes.subarray(0, at - 2))
          setTimeout(() => socket.write(bytes.subarray(at - 2, at + 2)), 20)
          setTimeout(() => socket.write(bytes.subarray(at + 2)), 40)
        },
        answered(200, "🎨é"),
      ],
    ],
  ),
  answers(
    "answer.none",
    "MUST report `reset` if a receiver sends no response or none in HTTP",
    ["§6-19", "D32"],
    [
      ["closed", (socket) => socket.end(), unanswered("reset")],
      ["reset", (socket) => socket.resetAndDestroy(), unanswered("reset")],
      ["another protocol", "220 mail.example ESMTP\r\n", unanswered("reset")],
      ["bytes", Buffer.from(Array.from({ length: 256 }, (_, index) => 255 - index)), unanswered("reset")],
      ["HTTP/2", Buffer.from("000012040000000000000300000064000400100000000600004000", "hex"), unanswered("reset")],
      ["a status line without its end", ends("HTTP/1.1 200 O"), unanswered("reset")],
      ["an invalid code", "HTTP/1.1 OK\r\n\r\n", unanswered("reset")],
      ["a code of four digits", "HTTP/1.1 2000 OK\r\n\r\n", unanswered("reset")],
      ["a code without a space before it", "HTTP/1.1.200 OK\r\n\r\n", unanswered("reset")],
      [
        "endless informational responses",
        "HTTP/1.1 103 Early Hints\r\nX: y\r\n\r\n".repeat(10_000),
        unanswered("reset"),
      ],
    ],
  ),
  answers(
    "answer.broken",
    "MUST keep a status line if the response then breaks off",
    ["D26", "D32"],
    [
      ["in the headers", ends("HTTP/1.1 200 OK\r\nContent-"), answered(200)],
      ["in the body", ends("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"), answered(200, "abc")],
      ["in a chunk", ends("HTTP/1.1 500 No\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab"), answered(500, "ab")],
      [
        "by a reset",
        (socket) => {
          socket.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
          setTimeout(() => socket.resetAndDestroy(), 50)
        },
        answered(200, "abc"),
      ],
      ["with invalid chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", answered(200)],
    ],
  ),
  {
    id: "answer.malformed",
    title:
      "MUST report a complete status line whatever follows it, directly and over TLS, and not reuse the connection",
    requirements: ["D90", "D26"],
    run: Effect.gen(function* () {
      for (const [what, rest] of malformed) {
        for (const status of [200, 500]) {
          for (const protocol of ["http", "https"]) {
            const { port, sockets } = yield* receiver({
              ...(protocol === "https" && { certificate: authority.issue({ hosts: ["shop.example"] }) }),
              answer: (socket) => socket.write(rest(`HTTP/1.1 ${status} Whatever`)),
            })
            const url = `${protocol}://shop.example:${port}/`
            yield* equal(`${status} with ${what}, ${protocol}`, yield* send(url), answered(status))
            yield* equal(`${what} again`, yield* send(url), answered(status))
            yield* equal(`connections: ${what}`, sockets.length, 2)
          }
        }
      }
    }),
  },
  answers(
    "answer.malformed.informational",
    "MUST report the status line behind informational responses whose lines end without CR",
    ["D90", "D26"],
    [
      ["103", "HTTP/1.1 103 Early Hints\nLink: </a>\n\nHTTP/1.1 204 No Content\n\n", answered(204)],
      ["100, mixed", "HTTP/1.1 100 Continue\r\n\nHTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n", answered(500)],
    ],
  ),
  {
    id: "answer.endless.head",
    title: "MUST NOT read on in a status line or a chunk extension without an end",
    requirements: ["D26"],
    run: Effect.gen(function* () {
      for (const [what, start, expected] of [
        ["a status line", "HTTP/1.1 200 ", unanswered("reset")],
        [
          "a chunk extension",
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1;",
          answered(200, "ab"),
        ],
      ] as const) {
        let written = 0
        const { port } = yield* receiver({
          answer: (socket) => {
            socket.write(start)
            // A piece follows when the one before has left; the kernel keeps some that nobody reads.
            const more = () => {
              if (socket.destroyed || written > endless) return
              written += piece.length
              socket.write(piece, more)
            }
            more()
          },
        })
        yield* equal(what, yield* send(`http://127.0.0.1:${port}/`), expected)
        yield* holds(`${what}: the connection ends early, after ${written} bytes`, written < endless)
      }
    }),
  },
  {
    id: "answer.early",
    title: "MUST accept a response that arrives before the request is read",
    requirements: ["D26"],
    run: Effect.gen(function* () {
      const { port } = yield* receiver({
        accept: (socket) => {
          socket.once("data", () => {
            socket.pause()
            socket.write(answer("413 Content Too Large", [], "no"))
          })
          return true
        },
      })
      const body = "x".repeat(16 * 1024 * 1024)
      yield* equal("the answer", yield* send(`http://127.0.0.1:${port}/`, { body }), answered(413, "no"))
      // The rest of the first request is still being sent.
      yield* equal("the next", yield* send(`http://127.0.0.1:${port}/`), answered(413, "no"))
    }),
  },
  {
    id: "answer.surplus",
    title: "MUST NOT treat bytes after a response as the response to the next request",
    requirements: ["D26"],
    run: Effect.gen(function* () {
      const { port } = yield* receiver({
        answer: (socket, { line }) => {
          if (line.includes("first")) socket.write(Buffer.concat([answer("200 OK"), answer("200 OK", [], "smuggled")]))
          else socket.write(answer("500 No", [], "honest"))
        },
      })
      yield* equal("the first", yield* send(`http://127.0.0.1:${port}/first`), answered(200))
      const second = yield* send(`http://127.0.0.1:${port}/second`, { timeout: soon * 5 })
      yield* equal("the second", second, answered(500, "honest"))
    }),
  },
])
