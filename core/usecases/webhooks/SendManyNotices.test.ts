import { expect, it } from "@effect/vitest"
import { Context, Effect } from "effect"
import { someTime } from "../../../conformance/suites/storage/support/Fixtures.ts"
import { responseOf } from "../../../conformance/testkit/workers/Outside.ts"
import { makeWorld } from "../../../conformance/testkit/workers/TestWorker.ts"
import { failTimes, second, waits } from "../../../conformance/testkit/workers/WorkerSteps.ts"
import { NoticeStore } from "../../ports/NoticeStore.ts"
import { Notices } from "../../ports/Notices.ts"
import { sendDueNotices } from "./SendNotices.ts"

it.effect("MUST send all due notices, even more than one claim has, and none at the deadline (D42)", () =>
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
    const due = (yield* Effect.forEach(worlds, ({ shop }) => store.list(shop, 100, Number.MAX_SAFE_INTEGER))).flat()
    expect(due).toHaveLength(20)
    const sent: Array<string> = []
    const send = (deadline: number) =>
      first
        .run(sendDueNotices({ schedule: waits, lease: 30 * second }, deadline))
        .pipe(Effect.provideService(Notices, { send: ({ id }) => Effect.sync(() => void sent.push(id)) }))
    yield* send(someTime)
    expect(sent).toEqual([])
    yield* send(someTime + 1)
    expect(sent.toSorted()).toEqual(due.map(({ id }) => id).toSorted())
  }),
)
