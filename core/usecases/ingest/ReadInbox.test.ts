/** The inbox as people see it (D57, D59). */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { shopifyEvent } from "../../../conformance/testkit/hosts/PlatformEvents.ts"
import { makeWorld, type World } from "../../../conformance/testkit/workers/TestWorker.ts"
import { Inbox } from "../../ports/Inbox.ts"
import { StorageError } from "../../ports/StorageError.ts"
import { listAudit } from "../audit/ReadAudit.ts"
import { tryEvent } from "./ApplyEvent.ts"
import { findInbox, listInbox, readInboxEvent } from "./ReadInbox.ts"
import { receiveEvent } from "./ReceiveEvent.ts"

const receive = (world: World, ...event: Parameters<typeof shopifyEvent>) =>
  Effect.flatMap(world.run(receiveEvent(world.shop, shopifyEvent(...event))), (kept) =>
    kept === undefined ? Effect.die("not kept") : Effect.succeed(kept),
  )

const triesOf = (world: World) => Effect.map(world.run(listAudit(world.shop, { subject: "inbox" })), ({ data }) => data)

describe("The inbox (D57)", () => {
  it.effect("MUST be listed newest first, by state and by page, without bodies (D57)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      yield* world.save("a")
      const applied = yield* receive(world, 1, ["a"], { eventId: "event-1" })
      const waiting = yield* receive(world, 2, ["b"])
      const failed = yield* receive(world, 3, ["a\u0007"])
      const list = (query = {}) => world.run(listInbox(world.shop, query))
      const idsOf = (query = {}) => Effect.map(list(query), ({ data }) => data.map(({ id }) => id))
      const newest = [applied, waiting, failed]
        .map(({ id }) => id)
        .toSorted()
        .toReversed()
      expect(yield* idsOf()).toEqual(newest)
      expect(yield* idsOf({ state: "failed" })).toEqual([failed.id])
      expect(yield* idsOf({ state: "waiting" })).toEqual([waiting.id])
      expect(yield* idsOf({ state: "ignored" })).toEqual([])
      const first = yield* list({ limit: 2 })
      expect(first.pagination).toEqual({ limit: 2, nextCursor: newest[1] })
      const second = yield* list({ limit: "2", after: first.pagination.nextCursor })
      expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(newest)
      expect(second.pagination.nextCursor).toBeNull()
      expect((yield* list({ state: "waiting" })).data).toEqual([
        {
          id: waiting.id,
          source: "shopify",
          topic: "orders/create",
          eventId: null,
          orderId: "2",
          state: "waiting",
          reason: 'The shop has no design "b": the order is placed once it has',
          designId: "b",
          modifiedAt: expect.stringMatching(/^2026-10-05T.*\+00:00$/),
          receivedAt: expect.stringMatching(/\+00:00$/),
        },
      ])
      expect(yield* world.run(readInboxEvent(world.shop, applied.id))).toMatchObject({
        eventId: "event-1",
        state: "applied",
      })
    }),
  )

  it.effect("MUST be listed and searched by the time at which events came, to the millisecond (D57)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const kept: Array<string> = []
      const begin = Date.UTC(2026, 9, 6)
      for (const order of [1, 2, 3]) {
        yield* TestClock.setTime(begin + order - 1)
        kept.push((yield* receive(world, order, ["b"])).id)
      }
      const [first = "", second = "", third = ""] = kept
      const list = (from?: number, until?: number, after?: string) =>
        Effect.map(world.run(listInbox(world.shop, { after }, { from, until })), ({ data }) => data.map(({ id }) => id))
      expect(yield* list(begin + 1)).toEqual([third, second])
      expect(yield* list(begin + 1, begin + 2)).toEqual([second])
      expect(yield* list(-1, begin + 2, second)).toEqual([first])
      expect(yield* list(undefined, begin + 1, third)).toEqual([first])
      const found = (span: Parameters<typeof findInbox>[2]) =>
        Effect.map(
          world.run(Effect.all([findInbox(world.shop, "2", span), findInbox(world.shop, second, span)])),
          (all) => all.map((events) => events.length),
        )
      expect(yield* found({ state: "waiting", from: begin + 1, until: begin + 2 })).toEqual([1, 1])
      for (const span of [{ state: "failed" }, { until: begin + 1 }, { from: begin + 2 }] as const) {
        expect(yield* found(span)).toEqual([0, 0])
      }
    }),
  )

  it.effect("MUST be searched by the number of an order, also of one that was never taken over (D57)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      yield* world.save("a")
      const waiting = yield* receive(world, 11, ["b"], { rest: { name: "#1027" } })
      const failed = yield* receive(world, 12, ["a\u0007"], { rest: { name: "#1028" } })
      yield* receive(world, 13, ["a"], { rest: { name: "#1029" } })
      const idsOf = (text: string) =>
        Effect.map(world.run(findInbox(world.shop, text)), (found) => found.map(({ id }) => id))
      for (const text of [
        "1027",
        "#1027",
        " 1027 ",
        "11",
        "Why was order #1027 not made?",
        "https://x.example/orders/11",
      ]) {
        expect([text, yield* idsOf(text)]).toEqual([text, [waiting.id]])
      }
      expect(yield* idsOf("1028")).toEqual([failed.id])
      expect(yield* idsOf("#1029")).toHaveLength(1)
      for (const text of ["102", "#10", "%", "name"]) expect([text, yield* idsOf(text)]).toEqual([text, []])
    }),
  )

  it.effect("MUST refuse a wrong parameter with its name, and say what it does not have", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      for (const [path, query] of [
        ["state", { state: "done" }],
        ["limit", { limit: 0 }],
        ["limit", { limit: 101 }],
        ["after", { after: "aud_1" }],
        ["after", { after: "" }],
      ] as const) {
        const refused = yield* Effect.flip(world.run(listInbox(world.shop, query)))
        expect(refused).toMatchObject({ _tag: "InvalidInput", problems: [{ path }] })
      }
      for (const id of ["inb_none", "", "\0"]) {
        for (const call of [readInboxEvent, tryEvent]) {
          expect((yield* Effect.flip(world.run(call(world.shop, id))))._tag).toBe("NotFound")
          expect((yield* Effect.flip(world.run(call("nobody", id))))._tag).toBe("NotFound")
        }
      }
      expect((yield* Effect.flip(world.run(listInbox("nobody"))))._tag).toBe("NotFound")
    }),
  )
})

describe("Trying an event again (D57)", () => {
  it.effect("MUST apply it once its cause is gone, and have an entry with its state before and after (D59, D57)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const { id } = yield* receive(world, 1, ["a"])
      expect(yield* world.run(tryEvent(world.shop, id))).toMatchObject({ state: "waiting", designId: "a" })
      yield* world.save("a")
      expect(yield* world.run(tryEvent(world.shop, id))).toMatchObject({ id, state: "applied", designId: null })
      const entries = yield* triesOf(world)
      // Entries of one millisecond have no order.
      expect(entries.map(({ after, before }) => `${before?.["state"]} → ${after?.["state"]}`).toSorted()).toEqual([
        "waiting → applied",
        "waiting → waiting",
      ])
      expect(entries[0]).toMatchObject({ action: "inbox.tried", subject: { type: "inbox", id } })
      // One that is done stays as it is, and nothing is recorded.
      expect(yield* world.run(tryEvent(world.shop, id))).toMatchObject({ id, state: "applied" })
      expect(yield* triesOf(world)).toHaveLength(2)
    }),
  )

  it.effect("MUST have an entry of it if it fails again, and none if it stays as it was (D59, D57)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const { id } = yield* receive(world, 1, ["a\u0007"])
      expect(yield* world.run(tryEvent(world.shop, id))).toMatchObject({ state: "failed" })
      expect(yield* triesOf(world)).toMatchObject([{ before: { state: "failed" }, after: { state: "failed" } }])
      const inbox = yield* Inbox.pipe(Effect.provideContext(world.ports))
      const down = new StorageError({ message: "down", cause: undefined, isRetryable: true })
      const failing = Inbox.of({ ...inbox, apply: () => Effect.fail(down) })
      const error = yield* Effect.flip(world.run(Effect.provideService(tryEvent(world.shop, id), Inbox, failing)))
      expect(error).toBe(down)
      expect(yield* triesOf(world)).toHaveLength(1)
    }),
  )
})
