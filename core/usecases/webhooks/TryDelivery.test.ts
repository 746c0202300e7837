import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { responseOf } from "../../../conformance/testkit/workers/Outside.ts"
import { makeWorld } from "../../../conformance/testkit/workers/TestWorker.ts"
import { hour, minute } from "../../../conformance/testkit/workers/WorkerSteps.ts"
import { pauseEndpoint } from "./ManageEndpoints.ts"
import { tryDelivery } from "./TryDelivery.ts"

/** A world with an endpoint that answers 500, and its delivery, which waits for its second attempt. */
const waiting = Effect.gen(function* () {
  const world = yield* makeWorld()
  const endpoint = yield* world.endpoint()
  world.outside.respond = () => Effect.succeed(responseOf(500))
  yield* world.order("o-1", ["d-1"])
  yield* world.drain
  const delivery = Effect.map(world.log(endpoint), ([first]) => first)
  const id = (yield* delivery)?.id ?? ""
  return { world, endpoint, delivery, id, tried: world.run(tryDelivery(world.shop, endpoint.id, id)) }
})

it.effect("A delivery that is tried now MUST be attempted at once, and the schedule continues after it (D25)", () =>
  Effect.gen(function* () {
    const { delivery, id, tried, world } = yield* waiting
    yield* TestClock.adjust(1000)
    const shown = yield* tried
    expect(shown).toMatchObject({ id, status: "pending", attempts: [{ number: 1 }] })
    expect(yield* world.drain).toEqual({ attempts: 1, succeeded: 0 })
    const after = yield* delivery
    expect(after?.attempts.map(({ number }) => number)).toEqual([1, 2])
    expect((after?.nextAttemptAt ?? 0) - (after?.attempts[1]?.at ?? 0)).toBe(5 * minute)
    yield* TestClock.adjust(minute)
    expect(yield* world.drain).toEqual({ attempts: 0, succeeded: 0 })
    yield* TestClock.adjust(hour)
    expect(yield* world.drain).toEqual({ attempts: 1, succeeded: 0 })
  }),
)

it.effect("A delivery MUST NOT be tried if nothing can be sent, if it is finished, or if it does not exist", () =>
  Effect.gen(function* () {
    const { endpoint, id, tried, world } = yield* waiting
    const refused = Effect.map(Effect.flip(tried), ({ _tag, message }) => [_tag, message])
    yield* world.plan("free")
    expect(yield* refused).toEqual(["PlanRequired", expect.stringContaining("Pro and Plus")])
    yield* world.plan("pro")
    yield* world.run(pauseEndpoint(world.shop, endpoint.id))
    expect(yield* refused).toEqual(["Conflict", expect.stringContaining("is paused: enable it")])
    for (const wrong of ["dlv_none", "\u0000", ""]) {
      const error = yield* Effect.flip(world.run(tryDelivery(world.shop, endpoint.id, wrong)))
      expect([wrong, error._tag]).toEqual([wrong, "NotFound"])
    }
    expect((yield* Effect.flip(world.run(tryDelivery(world.shop, "whe_none", id))))._tag).toBe("NotFound")
  }),
)

it.effect("A delivery that is finished MUST be refused with what to do instead (D29)", () =>
  Effect.gen(function* () {
    const { tried, world } = yield* waiting
    world.outside.respond = () => Effect.succeed(responseOf(200))
    yield* tried
    yield* world.drain
    expect(yield* Effect.flip(tried)).toMatchObject({
      _tag: "Conflict",
      message: expect.stringContaining("Redeliver it"),
    })
  }),
)
