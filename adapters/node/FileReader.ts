import { type IncomingMessage, request } from "node:http"
import { Readable } from "node:stream"
import type { ReadableStream } from "node:stream/web"
import { createSecureContext } from "node:tls"
import { Effect, Layer, type Redacted, Stream } from "effect"
import { FileNotRead, FileReader, type FileRequest } from "../../core/ports/FileReader.ts"
import { dial, type Line, parseTarget } from "./Dial.ts"
import { makeRoute } from "./Proxy.ts"

/** Asks for a file until the scope closes. Succeeds when the head of the answer is there. */
const open = Effect.fnUntraced(function* ({ addresses, url }: FileRequest, line: Line) {
  const target = parseTarget(url)
  let giveUp: (() => void) | undefined
  let reason: FileNotRead["reason"] = "connect"
  const asked = request({
    path: target.path,
    headers: { host: new URL(url).host, "accept-encoding": "identity", connection: "close" },
    createConnection: (_options, done) => {
      giveUp = dial(target, addresses, line, {
        onOpen: (socket) => {
          reason = "broken"
          done(null, socket)
        },
        // Destroying a request that has no connection yet emits no error.
        onFailure: (_error, cause) => done(cause, undefined as never),
      })
      return undefined
    },
  })
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      giveUp?.()
      asked.destroy()
    }),
  )
  return yield* Effect.callback<IncomingMessage, FileNotRead>((resume) => {
    asked.on("error", () => resume(Effect.fail(new FileNotRead({ reason }))))
    asked.once("response", (answer) => {
      const { statusCode = 0 } = answer
      resume(
        statusCode === 200 ? Effect.succeed(answer) : Effect.fail(new FileNotRead({ reason: "status", statusCode })),
      )
    })
    asked.end()
  })
})

/**
 * {@link FileReader} that opens its connections as the sender of webhooks does: to approved addresses only, and through
 * its proxy.
 */
export const layerFileReader = (proxy?: Redacted.Redacted<string>): Layer.Layer<never> =>
  Layer.effect(
    FileReader,
    Effect.gen(function* () {
      const context = createSecureContext()
      const line = { context, route: yield* makeRoute(proxy, context, "Downloads of pictures lack some") }
      return {
        read: (file) =>
          Stream.unwrap(
            Effect.map(open(file, line), (answer) =>
              Stream.fromReadableStream({
                evaluate: () =>
                  Readable.toWeb(answer) as ReadableStream<Uint8Array> as globalThis.ReadableStream<Uint8Array>,
                onError: () => new FileNotRead({ reason: "broken" }),
              }),
            ),
          ),
      }
    }),
  )
