/** The hosts that deliveries are sent to (§6, D27, D34–D37). */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Option } from "effect"
import { TestClock } from "effect/testing"
import { someTime } from "../../../../conformance/suites/storage/support/Fixtures.ts"
import { attempt, makeWorld } from "../../../../conformance/testkit/workers/TestWorker.ts"
import { minute, only, second } from "../../../../conformance/testkit/workers/WorkerSteps.ts"
import { EndpointStore } from "../../../ports/EndpointStore.ts"
import { LookupFailed } from "../../../ports/HostLookup.ts"
import { parseNetworks } from "../../../rules/webhooks/PublicHost.ts"
import { updateEndpoint } from "../ManageEndpoints.ts"

describe("An address that is refused (§6, D27, D36)", () => {
  for (const [what, addresses] of [
    ["a private address", ["10.0.0.1"]],
    ["one private address among public ones", ["93.184.216.34", "2606:2800:220:1::1", "192.168.1.7"]],
    ["loopback", ["::1"]],
    ["the metadata service", ["169.254.169.254"]],
    ["a private IPv4 address as IPv6", ["::ffff:10.0.0.1"]],
    ["no address at all", []],
  ] as const) {
    it.effect(
      `MUST get nothing if its name now leads to ${what}; it is logged as address_refused, counted and retried (§6-24, D36)`,
      () =>
        Effect.gen(function* () {
          const world = yield* makeWorld()
          const endpoint = yield* world.endpoint()
          yield* world.order("1", ["d-1"])
          world.outside.lookup = () => Effect.succeed(addresses)
          expect(yield* world.drain).toEqual({ attempts: 1, succeeded: 0 })
          expect(world.outside.sent).toEqual([])
          expect(only(yield* world.log(endpoint))).toMatchObject({
            status: "pending",
            nextAttemptAt: someTime + minute,
            attempts: [attempt(1, someTime, null, "address_refused")],
          })
          expect((yield* world.endpointNow(endpoint)).consecutiveFailures).toBe(1)
          // The address is checked before every attempt.
          world.outside.lookup = () => Effect.succeed(["93.184.216.35"])
          yield* TestClock.adjust(minute)
          expect(yield* world.drain).toEqual({ attempts: 1, succeeded: 1 })
          expect(world.outside.sent[0]?.request.addresses).toEqual(["93.184.216.35"])
        }),
    )
  }

  it.effect("MUST be logged as dns if the name is not found, counted and retried (§6, D32)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoint = yield* world.endpoint()
      yield* world.order("1", ["d-1"])
      world.outside.lookup = () => Effect.fail(new LookupFailed({ message: "NXDOMAIN" }))
      expect(yield* world.drain).toEqual({ attempts: 1, succeeded: 0 })
      expect(world.outside.sent).toEqual([])
      expect(only(yield* world.log(endpoint))).toMatchObject({
        nextAttemptAt: someTime + minute,
        attempts: [attempt(1, someTime, null, "dns")],
      })
      expect((yield* world.endpointNow(endpoint)).consecutiveFailures).toBe(1)
    }),
  )

  it.effect("MUST be a timeout without a request if the name is not found within the attempt's 5 seconds (D26)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoint = yield* world.endpoint()
      yield* world.order("1", ["d-1"])
      world.outside.lookup = () => Effect.never
      const drained = yield* Effect.forkChild(world.drain)
      yield* world.claimed
      yield* TestClock.adjust(6 * second)
      yield* Fiber.join(drained)
      expect(world.outside.sent).toEqual([])
      expect(only(yield* world.log(endpoint)).attempts).toMatchObject([{ statusCode: null, error: "timeout" }])
      expect((yield* world.endpointNow(endpoint)).consecutiveFailures).toBe(1)
    }),
  )

  it.effect(
    "MUST NOT get a request if the look-up took all 5 seconds, though the worker waits a moment longer (D26)",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        const endpoint = yield* world.endpoint()
        yield* world.order("1", ["d-1"])
        world.outside.lookup = () => Effect.as(Effect.sleep(5050), ["93.184.216.34"])
        const drained = yield* Effect.forkChild(world.drain)
        yield* world.claimed
        yield* TestClock.adjust(6 * second)
        yield* Fiber.join(drained)
        expect(world.outside.sent).toEqual([])
        expect(only(yield* world.log(endpoint))).toMatchObject({
          status: "pending",
          attempts: [{ statusCode: null, error: "timeout" }],
        })
      }),
  )

  it.effect(
    "MUST give the sender the rest of the 5 seconds after the look-up, and 3 seconds to connect (§6, D26, §6-19, §8-4)",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        yield* world.endpoint()
        yield* world.order("1", ["d-1"])
        world.outside.lookup = () => Effect.as(Effect.sleep(1800), ["93.184.216.34"])
        const drained = yield* Effect.forkChild(world.drain)
        yield* world.claimed
        yield* TestClock.adjust(1800)
        const { request } = yield* world.outside.next
        expect(request).toMatchObject({ timeout: 3200, connectTimeout: 3000, responseLimit: 1024 })
        yield* Fiber.join(drained)
      }),
  )
})

describe("Exceptions to what is public (D37)", () => {
  it.effect("MUST reach allowed networks and plain http, by name and by address, if the installation allows them", () =>
    Effect.gen(function* () {
      const networks = parseNetworks("127.0.0.0/8,::1/128")
      const allowNetworks = networks._tag === "Success" ? networks.success : []
      const world = yield* makeWorld({ policy: { allowNetworks, allowHttp: true } })
      world.outside.lookup = () => Effect.succeed(["127.0.0.1", "::1"])
      yield* world.endpoint({ url: "http://localhost:3999/hook" })
      yield* world.endpoint({ url: "http://127.0.0.1:3999/hook" })
      yield* world.order("1", ["d-1"])
      expect((yield* world.drain).succeeded).toBe(2)
      expect(new Map(world.outside.sent.map(({ request }) => [request.url, request.addresses]))).toEqual(
        new Map([
          ["http://localhost:3999/hook", ["127.0.0.1", "::1"]],
          ["http://127.0.0.1:3999/hook", ["127.0.0.1"]],
        ]),
      )
    }),
  )

  it.effect("MUST end at the attempt if the policy has become stricter (D36, §6-24)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ policy: { allowNetworks: [], allowHttp: true } })
      const endpoint = yield* world.endpoint({ url: "http://93.184.216.34/hook" })
      yield* world.order("1", ["d-1"])
      const stricter = yield* world.another({ policy: { allowNetworks: [], allowHttp: false } })
      yield* stricter.drainWithin({ max: 10, deadline: Number.MAX_SAFE_INTEGER })
      expect(world.outside.sent).toEqual([])
      expect((yield* world.log(endpoint))[0]?.attempts).toMatchObject([{ error: "address_refused" }])
      // A literal address needs no look-up.
      expect(world.outside.asked).toEqual([])
    }),
  )

  it.effect("MUST send to the parsed URL, and look up its host alone, in lower case (D34)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoint = yield* world.endpoint({ url: "https://HOOKS.Example.COM:443/a/../b?x=%20y" })
      expect(endpoint.url).toBe("https://hooks.example.com/b?x=%20y")
      yield* world.run(updateEndpoint(world.shop, endpoint.id, { url: "https://BÜCHER.example.com/" }))
      yield* world.order("1", ["d-1"])
      yield* world.drain
      expect(world.outside.sent[0]?.request.url).toBe("https://xn--bcher-kva.example.com/")
      expect(world.outside.asked).toEqual([
        "hooks.example.com",
        "xn--bcher-kva.example.com",
        "xn--bcher-kva.example.com",
      ])
    }),
  )

  it.effect("MUST find only the sealed secret of the endpoint in the store (D20)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoint = yield* world.endpoint()
      const kept = yield* world.run(EndpointStore.use((endpoints) => endpoints.find(world.shop, endpoint.id)))
      expect(JSON.stringify(Option.getOrThrow(kept))).not.toContain(endpoint.shown.slice("whsec_".length))
    }),
  )
})
