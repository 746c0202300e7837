import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { NodeCrypto } from "@effect/platform-node"
import { expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { host, keyRing, newEndpoint, newShop, order, standby } from "../../conformance/testkit/workers/Fleet.ts"
import { webhookReceiver } from "../../conformance/testkit/workers/WebhookReceiver.ts"
import type { DeliveryNotice, Notice } from "../../core/model/Resources.ts"
import { noticeOf } from "../../core/model/webhooks/Notice.ts"
import { KeyRing } from "../../core/ports/KeyRing.ts"
import { NoticeStore } from "../../core/ports/NoticeStore.ts"
import { noticeSecret } from "../../core/usecases/webhooks/NoticeWebhook.ts"
import { verifyNotice } from "../receiver/index.ts"

/** The operator's receiver: it responds with 503 to each notice at first, and then with 204, which alone counts. */
const operator = (secret: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const told: Array<Notice> = []
      const refused: Array<string> = []
      const seen = new Set<string>()
      let requests = 0
      const server = createServer(async (request, response) => {
        const parts: Array<Buffer> = []
        for await (const part of request) parts.push(part as Buffer)
        const result = await verifyNotice({ secret, headers: request.headers, body: Buffer.concat(parts) })
        requests++
        if (!result.ok) refused.push(result.message)
        else if (seen.has(result.notice.id)) told.push(result.notice)
        response.writeHead(result.ok && seen.has(result.notice.id) ? 204 : 503).end()
        if (result.ok) seen.add(result.notice.id)
      })
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/notices`
      return { server, url, told, refused, requests: () => requests }
    }),
    ({ server }) =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      }),
  )

it.live(
  "three workers, two of them killed again and again, MUST send every notice, and repeat only those in flight (D42)",
  () =>
    Effect.gen(function* () {
      const secret = Redacted.value(
        yield* noticeSecret.pipe(Effect.provideService(KeyRing, keyRing), Effect.provide(NodeCrypto.layer)),
      )
      const { refused, requests, told, url: noticeUrl } = yield* operator(secret)
      const receiver = yield* webhookReceiver(() => Effect.succeed(503))
      const url = yield* migratedDatabase
      yield* Effect.gen(function* () {
        const shop = yield* newShop
        for (const path of ["/a", "/b", "/c", "/d"]) yield* newEndpoint(shop, receiver, path)
        // Each endpoint is switched off at its 20th failure; a delivery is given up at its second failure.
        const options = { lease: 6000, schedule: [200] }
        const begun = Effect.tap(standby(url, options, { noticeUrl }), ({ begin }) => begin)
        yield* begun
        const victims = [yield* begun, yield* begun]
        let kills = 0
        for (let placed = 0; placed < 30; placed++) {
          yield* order(shop, `${placed}`)
          if (placed % 3 !== 2) continue
          const index = kills++ % 2
          victims[index]?.child.kill("SIGKILL")
          victims[index] = yield* begun
        }
        const notices = NoticeStore.use((store) => store.list(shop, 1_000, Date.now()))
        const waiting = SqlClient.SqlClient.use(
          (sql) => sql`SELECT 1 FROM designwire.notices WHERE next_attempt_at IS NOT NULL`,
        )
        const off = SqlClient.SqlClient.use((sql) => sql`SELECT 1 FROM designwire.endpoints WHERE status = 'active'`)
        yield* Effect.repeat(Effect.delay(off, 200), { until: (rows) => rows.length === 0 })
        yield* Effect.repeat(Effect.delay(waiting, 200), { until: (rows) => rows.length === 0 })

        const kept = (yield* notices).map((record) => noticeOf(record) as DeliveryNotice)
        const ids = new Set(kept.map(({ id }) => id))
        expect(ids.size).toBe(kept.length)
        const kindsOf = (kind: string) => kept.filter(({ notice }) => notice === kind)
        expect(new Set(kindsOf("endpoint.switched_off").map(({ endpoint }) => endpoint.id)).size).toBe(4)
        expect(kindsOf("endpoint.switched_off")).toHaveLength(4)
        expect(kindsOf("endpoint.failing")).toHaveLength(4)
        const failed = yield* SqlClient.SqlClient.use(
          (sql) => sql<{ id: string }>`SELECT id FROM designwire.deliveries WHERE status = 'failed' ORDER BY id`,
        )
        expect(
          kindsOf("delivery.given_up")
            .map(({ delivery }) => delivery.id)
            .toSorted(),
        ).toEqual(failed.map(({ id }) => id))

        expect(refused).toEqual([])
        expect(new Set(told.map(({ id }) => id))).toEqual(ids)
        expect(told.length - ids.size).toBeLessThanOrEqual(kills * 16)
        expect(requests()).toBeGreaterThan(told.length)
      }).pipe(Effect.provide(host(url)))
    }),
)
