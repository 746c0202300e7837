/** Refused moves, and refused writes of hosts whose map is outdated. */
import { expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { newShop } from "../../conformance/suites/storage/support/Fixtures.ts"
import { happen } from "../../conformance/suites/storage/support/Webhooks.ts"
import { startPostgres } from "../../conformance/testkit/databases/EmbeddedPostgres.ts"
import { endedMoves } from "../../conformance/testkit/databases/EndedMoves.ts"
import {
  newDeployment,
  replicatingServer,
  schema,
  type TestDeployment,
} from "../../conformance/testkit/databases/MovingBuckets.ts"
import { causeCodeOf } from "../sql/statements/Reason.ts"
import { leftovers, move, obstaclesAtSource, obstaclesAtTarget, status } from "./Move.ts"
import { rightToSubscribe } from "./move/RightToSubscribe.ts"

const server = replicatingServer()

const { endedBefore, refused } = endedMoves(move)

/** The SQLSTATE with which a database refuses an event. */
const codeOfWriting = ({ at }: TestDeployment, name: "first" | "second", shop: string) =>
  Effect.map(Effect.flip(at(name)(happen(shop))), causeCodeOf)

it.live("a bucket MUST NOT move from a server without logical replication", () =>
  Effect.gen(function* () {
    const plain = yield* Effect.acquireRelease(
      Effect.promise(() => startPostgres(["wal_level=replica"])),
      ({ stop }) => Effect.promise(stop),
    )
    const { first, options, remains, second, whereabouts } = yield* newDeployment(plain.url)
    expect(yield* refused(options("second"))).toBe(
      "The server of first has wal_level = replica. Set wal_level = logical, and restart it",
    )
    expect(yield* obstaclesAtSource({ name: "second", sql: second.sql })).toEqual([
      "The server of second has wal_level = replica. Set wal_level = logical, and restart it",
    ])
    expect(yield* obstaclesAtTarget({ name: "first", sql: first.sql })).toEqual([])
    expect(yield* whereabouts).toEqual({ database: "first", epoch: 0, phase: null })
    expect(yield* remains("second")).toEqual([])
  }).pipe(Effect.scoped),
)

it.live("a user without the rights to replicate MUST learn which to ask for", () =>
  Effect.gen(function* () {
    const { first } = yield* newDeployment(server.url())
    const limited = yield* newDeployment(server.url(), { role: yield* plainRole(first.sql) })
    const { sql } = limited.first
    expect(yield* obstaclesAtSource({ name: "first", sql })).toEqual([
      "The user plain may not replicate from first. Let a superuser run: ALTER ROLE plain REPLICATION",
    ])
    expect(yield* obstaclesAtTarget({ name: "first", sql })).toEqual([
      "The user plain may not subscribe in first. Let a superuser run: GRANT pg_create_subscription TO plain",
    ])
  }).pipe(Effect.scoped),
)

it("a user who may not subscribe MUST NOT be sent for a role that the server's version lacks", () => {
  expect(rightToSubscribe(160_000, "plain")).toBe("Let a superuser run: GRANT pg_create_subscription TO plain")
  expect(rightToSubscribe(150_018, "plain")).toBe(
    "Before Postgres 16 only superusers may. " +
      "Let one run: ALTER ROLE plain SUPERUSER, and ALTER ROLE plain NOSUPERUSER after the moves",
  )
})

const plainRole = (sql: TestDeployment["first"]["sql"]) =>
  Effect.as(sql.unsafe("CREATE ROLE plain LOGIN PASSWORD 'plain'"), { name: "plain", password: "plain" })

it.live("unknown buckets and databases, foreign schemas and wrong URLs MUST be refused", () =>
  Effect.gen(function* () {
    const { first, options, second, whereabouts } = yield* newDeployment(server.url())
    expect(yield* refused(options("third"))).toBe("The database third is not known. The known ones are first, second")
    expect(yield* refused({ ...options("second"), bucket: 7 })).toBe(
      "Bucket 7 does not exist: the deployment has 2, and the first is 0",
    )
    expect(yield* move(options("first"))).toEqual({ database: "first", epoch: 0, moved: false })

    yield* second.sql.unsafe(`CREATE SCHEMA ${schema}`)
    expect(yield* refused(options("second"))).toBe(
      `The database second has a schema ${schema} that is not a copy made by a move. ` +
        "Look at what is in it, and drop or rename it",
    )
    yield* second.sql.unsafe(`DROP SCHEMA ${schema}`)
    expect((yield* whereabouts).phase).toBe(null)

    const secret = Redacted.make(Redacted.value(first.url).replace(":postgres@", ":not-this-one@"))
    const wrong = { ...options("second"), databases: { first: { ...first, url: secret }, second } }
    const message = yield* refused(wrong)
    expect(message).toContain("The server of second can't connect to first by the URL of first")
    expect(message).not.toContain("not-this-one")
    // With the right one it goes on.
    expect(yield* move(options("second"))).toMatchObject({ moved: true })
  }).pipe(Effect.scoped),
)

it.live("two commands MUST NOT move a bucket at the same time", () =>
  Effect.gen(function* () {
    const { options } = yield* newDeployment(server.url())
    const seen: Array<string> = []
    yield* move({
      ...options("second"),
      onStep: Effect.fnUntraced(function* () {
        if (seen.length === 0) seen.push(yield* Effect.orDie(refused(options("second"))))
      }),
    })
    expect(seen).toEqual([`Another command is moving ${schema} at this moment. Wait until it ends`])
  }).pipe(Effect.scoped),
)

it.live("a bucket that is on its way MUST NOT move to a third database", () =>
  Effect.gen(function* () {
    const { first, options, second } = yield* newDeployment(server.url())
    yield* endedBefore(options("second"), "subscribe")
    expect(yield* refused({ ...options("third"), databases: { first, second, third: second } })).toBe(
      "Bucket 1 is moving from first to second. " +
        "Complete that by --to second, or undo it by --to first, before it moves to third",
    )
    expect(yield* status(options("second"))).toMatchObject([
      { bucket: 1, source: "first", target: "second", phase: "copying", isClosed: false, progress: undefined },
    ])
    yield* move(options("first"))
    expect(yield* status(options("second"))).toEqual([])
  }).pipe(Effect.scoped),
)

it.live("hosts whose map is outdated MUST be refused with the code of a missing table", () =>
  Effect.gen(function* () {
    const deployment = yield* newDeployment(server.url())
    const { at, options } = deployment
    const shop = yield* at("first")(newShop)
    yield* endedBefore(options("second"), "announce")
    expect(yield* codeOfWriting(deployment, "second", shop)).toBe("42P01")
    yield* at("first")(happen(shop))
    // Killed: the source stays closed.
    yield* endedBefore(options("second"), "drain")
    expect(yield* codeOfWriting(deployment, "second", shop)).toBe("42P01")
    expect(["42P01", "3F000"]).toContain(yield* codeOfWriting(deployment, "first", shop))
    expect(yield* status(options("second"))).toMatchObject([{ phase: "switching", isClosed: true }])
    yield* endedBefore(options("second"), "drop the closed schema")
    expect(["42P01", "3F000"]).toContain(yield* codeOfWriting(deployment, "first", shop))
    yield* at("second")(happen(shop))
    expect(yield* leftovers(options("second"))).toEqual([{ database: "first", schema: `${schema}_closed` }])
    yield* move(options("second"))
    expect(yield* leftovers(options("second"))).toEqual([])
    expect(["42P01", "3F000"]).toContain(yield* codeOfWriting(deployment, "first", shop))
  }).pipe(Effect.scoped),
)

it.live("a bucket that is migrated while it is copied MUST be copied again", () =>
  Effect.gen(function* () {
    const { at, first, options } = yield* newDeployment(server.url())
    const shop = yield* at("first")(newShop)
    // Stands for another migration.
    const migrated = (name: string) =>
      Effect.orDie(first.sql.unsafe(`UPDATE ${schema}.migrations SET name = '${name}' WHERE migration_id = 1`))
    yield* endedBefore(options("second"), "announce")
    yield* migrated("other")
    yield* endedBefore(options("second"), "make the tables")
    yield* migrated("baseline")
    const message = yield* refused({
      ...options("second"),
      onStep: (step) => (step === "close" ? Effect.asVoid(migrated("other")) : Effect.void),
    })
    expect(message).toBe(
      `${schema} was migrated while it was copied. Run the command again, which copies it from the beginning`,
    )
    yield* at("first")(happen(shop))
    yield* migrated("baseline")
    expect(yield* move(options("second"))).toMatchObject({ moved: true })
  }).pipe(Effect.scoped),
)
