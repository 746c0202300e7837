import { describe, expect, it } from "@effect/vitest"
import { Effect, Redacted, Stream } from "effect"
import { selfSigned } from "../../conformance/suites/sender/Certificates.ts"
import { connectProxy } from "../../conformance/suites/sender/ConnectProxy.ts"
import { answer, eventually, freePort, receiver } from "../../conformance/suites/sender/Receiver.ts"
import { FileReader, type FileRequest } from "../../core/ports/FileReader.ts"
import { layerLookup } from "./index.ts"

const read = (file: FileRequest) => Stream.unwrap(FileReader.use((reader) => Effect.succeed(reader.read(file))))

const text = (file: FileRequest) => Stream.mkString(Stream.decodeText(read(file))).pipe(Effect.provide(layerLookup()))

const addresses = ["127.0.0.1"]

describe("A file reader (D36)", () => {
  it.live("MUST connect to an approved address of a host that it does not look up, and read the answer (D36)", () =>
    Effect.gen(function* () {
      const { port, requests } = yield* receiver({ answer: (socket) => socket.write(answer("200 OK", [], "picture")) })
      expect(yield* text({ url: `http://pictures.invalid:${port}/a?b=%20`, addresses })).toBe("picture")
      expect(requests[0]?.line).toBe("GET /a?b=%20 HTTP/1.1")
      expect(requests[0]?.headers).toContainEqual(["host", `pictures.invalid:${port}`])
    }),
  )

  it.live("MUST go through the proxy of webhooks if there is one, to the approved address (D36)", () =>
    Effect.gen(function* () {
      const { port } = yield* receiver({ answer: (socket) => socket.write(answer("200 OK", [], "picture")) })
      const proxy = yield* connectProxy()
      const reading = Stream.mkString(Stream.decodeText(read({ url: `http://pictures.invalid:${port}/`, addresses })))
      const through = Redacted.make(`http://127.0.0.1:${proxy.port}`)
      expect(yield* Effect.provide(reading, layerLookup({ proxy: through }))).toBe("picture")
      expect(proxy.places()).toEqual([`127.0.0.1:${port}`])
    }),
  )

  it.live("MUST read nothing from a redirect, or over a connection that is not there or not verified (D36)", () =>
    Effect.gen(function* () {
      const other = yield* receiver({ answer: (socket) => socket.write(answer("200 OK")) })
      const moved = [`Location: http://127.0.0.1:${other.port}/`]
      const { port } = yield* receiver({ answer: (socket) => socket.write(answer("302 Found", moved)) })
      const redirected = yield* Effect.flip(text({ url: `http://127.0.0.1:${port}/`, addresses }))
      expect(redirected).toMatchObject({ reason: "status", statusCode: 302 })
      expect(other.requests).toEqual([])
      const closed = yield* freePort
      expect(yield* Effect.flip(text({ url: `http://127.0.0.1:${closed}/`, addresses }))).toMatchObject({
        reason: "connect",
      })
      const unknown = yield* receiver({
        certificate: selfSigned("pictures.example"),
        answer: (socket) => socket.write(answer("200 OK")),
      })
      expect(yield* Effect.flip(text({ url: `https://pictures.example:${unknown.port}/`, addresses }))).toMatchObject({
        reason: "connect",
      })
      expect(unknown.requests).toEqual([])
    }),
  )

  it.live("MUST end the request when its reader has enough, also while it waits for bytes (D69)", () =>
    Effect.gen(function* () {
      const begin = "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nbegin"
      const { port, sockets } = yield* receiver({ answer: (socket) => socket.write(begin) })
      const file = { url: `http://127.0.0.1:${port}/`, addresses }
      yield* Stream.runHead(read(file)).pipe(Effect.provide(layerLookup()))
      yield* eventually("the first is closed", () => sockets[0]?.destroyed === true)
      yield* text(file).pipe(Effect.timeoutOption("100 millis"))
      yield* eventually("the second is closed", () => sockets[1]?.destroyed === true)
    }),
  )
})
