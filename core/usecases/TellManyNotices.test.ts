import { expect, it } from "@effect/vitest"
import { Context, Effect } from "effect"
import { someTime } from "../../conformance/storage/Fixtures.ts"
import { responseOf } from "../../conformance/worlds/Outside.ts"
import { makeWorld } from "../../conformance/worlds/TestWorker.ts"
import { failTimes, second, waits } from "../../conformance/worlds/WorkerSteps.ts"
import { NoticeStore } from "../ports/NoticeStore.ts"
import { Notices } from "../ports/Notices.ts"
import { tellDueNotices } from "./TellNotices.ts"

it.effect("MUST tell all notices that are due, more than are claimed at once, and none at the deadline (D42)", () =>
  Effect.gen(function* () {
    const first = yield* makeWorld()
    const worlds = [first, yield* makeWorld({ ports: first.ports })]
    for (const world of worlds) {
      world.outside.respond = () => Effect.succeed(responseOf(500))
      for (let endpoint = 0; endpoint < 5; endpoint++) yield* world.endpoint()
    }
    // Each endpoint has failed ten times in a row, and is switched off.
    for (const world of worlds) yield* failTimes(world, 20, "a")
    const store = Context.get(first.ports, NoticeStore)
    const due = (yield* Effect.forEach(worlds, ({ shop }) => store.list(shop, 100))).flat()
    expect(due).toHaveLength(20)
    const told: Array<string> = []
    const tell = (deadline: number) =>
      first
        .run(tellDueNotices({ schedule: waits, lease: 30 * second }, deadline))
        .pipe(Effect.provideService(Notices, { tell: ({ id }) => Effect.sync(() => void told.push(id)) }))
    yield* tell(someTime)
    expect(told).toEqual([])
    yield* tell(someTime + 1)
    expect(told.toSorted()).toEqual(due.map(({ id }) => id).toSorted())
  }),
)
