/** Limits and the webhook proxy of a served process (hosts/cli/OPERATING.md). */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { connectProxy } from "../../conformance/suites/sender/ConnectProxy.ts"
import { shopInput } from "../../conformance/suites/service/Samples.ts"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { address, secrets, send, start, stop } from "../../conformance/testkit/processes/Processes.ts"
import { openConnection } from "../../conformance/testkit/requests/RawConnection.ts"
import { localReceivers } from "../../conformance/testkit/workers/Fleet.ts"
import { webhookReceiver } from "../../conformance/testkit/workers/WebhookReceiver.ts"

const token = secrets.DESIGNWIRE_MANAGE_KEY

it.live("serve MUST limit tokens as configured, deliver through the webhook proxy, and never print its password", () =>
  Effect.gen(function* () {
    const receiver = yield* webhookReceiver(() => Effect.succeed(204))
    const proxy = yield* connectProxy({ credentials: "me:s3cretword" })
    const host = yield* start(["serve"], {
      ...secrets,
      ...localReceivers,
      DATABASE_URL: yield* migratedDatabase,
      DESIGNWIRE_RATE_LIMIT: "2",
      DESIGNWIRE_WEBHOOK_PROXY: `http://me:s3cretword@127.0.0.1:${proxy.port}`,
    })
    const base = yield* address(host)
    const shop = `${base}/manage/v1/shops/acme`
    yield* send("PUT", shop, { token, body: shopInput })
    const made = yield* send("POST", `${shop}/webhooks`, { token, body: { url: receiver.url("/hook") } })
    const { id, secret } = made.json() as { readonly id: string; readonly secret: string }
    receiver.trust("/hook", secret)
    yield* send("POST", `${shop}/webhooks/${id}/test`, { token })
    yield* receiver.until(() => receiver.requests.length > 0 && receiver.open.size === 0)
    const { host: place } = new URL(receiver.url("/hook"))
    expect([receiver.requests.map(({ signed }) => signed), proxy.places()]).toEqual([[true], [place]])

    const erp = yield* send("POST", `${shop}/tokens`, { token, body: { name: "ERP" } })
    const { token: erpToken } = erp.json() as { readonly token: string }
    const statuses = []
    for (let times = 0; times < 3; times++) {
      statuses.push((yield* send("GET", `${base}/api/v1/orders`, { token: erpToken })).status)
    }
    expect(statuses).toEqual([200, 200, 429])
    const { code, stderr, stdout } = yield* stop(host)
    expect(code).toBe(0)
    expect(stdout + stderr).not.toMatch(/s3cretword|bWU6czNjcmV0d29yZA/)
  }),
)

it.live("serve MUST refuse more requests than configured, and say so", () =>
  Effect.gen(function* () {
    const host = yield* start(["serve"], {
      ...secrets,
      DATABASE_URL: yield* migratedDatabase,
      DESIGNWIRE_MAX_REQUESTS: "4",
    })
    const port = Number(new URL(yield* address(host)).port)
    const authorization = `Authorization: Bearer ${token}`
    const half = `PUT /manage/v1/shops/acme HTTP/1.1\r\nHost: a\r\n${authorization}\r\nContent-Length: 100\r\n\r\nhalf`
    yield* openConnection(port, half)
    const next = yield* openConnection(port, half)
    yield* next.until((text) => text.startsWith("HTTP/1.1 503 "))
    yield* host.line(/WARN .*works at 1 requests to the management API, the settings app.*DESIGNWIRE_MAX_REQUESTS/)
    expect((yield* send("GET", `http://127.0.0.1:${port}/livez`)).status).toBe(200)
    expect((yield* stop(host)).code).toBe(0)
  }),
)
