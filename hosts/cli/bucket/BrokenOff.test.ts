/** `designwire bucket move-shop` whose target's server is killed. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { hashOf } from "../../../adapters/buckets/index.ts"
import { freshDatabase } from "../../../conformance/testkit/databases/Database.ts"
import { startPostgres } from "../../../conformance/testkit/databases/EmbeddedPostgres.ts"
import { freshDatabaseOn } from "../../../conformance/testkit/databases/FreshDatabase.ts"
import { address, run, secrets, send, start, stop } from "../../../conformance/testkit/processes/Processes.ts"

it.live("a move whose server is killed MUST say what to do, and the same command MUST complete it", () =>
  Effect.gen(function* () {
    const server = yield* Effect.acquireRelease(
      Effect.promise(() => startPostgres(["synchronous_commit=on"])),
      ({ stop }) => Effect.promise(stop),
    )
    const [first, second] = [yield* freshDatabase, yield* freshDatabaseOn(server.url)]
    const environment = { ...secrets, DESIGNWIRE_BUCKETS: "2", DESIGNWIRE_DATABASES: `first=${first},second=${second}` }
    expect((yield* run(["migrate"], environment)).code).toBe(0)
    // A shop of bucket 0, which is in the first database.
    const shop = ["acme", "bolt", "cask", "dune", "elm", "fir"].find((id) => hashOf(id) % 2 === 0) ?? ""
    const serving = yield* start(["serve"], environment)
    const at = `${yield* address(serving)}/manage/v1/shops/${shop}`
    const token = secrets.DESIGNWIRE_MANAGE_KEY
    const body = { domain: "a.example.com", currency: "EUR", imageBase: "https://images.example.com" }
    expect((yield* send("PUT", at, { token, body })).status).toBe(200)

    const move = ["bucket", "move-shop", shop, "--to", "01"]
    const moving = yield* start(move, environment)
    yield* Effect.repeat(
      Effect.delay(
        Effect.sync(() => moving.printed()),
        "20 millis",
      ),
      { until: (printed) => /\d+ of \d+ rows/.test(printed) },
    )
    yield* Effect.promise(server.kill)
    const broken = yield* moving.ended
    expect([broken.code, broken.stderr]).toEqual([
      1,
      expect.stringMatching(
        /Broken off, because a database failed: .+\. Nothing is lost\. Once every database answers, /,
      ),
    ])
    expect(broken.stderr).toContain("run the command again, which goes on, or with --to its old bucket to undo it")
    // The shop has not moved.
    expect((yield* send("GET", at, { token })).status).toBe(200)
    yield* Effect.promise(server.restart)
    expect(yield* run(move, environment)).toMatchObject({ code: 0, stdout: `${shop} is in 01 now\n` })
    expect((yield* send("GET", at, { token })).status).toBe(200)
    expect((yield* stop(serving)).code).toBe(0)
  }),
)
