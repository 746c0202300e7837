/** The end of the server's certificate, among the metrics (hosts/cli/OPERATING.md). */
import { connect, createServer } from "node:net"
import { getCACertificates, setDefaultCACertificates, TLSSocket } from "node:tls"
import { expect, it } from "@effect/vitest"
import { Effect, Metric, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { authority } from "../../conformance/suites/sender/Certificates.ts"
import { freshDatabase } from "../../conformance/testkit/databases/Database.ts"
import { layerClient } from "./index.ts"

/** In whole seconds, as certificates have it. */
const until = new Date(Math.floor(Date.now() / 1000) * 1000 + 20 * 24 * 60 * 60 * 1000)

/** The length of an SSLRequest, which comes before the handshake. */
const sslRequest = 8

/** A proxy to a database that speaks TLS, with a certificate until then: returns the URL of the database behind it. */
const encrypted = Effect.fnUntraced(function* (databaseUrl: string) {
  const url = new URL(databaseUrl)
  const { hostname, port } = url
  const server = createServer((near) => {
    near.once("error", () => near.destroy())
    near.once("data", (request) => {
      expect(request).toHaveLength(sslRequest)
      near.write("S")
      const plain = new TLSSocket(near, { isServer: true, ...authority.issue({ hosts: ["127.0.0.1"], until }) })
      const far = connect(Number(port), hostname)
      for (const [socket, other] of [
        [plain, far],
        [far, plain],
      ] as const) {
        socket.pipe(other)
        socket.on("error", () => other.destroy())
        socket.on("close", () => other.destroy())
      }
    })
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => {
      server.listen(0, "127.0.0.1", () => resume(Effect.void))
    }),
    () => Effect.sync(() => server.close()),
  )
  const address = server.address()
  url.hostname = "127.0.0.1"
  url.port = String(typeof address === "object" ? address?.port : address)
  return url
})

/** Node's certificate authorities and ours, until the scope closes. */
const trusting = Effect.acquireRelease(
  Effect.sync(() => {
    const before = getCACertificates()
    setDefaultCACertificates([...before, authority.cert])
    return before
  }),
  (before) => Effect.sync(() => setDefaultCACertificates(before)),
)

const expiry = Effect.map(Metric.snapshot, (metrics) =>
  metrics.flatMap(({ id, state }) =>
    id === "designwire_database_certificate_expiry_seconds" ? [(state as { value: number }).value] : [],
  ),
)

/** The metrics once a client has connected. */
const shown = (url: URL) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`SELECT 1`
    return yield* Effect.repeat(Effect.delay(expiry, "2 millis"), {
      until: (values) => values.length > 0 || !url.searchParams.has("sslmode"),
    })
  }).pipe(
    Effect.provide(layerClient({ url: Redacted.make(url.href), maxConnections: 1 })),
    Effect.provideService(Metric.MetricRegistry, new Map()),
  )

it.live("MUST show when the certificate of the database ends, if the URL requires one", () =>
  Effect.gen(function* () {
    yield* trusting
    const plain = yield* freshDatabase
    const url = yield* encrypted(plain)
    url.searchParams.set("sslmode", "verify-full")
    expect(yield* shown(url)).toEqual([until.getTime() / 1000])
    expect(yield* shown(new URL(plain))).toEqual([])
  }).pipe(Effect.scoped),
)
