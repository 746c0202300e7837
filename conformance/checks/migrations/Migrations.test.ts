/**
 * Databases of released versions, migrated to what is current.
 *
 * `released/<version>.sql` is a whole database of that version, its schema and rows; `released/<version>.json` is what
 * users hold of it and were answered. Neither is ever changed once its version is released: a test that fails here has
 * found a migration that breaks the data of users, or an edit of one that has already run.
 *
 * For a new version, say 0.3.0: set it in package.json and run `npm run migrations:release`, which fills a database by
 * Sample.ts and keeps both files; the tests below then run on it too. If 0.3.0 has a new table, or keeps something new,
 * extend Sample.ts first, so that there are rows of it.
 */
import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import pg from "pg"
import { layer, migrate } from "../../../adapters/postgres/index.ts"
import { NoticeStore } from "../../../core/ports/NoticeStore.ts"
import { shopInput } from "../../suites/service/Samples.ts"
import { freshDatabase } from "../../testkit/databases/Database.ts"
import { bodyOf, type Json, manage, newDesign, newOrder, read } from "../../testkit/hosts/TestHost.ts"
import { verified } from "../../testkit/workers/Outside.ts"
import { sampleHost } from "../openapi/SampleHost.ts"
import { catalogOf } from "./Catalog.ts"
import { rowsOf } from "./Rows.ts"
import { type Kept, upkeep } from "./Sample.ts"

const released = (name: string) => readFileSync(new URL(`./released/${name}`, import.meta.url), "utf8")

const versions = readdirSync(new URL("./released/", import.meta.url)).flatMap((file) =>
  file.endsWith(".sql") ? [file.slice(0, -4)] : [],
)

/** The URL of a database of a released version. */
const restored = Effect.fnUntraced(function* (version: string) {
  const url = yield* freshDatabase
  yield* Effect.promise(async () => {
    const client = new pg.Client(url)
    await client.connect()
    await client.query(released(`${version}.sql`))
    await client.end()
  })
  return url
})

/** Every storage port on a database, and its connections. */
const open = (url: string) => Layer.build(layer({ url: Redacted.make(url) }))

/** A list of endpoints, deliveries or orders. */
type Listed = { readonly data: ReadonlyArray<{ readonly id: string; readonly status: string; readonly url: string }> }

/** The `nextCursor` of a page. */
const cursorOf = (page: Json) => (page["pagination"] as Json)["nextCursor"]

for (const version of versions) {
  const kept = JSON.parse(released(`${version}.json`)) as Kept
  const webhooks = "/shops/acme/webhooks"
  const endpoints = (kept.manage[webhooks] as unknown as Listed).data
  const pendingOf = (endpoint: string) =>
    (kept.manage[`${webhooks}/${endpoint}/deliveries`] as unknown as Listed).data.flatMap(({ id, status }) =>
      status === "pending" ? [id] : [],
    )

  describe(`A database of version ${version}`, () => {
    it.live("MUST have rows in every table that the version has, and deliveries in every queue", () =>
      Effect.gen(function* () {
        const rows = yield* Effect.provideContext(rowsOf, yield* open(yield* restored(version)))
        expect(Object.keys(rows).length).toBeGreaterThan(15)
        expect(Object.keys(rows).filter((table) => rows[table]?.length === 0)).toEqual([])
        const queues = new Set(rows["deliveries"]?.map((row) => row["queue"]))
        expect(queues.size).toBeGreaterThan(4)
      }).pipe(Effect.scoped),
    )

    it.live("MUST be migrated to the schema of a new database", () =>
      Effect.gen(function* () {
        const schemaOf = (url: string) =>
          Effect.gen(function* () {
            yield* migrate
            expect(yield* migrate).toEqual([])
            return yield* catalogOf("designwire")
          }).pipe(Effect.provide(layer({ url: Redacted.make(url) }), { local: true }))
        expect(yield* schemaOf(yield* restored(version))).toEqual(yield* schemaOf(yield* freshDatabase))
      }).pipe(Effect.scoped),
    )

    it.live("MUST answer what it answered, deliver what is pending, signed with the same secrets, and continue", () =>
      Effect.gen(function* () {
        const ports = yield* open(yield* restored(version))
        yield* Effect.provideContext(migrate, ports)
        yield* Effect.gen(function* () {
          const { deliver, receivers, send } = yield* sampleHost({ ports, seed: 2 })
          yield* TestClock.adjust("2 days")
          for (const [path, answer] of Object.entries(kept.manage)) {
            expect(yield* bodyOf(200, yield* manage(send, "GET", path))).toMatchObject(answer)
          }
          const ask = (path: string) => Effect.flatMap(read(send, kept.token, path), (answer) => bodyOf(200, answer))
          for (const [path, answer] of Object.entries(kept.rest)) {
            const found = yield* ask(path)
            if (!path.startsWith("/events")) {
              expect(found).toEqual(answer)
              continue
            }
            // A cursor of the feed has had another form since; it leads to the same place.
            const [before, now] = [cursorOf(answer), cursorOf(found)]
            expect(found).toEqual({ ...answer, pagination: { ...(answer["pagination"] as Json), nextCursor: now } })
            expect(yield* ask(`/events?after=${before}`)).toEqual(yield* ask(`/events?after=${now}`))
          }

          /** Delivers what is due: answers the deliveries, each signed with the secret of its endpoint. */
          const delivered = Effect.fnUntraced(function* (place = 0) {
            yield* Effect.orDie(deliver)
            const sent = receivers.sent.splice(0)
            for (const one of sent) {
              const id = endpoints.find(({ url }) => url === one.request.url)?.id ?? ""
              const secrets = kept.secrets[id] ?? []
              yield* verified(one, secrets[Math.min(place, secrets.length - 1)] ?? "")
            }
            return sent.map(({ deliveryId }) => deliveryId).toSorted()
          })
          const [off, on] = ["switched_off", "active"].map((status) =>
            endpoints.filter((endpoint) => endpoint.status === status).map(({ id }) => id),
          )
          expect(yield* delivered()).toEqual((on ?? []).flatMap(pendingOf).toSorted())
          for (const id of off ?? []) {
            expect(pendingOf(id)).not.toEqual([])
            yield* bodyOf(200, yield* manage(send, "POST", `${webhooks}/${id}/enable`))
            expect(yield* delivered()).toEqual(pendingOf(id))
          }
          for (const [id, secrets] of Object.entries(kept.secrets)) {
            if (secrets.length > 1) yield* manage(send, "POST", `${webhooks}/${id}/secret/promote`)
          }
          const { claim, list } = Context.get(ports, NoticeStore)
          const now = Date.parse("2030-01-01T00:00:00Z")
          const notices = yield* list("acme", 100, now)
          const claims = yield* claim({ now, leaseUntil: now + 1_000, limit: 100, token: "here" })
          expect(claims.map(({ notice }) => notice.id).toSorted()).toEqual(notices.map(({ id }) => id).toSorted())

          const shop = { id: "acme", token: kept.token, tokenId: "" }
          yield* newDesign(send, shop, "new")
          yield* newOrder(send, shop, "2001", ["new", "draft"])
          expect((yield* delivered(1)).length).toBeGreaterThan(endpoints.length)
          const { pagination } = yield* bodyOf(200, yield* read(send, kept.token, "/orders?limit=1"))
          expect(pagination).toMatchObject({ total: (kept.rest["/orders"] as unknown as Listed).data.length + 1 })
          yield* upkeep(ports)
          yield* bodyOf(200, yield* manage(send, "PUT", "/shops/gone", shopInput))
        }).pipe(Effect.provide(TestClock.layer()))
      }).pipe(Effect.scoped),
    )
  })
}
