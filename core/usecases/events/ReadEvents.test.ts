import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeWorld } from "../../../conformance/testkit/workers/TestWorker.ts"
import { EventStore } from "../../ports/EventStore.ts"
import { PositionGone } from "../../ports/StorageError.ts"
import { listEvents } from "./ReadEvents.ts"

/** A shop with three events, and a page of them. */
const prepared = Effect.gen(function* () {
  const world = yield* makeWorld()
  yield* world.order("1", ["d-1"])
  yield* world.cancel("1")
  const page = (input: Parameters<typeof listEvents>[1], shop = world.shop) => world.run(listEvents(shop, input))
  return { ...world, page }
})

describe("listEvents (D39)", () => {
  it.effect("MUST return the events as they are delivered, oldest first, page by page", () =>
    Effect.gen(function* () {
      const { events, page } = yield* prepared
      const first = yield* page({ limit: 2 })
      const bodies = events.map(({ body }) => JSON.parse(body) as unknown)
      expect(JSON.parse(first.page.text)).toEqual({
        data: bodies.slice(0, 2),
        pagination: { limit: 2, nextCursor: first.nextCursor, hasMore: true },
      })
      expect(first.hasMore).toBe(true)
      const second = yield* page({ limit: 2, after: first.nextCursor })
      expect(second.page.value.data).toEqual(bodies.slice(2))
      expect(second.hasMore).toBe(false)
      expect(first.page.etag).not.toBe(second.page.etag)
      expect((yield* page({ types: "order.cancelled" })).page.value.data).toEqual(bodies.slice(2))
    }),
  )

  it.effect("MUST begin after `latest` with the next event", () =>
    Effect.gen(function* () {
      const { events, order, page } = yield* prepared
      const { nextCursor, page: empty } = yield* page({ after: "latest" })
      expect(empty.value.data).toEqual([])
      yield* order("2", ["d-2"])
      const found = (yield* page({ after: nextCursor })).page.value.data
      expect(found).toEqual(events.slice(3).map(({ body }) => JSON.parse(body) as unknown))
    }),
  )

  it.effect("MUST refuse a cursor that was altered or belongs to another shop, and name the parameter", () =>
    Effect.gen(function* () {
      const { page } = yield* prepared
      const { nextCursor } = yield* page({ limit: 1 })
      const turned = (at: number) =>
        nextCursor.slice(0, at) + (nextCursor[at] === "A" ? "B" : "A") + nextCursor.slice(at + 1)
      for (const after of ["no", `${nextCursor}A`, ...[0, 1, 3, 20, nextCursor.length - 1].map(turned)]) {
        const refused = yield* Effect.flip(page({ after }))
        expect(refused).toMatchObject({ _tag: "InvalidInput", problems: [{ path: "after" }] })
      }
      expect((yield* Effect.flip(page({ after: nextCursor }, "other")))._tag).toBe("InvalidInput")
    }),
  )

  it.effect.each(["dropped", "ahead"] as const)("MUST say how to continue if the position is gone: %s", (reason) =>
    Effect.gen(function* () {
      const { page, ports, shop } = yield* prepared
      const { nextCursor } = yield* page({})
      const gone = EventStore.of({
        ...(yield* Effect.provideContext(EventStore, ports)),
        feed: () => Effect.fail(new PositionGone({ reason })),
      })
      const { run } = yield* makeWorld({ ports })
      const refused = yield* Effect.flip(
        run(Effect.provideService(listEvents(shop, { after: nextCursor }), EventStore, gone)),
      )
      expect(refused).toMatchObject({
        _tag: "Gone",
        message: expect.stringContaining(reason === "dropped" ? "no longer kept" : "restored from a backup"),
      })
    }),
  )
})
