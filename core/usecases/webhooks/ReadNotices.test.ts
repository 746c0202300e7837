import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { responseOf } from "../../../conformance/testkit/workers/Outside.ts"
import { makeWorld } from "../../../conformance/testkit/workers/TestWorker.ts"
import { failTimes } from "../../../conformance/testkit/workers/WorkerSteps.ts"
import { readNotices } from "./ReadNotices.ts"

describe("The notices of a shop (D42)", () => {
  it.effect("MUST be the shop's newest, newest first, up to the requested number", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const { id } = yield* world.endpoint()
      world.outside.respond = () => Effect.succeed(responseOf(500))
      yield* failTimes(world, 20, "a")
      const all = yield* world.run(readNotices(world.shop, 100))
      expect(all.toSorted((one, other) => one.notice.localeCompare(other.notice))).toMatchObject([
        { notice: "endpoint.failing", shop: world.shop, endpoint: { id } },
        { notice: "endpoint.switched_off", shop: world.shop, endpoint: { id } },
      ])
      expect(yield* world.run(readNotices(world.shop, 1))).toEqual(all.slice(0, 1))
      const other = yield* makeWorld({ ports: world.ports })
      expect(yield* other.run(readNotices(other.shop, 100))).toEqual([])
      expect((yield* Effect.flip(world.run(readNotices("nobodys", 1))))._tag).toBe("NotFound")
    }),
  )
})
