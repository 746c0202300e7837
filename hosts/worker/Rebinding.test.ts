import { NodeCrypto } from "@effect/platform-node"
import { expect, it } from "@effect/vitest"
import { Effect, Layer, Redacted, Result } from "effect"
import * as Memory from "../../adapters/memory/index.ts"
import * as NodeAdapter from "../../adapters/node/index.ts"
import { type DnsRecord, dnsServer } from "../../conformance/suites/sender/DnsServer.ts"
import { answer, otherLoopback, receiver } from "../../conformance/suites/sender/Receiver.ts"
import { shopInput } from "../../conformance/suites/service/Samples.ts"
import { keyRing } from "../../conformance/testkit/workers/Fleet.ts"
import { KeyRing } from "../../core/ports/KeyRing.ts"
import { WebhookPolicy } from "../../core/ports/WebhookPolicy.ts"
import { parseNetworks } from "../../core/rules/webhooks/PublicHost.ts"
import { putShop } from "../../core/usecases/shops/ManageShops.ts"
import { defaultWorker, drain } from "../../core/usecases/webhooks/dispatch/Dispatch.ts"
import { listDeliveries, sendTestEvent } from "../../core/usecases/webhooks/ManageDeliveries.ts"
import { createEndpoint } from "../../core/usecases/webhooks/ManageEndpoints.ts"

it.live("a name MUST be refused if it leads to a private address, when it is added and before each attempt", () =>
  Effect.gen(function* () {
    // One address of this machine stands for the public internet; the other one is private.
    const open = yield* otherLoopback
    const there = yield* receiver({ host: open, answer: (socket) => socket.write(answer("204 No Content")) })
    const inside = yield* receiver({ host: "127.0.0.1" })
    const publicly: DnsRecord = [open.includes(":") ? "AAAA" : "A", open, 0]
    let records: ReadonlyArray<DnsRecord> = [["A", "127.0.0.1", 0]]
    const dns = yield* dnsServer((type) => records.filter(([kind]) => kind === type))
    const services = Layer.mergeAll(
      NodeAdapter.layer({ servers: [dns.address], hostsFile: null }),
      Memory.layer,
      NodeCrypto.layer,
      Layer.succeed(KeyRing, keyRing),
      Layer.succeed(WebhookPolicy, {
        allowHttp: true,
        allowNetworks: Result.getOrThrow(parseNetworks(open.includes(":") ? `${open}/128` : `${open}/32`)),
      }),
    )
    yield* Effect.gen(function* () {
      const work = Effect.suspend(() => drain(defaultWorker, { max: 10, deadline: Date.now() + 20_000 }))
      yield* putShop("ring", shopInput)
      const add = (port: number) => createEndpoint("ring", { url: `http://hooks.designwire.com:${port}/` })
      for (const refused of [records, [publicly, ...records], [...records, publicly]]) {
        records = refused
        expect(yield* Effect.flip(add(inside.port))).toMatchObject({ _tag: "Refused" })
      }

      records = [publicly]
      const { endpoint, secret } = yield* add(there.port)
      expect(Redacted.value(secret)).toMatch(/^whsec_/)
      yield* sendTestEvent("ring", endpoint.id)
      expect(yield* work).toEqual({ attempts: 1, succeeded: 1 })
      expect(there.requests.length).toBe(1)

      // The name leads elsewhere from now on, or elsewhere too; an open connection does not help.
      for (const moved of [[["A", "127.0.0.1", 0] as const], [publicly, ["A", "127.0.0.1", 0] as const]]) {
        records = moved
        yield* sendTestEvent("ring", endpoint.id)
        expect(yield* work).toEqual({ attempts: 1, succeeded: 0 })
        const [last] = yield* listDeliveries("ring", endpoint.id)
        expect(last?.attempts).toMatchObject([{ statusCode: null, error: "address_refused" }])
      }
      expect(there.requests.length).toBe(1)
      expect(inside.sockets.length).toBe(0)
    }).pipe(Effect.provide(services))
  }),
)
