/** Deliveries as an endpoint's options want them (D71, D72). */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { someTime } from "../../../../conformance/suites/storage/support/Fixtures.ts"
import { envelopeOf, responseOf, verified } from "../../../../conformance/testkit/workers/Outside.ts"
import { makeWorld } from "../../../../conformance/testkit/workers/TestWorker.ts"
import { hour, minute, nothing, only } from "../../../../conformance/testkit/workers/WorkerSteps.ts"
import { format } from "../../../model/Instant.ts"
import { CertificateReader } from "../../../ports/CertificateReader.ts"
import { listAudit } from "../../audit/ReadAudit.ts"
import { readRequestHeaders, redeliver } from "../ManageDeliveries.ts"
import { updateEndpoint } from "../ManageEndpoints.ts"

describe("An endpoint's options", () => {
  it.effect("MUST let a receiver put off a retry if it heeds Retry-After, and keep the count of attempts (D71)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const [endpoint, usual] = [yield* world.endpoint(), yield* world.endpoint()]
      yield* world.run(updateEndpoint(world.shop, endpoint.id, { heedRetryAfter: true }))
      world.outside.respond = () => Effect.succeed(responseOf(503, "", "7200"))
      yield* world.order("1", ["d-1"])
      yield* world.drain
      expect(only(yield* world.log(endpoint))).toMatchObject({ nextAttemptAt: someTime + 2 * hour })
      expect(only(yield* world.log(usual))).toMatchObject({ nextAttemptAt: someTime + minute })
      yield* TestClock.setTime(someTime + 2 * hour - 1)
      yield* world.drain
      expect(only(yield* world.log(endpoint)).attempts).toHaveLength(1)
      yield* TestClock.setTime(someTime + 2 * hour)
      world.outside.respond = () => Effect.succeed(responseOf(200))
      yield* world.drain
      expect(only(yield* world.log(endpoint))).toMatchObject({ status: "succeeded", attempts: [{}, { number: 2 }] })
      expect(yield* world.drain).toEqual(nothing)
    }),
  )

  it.effect("MUST send its owner's headers, kept sealed and shown by name alone, until they are removed (D55)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const { id, shown } = yield* world.endpoint()
      const headers = { Authorization: "Basic dXNlcjpwYXNz", "x-api-key": "k-123" }
      const update = (input: Parameters<typeof updateEndpoint>[2]) => world.run(updateEndpoint(world.shop, id, input))
      expect(yield* update({ headers })).toMatchObject({ headers: ["Authorization", "x-api-key"] })
      const stored = JSON.stringify(yield* world.endpointNow({ id }))
      for (const value of Object.values(headers)) expect(stored).not.toContain(value)
      yield* world.order("1", ["d-1"])
      yield* world.drain
      const [first] = world.outside.sent
      if (first === undefined) throw new Error("Nothing was sent")
      expect(first.request.headers).toMatchObject(headers)
      yield* verified(first, shown)
      const again = yield* world.run(readRequestHeaders(world.shop, id, first.deliveryId, 1))
      expect(again).toEqual({ ...first.request.headers, Authorization: "[hidden]", "x-api-key": "[hidden]" })
      expect(yield* update({ description: "ERP" })).toMatchObject({ headers: ["Authorization", "x-api-key"] })
      expect(yield* update({ headers: null })).toMatchObject({ headers: [] })
      yield* world.run(redeliver(world.shop, id, first.deliveryId))
      yield* world.drain
      expect(Object.keys(world.outside.sent[1]?.request.headers ?? {})).not.toContain("Authorization")
    }),
  )

  it.effect(
    "MUST present its client certificate, kept sealed and shown by subject and end, until it is removed (D55)",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        const { id } = yield* world.endpoint()
        const facts = { subject: "CN=shop", endsAt: someTime + hour }
        const reader = { read: () => Effect.succeed(facts) }
        const update = (input: Parameters<typeof updateEndpoint>[2]) =>
          world.run(updateEndpoint(world.shop, id, input)).pipe(Effect.provideService(CertificateReader, reader))
        const pem = (label: string, text: string) => `-----BEGIN ${label}-----\n${text}\n-----END ${label}-----\n`
        const [certificate, key] = [pem("CERTIFICATE", "Y2VydA=="), pem("PRIVATE KEY", "c2VjcmV0")]
        const shown = { clientCertificate: { subject: "CN=shop", endsAt: format(facts.endsAt) } }
        expect(yield* update({ clientCertificate: { certificate, key } })).toMatchObject(shown)
        const audit = yield* world.run(listAudit(world.shop, { limit: 100 }))
        expect(audit.data.map(({ after }) => after?.["clientCertificate"])).toContainEqual([
          "CN=shop",
          format(facts.endsAt),
        ])
        const stored = JSON.stringify([yield* world.endpointNow({ id }), audit])
        for (const secret of ["Y2VydA==", "c2VjcmV0"]) expect(stored).not.toContain(secret)
        yield* world.order("1", ["d-1"])
        yield* world.drain
        const presented = world.outside.sent[0]?.request.clientCertificate
        expect(presented?.certificate).toBe(certificate)
        expect(presented && Redacted.value(presented.key)).toBe(key)
        expect(yield* update({ clientCertificate: null })).toMatchObject({ clientCertificate: null })
        yield* world.order("2", ["d-2"])
        yield* world.drain
        expect(world.outside.sent[1]?.request.clientCertificate).toBeUndefined()
        facts.endsAt = someTime
        const refused = { _tag: "Refused", problems: [{ path: "clientCertificate" }] }
        expect(yield* Effect.flip(update({ clientCertificate: { certificate, key } }))).toMatchObject(refused)
        for (const wrong of [
          { certificate: key, key },
          { certificate, key: certificate },
          { certificate, key: "" },
        ]) {
          expect(yield* Effect.flip(update({ clientCertificate: wrong }))).toMatchObject({ _tag: "InvalidInput" })
        }
        const without = world.run(updateEndpoint(world.shop, id, { clientCertificate: { certificate, key } }))
        expect(yield* Effect.flip(without)).toMatchObject(refused)
      }),
  )

  it.effect("MUST send the ids of objects alone, signed as sent, and the same on a redelivery (D72)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const { id, shown } = yield* world.endpoint()
      yield* world.run(updateEndpoint(world.shop, id, { payload: "reference" }))
      yield* world.order("1", ["d-1"])
      yield* world.drain
      const [first] = world.outside.sent
      if (first === undefined) throw new Error("Nothing was sent")
      expect(envelopeOf(first).data).toEqual({ design: { id: "d-1" } })
      yield* verified(first, shown)
      yield* world.run(redeliver(world.shop, id, first.deliveryId))
      yield* world.drain
      expect(world.outside.sent[1]?.request.body).toBe(first.request.body)
      yield* world.run(updateEndpoint(world.shop, id, { payload: "full" }))
      yield* world.run(redeliver(world.shop, id, first.deliveryId))
      yield* world.drain
      expect(world.outside.sent[2]?.request.body).not.toBe(first.request.body)
      expect(envelopeOf(world.outside.sent[2] ?? first).id).toBe(first.eventId)
    }),
  )
})
