/** What operators see of a proxy's faults (hosts/cli/OPERATING.md). The sender suite has the rest. */
import { expect, it } from "@effect/vitest"
import { Effect, Formatter, Logger, Redacted } from "effect"
import { selfSigned } from "../../conformance/suites/sender/Certificates.ts"
import { type ConnectProxyOptions, connectProxy } from "../../conformance/suites/sender/ConnectProxy.ts"
import { answer, freePort, receiver } from "../../conformance/suites/sender/Receiver.ts"
import { answered, send, unanswered } from "../../conformance/suites/sender/Sending.ts"
import { layerSender } from "./index.ts"

/** A logger that keeps everything that it gets, as text. */
const kept = () => {
  const lines: Array<string> = []
  const logger = Logger.make<unknown, void>(({ message }) => lines.push(Formatter.format(message)))
  return { lines, layer: Logger.layer([logger]) }
}

const credentials = "me:s3cretword"

/** Sends three times through a proxy at a URL: the results, and the lines of the log. */
const thrice = Effect.fnUntraced(function* (proxy: string) {
  const { layer, lines } = kept()
  const { port } = yield* receiver({ answer: (socket) => socket.write(answer("200 OK")) })
  const addresses = ["127.0.0.1", "127.0.0.1"]
  const one = send(`http://shop.example:${port}/`, { addresses })
  const results = yield* Effect.all([one, one, one]).pipe(
    Effect.provide(layerSender({ proxy: Redacted.make(proxy) })),
    Effect.provide(layer),
  )
  for (const line of lines) expect(line).not.toMatch(/s3cretword|czNjcmV0d29yZ/)
  return { results, lines }
})

const refusing = (status: string): ConnectProxyOptions => ({
  answer: (socket) => socket.write(`HTTP/1.1 ${status}\r\nX: ${credentials}\r\n\r\n`),
})

const faults: ReadonlyArray<readonly [what: string, options: ConnectProxyOptions, sentence: RegExp]> = [
  ["wrong credentials", { credentials: "other:word" }, /refuses the user name and password \(407\)/],
  ["a rule", refusing("403 Forbidden"), /refuses to connect to receivers \(403\): look at its rules/],
  ["a fault of its own", refusing("500 Oops"), /refuses to connect to receivers \(500\)/],
  ["another protocol", { answer: (socket) => socket.write("220 smtp\r\n\r\n") }, /does not answer as an HTTP proxy/],
  ["a closed connection", { answer: (socket) => !socket.end().connecting }, /ended the connection before its answer/],
]

it.live.each(faults)("a proxy's fault MUST be one line of the log, without secrets: %s", ([, options, sentence]) =>
  Effect.gen(function* () {
    const { port } = yield* connectProxy(options)
    const { lines, results } = yield* thrice(`http://${credentials}@127.0.0.1:${port}`)
    expect(results).toEqual(Array(3).fill(unanswered("connect")))
    expect(lines).toEqual([expect.stringMatching(sentence)])
    expect(lines[0]).toContain(`The webhook proxy 127.0.0.1:${port} `)
  }).pipe(Effect.scoped),
)

it.live("a proxy that can't be reached or trusted MUST be one line of the log, with the reason", () =>
  Effect.gen(function* () {
    const nobody = yield* thrice(`http://${credentials}@127.0.0.1:${yield* freePort}`)
    expect(nobody.lines).toEqual([expect.stringMatching(/can't be reached \(ECONNREFUSED\)/)])
    const nameless = yield* thrice(`http://${credentials}@no-such-proxy.invalid:3128`)
    expect(nameless.lines).toEqual([expect.stringMatching(/no-such-proxy\.invalid:3128 can't be reached \(E/)])
    const impostor = yield* connectProxy({ certificate: selfSigned("127.0.0.1") })
    const untrusted = yield* thrice(`https://${credentials}@127.0.0.1:${impostor.port}`)
    expect(untrusted.lines).toEqual([expect.stringMatching(/can't be reached \(.*SELF_SIGNED/)])
    expect(impostor.requests).toEqual([])
  }).pipe(Effect.scoped),
)

it.live("a receiver that the proxy can't reach MUST NOT be a line of the log, nor one that answers", () =>
  Effect.gen(function* () {
    const failing = yield* connectProxy(refusing("503 Service Unavailable"))
    const unreached = yield* thrice(`http://127.0.0.1:${failing.port}`)
    expect(unreached).toEqual({ results: Array(3).fill(unanswered("connect")), lines: [] })
    // Each attempt asks for both addresses.
    expect(failing.requests).toHaveLength(6)
    const working = yield* connectProxy({ credentials })
    expect(yield* thrice(`http://${credentials}@localhost:${working.port}`)).toEqual({
      results: Array(3).fill(answered(200)),
      lines: [],
    })
  }).pipe(Effect.scoped),
)
