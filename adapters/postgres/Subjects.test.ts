import { expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { newShop } from "../../conformance/suites/storage/support/Fixtures.ts"
import { happen, prune, theHost } from "../../conformance/suites/storage/support/Webhooks.ts"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { noSubject } from "../../core/model/events/Event.ts"
import { layer } from "./index.ts"

const bodyOf = (data: object) => JSON.stringify({ id: "evt_1", data })

/** Bodies as events have them, and what each is about. */
const stored = [
  {
    body: bodyOf({ design: { id: "a'\"\\ü", order: { id: "1001" } } }),
    subject: { order: "1001", design: "a'\"\\ü" },
  },
  { body: bodyOf({ design: { id: "b", order: null } }), subject: { order: null, design: "b" } },
  {
    body: bodyOf({ order: { id: "1001", designs: [{ id: "c", order: { id: "1001" } }] } }),
    subject: { order: "1001", design: null },
  },
  { body: bodyOf({ message: '{"design":{"id":"d"}} \u0000 \ud800' }), subject: noSubject },
]

it.live("upkeep MUST read what the events of earlier versions are about from their bodies, in steps, once", () =>
  Effect.gen(function* () {
    const url = yield* migratedDatabase
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const host = yield* theHost
      const shop = yield* newShop
      const ids: Array<string> = []
      for (const { body } of stored) ids.push((yield* happen(shop, [0], { body }))[0].id)
      const [newer] = yield* happen(shop, [1], { body: stored[0]?.body ?? "", subject: { order: "2", design: "z" } })
      yield* sql`UPDATE designwire.events SET order_id = NULL, design_id = NULL WHERE id IN ${sql.in(ids)}`
      const subjectOf = (event: string) =>
        Effect.map(host.events.find({ shop, about: { event }, limit: 1 }), ([found]) => found?.subject)
      for (const id of ids) expect(yield* subjectOf(id)).toEqual(noSubject)
      yield* prune([host], { keep: 50, eventsBefore: 0, limit: 3 })
      for (const [index, id] of ids.entries()) expect(yield* subjectOf(id)).toEqual(stored[index]?.subject)
      expect(yield* subjectOf(newer.id)).toEqual({ order: "2", design: "z" })
      const found = yield* host.events.find({ shop, about: { order: "1001" }, limit: 10 })
      expect(found.map(({ id }) => id).toSorted()).toEqual([ids[0], ids[2]].toSorted())
      const left = yield* sql`SELECT id FROM designwire.events WHERE order_id IS NULL`
      expect(left).toEqual([])
    }).pipe(Effect.provide(layer({ url: Redacted.make(url) }), { local: true }))
  }).pipe(Effect.scoped),
)
