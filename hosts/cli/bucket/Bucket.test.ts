/** `designwire bucket` over two databases, beside a host that serves. */
import { expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { describe } from "vitest"
import { type Bucket, hashOf } from "../../../adapters/buckets/index.ts"
import { freshDatabase } from "../../../conformance/testkit/databases/Database.ts"
import { address, run, secrets, send, start, stop } from "../../../conformance/testkit/processes/Processes.ts"
import { planOf } from "./Plan.ts"

const token = secrets.DESIGNWIRE_MANAGE_KEY

const shopBody = { domain: "a.example.com", currency: "EUR", imageBase: "https://images.example.com" }

it.live("bucket move MUST move buckets while a host serves, and list and status MUST show it", () =>
  Effect.gen(function* () {
    const [first, second] = [yield* freshDatabase, yield* freshDatabase]
    const one = { ...secrets, DESIGNWIRE_BUCKETS: "4", DESIGNWIRE_DATABASES: `first=${first}` }
    expect((yield* run(["migrate"], one)).code).toBe(0)
    const both = { ...one, DESIGNWIRE_DATABASES: `first=${first},second=${second}` }
    const bucket = (...parameters: ReadonlyArray<string>) => run(["bucket", ...parameters], both)
    const serving = yield* start(["serve"], both)
    const base = yield* address(serving)
    const shops = Array.from({ length: 12 }, (_, index) => `shop${index}`)
    const put = (shop: string) => send("PUT", `${base}/manage/v1/shops/${shop}`, { token, body: shopBody })
    for (const shop of shops) expect((yield* put(shop)).status).toBe(200)

    expect((yield* bucket("list")).stdout).toMatch(
      /^00 {2}first {2}[\d.]+ [KM]iB {2}moved 0 times\n01 {2}first[\s\S]*03 {2}first/,
    )
    const [done, answers]: [Array<string>, Set<number>] = [[], new Set()]
    const writing = yield* Effect.forkScoped(
      Effect.whileLoop({
        while: () => done.length === 0,
        body: () => Effect.forEach(shops, (shop) => Effect.map(put(shop), ({ status }) => answers.add(status))),
        step: () => undefined,
      }),
    )
    const moved = yield* bucket("move", "01", "--to", "second")
    expect([moved.code, moved.stdout]).toEqual([0, "01 is in second now\n"])
    expect(moved.stderr).toMatch(/\[#+\] 100 % {2}(\d+) of \1 tables/)
    expect(moved.stderr).toContain("print its map with `designwire bucket config --pgdog`, then RELOAD it")
    done.push("")
    yield* Fiber.join(writing)
    expect(answers).toEqual(new Set([200]))

    expect((yield* bucket("move", "01", "--to", "second")).stdout).toBe("01 is in second: there was nothing to move\n")
    expect((yield* bucket("list")).stdout).toMatch(/01 {2}second {2}.* {2}moved once\n/)
    expect((yield* bucket("move", "--rebalance")).stdout).toMatch(/^1 buckets? moves?\n0[0-3] is in second now\n$/)
    expect((yield* bucket("move", "--rebalance")).stdout).toBe("The databases have as many buckets each\n")
    expect((yield* bucket("status")).stdout).toBe("No bucket is being moved\n")
    const listed = yield* send("GET", `${base}/manage/v1/shops`, { token })
    expect((listed.json() as { readonly data: ReadonlyArray<unknown> }).data).toHaveLength(shops.length)
    const ended = yield* stop(serving)
    expect([ended.code, ended.stdout]).toEqual([0, expect.not.stringMatching(/WARN|ERROR/)])
  }),
)

it.live("bucket adopt MUST spread the shops of a deployment without buckets, and bucket move-shop MUST move one", () =>
  Effect.gen(function* () {
    const [first, second] = [yield* freshDatabase, yield* freshDatabase]
    const alone = { ...secrets, DATABASE_URL: first }
    const spread = { ...secrets, DESIGNWIRE_BUCKETS: "4", DESIGNWIRE_DATABASES: `first=${first},second=${second}` }
    const bucket = (...parameters: ReadonlyArray<string>) => run(["bucket", ...parameters], spread)
    expect((yield* bucket("adopt")).stderr).toContain("has no deployment in the schema designwire")
    expect((yield* run(["migrate"], alone)).code).toBe(0)
    const old = yield* start(["serve"], alone)
    // Shops that stay in bucket 0: to move one takes the time in which hosts learn of it.
    const shops = Array.from({ length: 40 }, (_, index) => `shop${index}`).filter((id) => hashOf(id) % 4 === 0)
    const [acme = ""] = shops
    const put = (base: string, shop: string) =>
      send("PUT", `${base}/manage/v1/shops/${shop}`, { token, body: shopBody })
    for (const shop of shops) expect((yield* put(yield* address(old), shop)).status).toBe(200)
    expect((yield* run(["migrate"], spread)).stderr).toContain('by "designwire bucket adopt"')
    yield* stop(old)

    const adopted = yield* bucket("adopt")
    expect([adopted.code, adopted.stdout]).toEqual([
      0,
      expect.stringMatching(/^The deployment has 4 buckets now\. .*with these settings\nNo shop has to move\n$/),
    ])
    expect((yield* bucket("adopt")).stdout).toBe("No shop has to move\n")
    expect((yield* run(["serve"], alone)).stderr).toContain("The shops of this database are spread over buckets")

    const serving = yield* start(["serve"], spread)
    const base = yield* address(serving)
    for (const shop of shops) expect((yield* put(base, shop)).status).toBe(200)
    const moving = yield* Effect.forkChild(bucket("move-shop", acme, "--to", "01"))
    const shown = yield* Effect.repeat(bucket("status"), { until: ({ stdout }) => stdout.startsWith(acme) })
    expect(shown.stdout).toMatch(new RegExp(`^${acme}  from 00 to 01  (copying|leaving) since \\d{4}-\\S+Z\n$`))
    const moved = yield* Fiber.join(moving)
    expect([moved.code, moved.stdout]).toEqual([0, `${acme} is in 01 now\n`])
    expect(moved.stderr).toMatch(/(\d+) of \1 rows\n/)
    expect((yield* bucket("move-shop", acme, "--to", "01")).stdout).toBe(`${acme} is in 01\n`)
    expect((yield* put(base, acme)).status).toBe(200)
    expect((yield* bucket("move-shop", "nobody", "--to", "01")).stderr).toContain("There is no shop nobody")
    expect((yield* bucket("move-shop", acme, "--to", "12")).stderr).toContain(
      "The bucket 12 does not exist: they go from 00 to 03",
    )
    expect((yield* bucket("status")).stdout).toBe("No bucket is being moved\n")
    const ended = yield* stop(serving)
    expect([ended.code, ended.stdout]).toEqual([0, expect.not.stringMatching(/WARN|ERROR/)])
  }),
)

it.live("what can't be moved or shown MUST be refused with a sentence that says what to do", () =>
  Effect.gen(function* () {
    const [first, second] = [yield* freshDatabase, yield* freshDatabase]
    const environment = { ...secrets, DESIGNWIRE_BUCKETS: "4", DESIGNWIRE_DATABASES: `first=${first},second=${second}` }
    expect((yield* run(["bucket", "list"], secrets)).stderr).toContain(
      "This deployment has no buckets: set DESIGNWIRE_BUCKETS",
    )
    expect((yield* run(["bucket", "list"], environment)).stderr).toContain('Run "designwire migrate"')
    yield* run(["migrate"], environment)
    for (const [parameters, sentence] of [
      [["move"], "Say what to move: designwire bucket move 07 --to second, or --rebalance"],
      [["move", "9", "--to", "second"], "The bucket 9 does not exist: they go from 00 to 03"],
      [["move", "01", "--to", "third"], "The database third is not known. The known ones are first, second"],
      [["move", "01", "--rebalance"], "--rebalance chooses buckets and databases itself"],
      [["config"], "Say for which pooler: --pgdog or --pgbouncer"],
    ] as const) {
      const { code, stderr } = yield* run(["bucket", ...parameters], environment)
      expect([parameters, code, stderr]).toEqual([parameters, 1, expect.stringContaining(sentence)])
    }
    const [pgdog, pgbouncer] = [
      yield* run(["bucket", "config", "--pgdog"], environment),
      yield* run(["bucket", "config", "--pgbouncer"], environment),
    ]
    expect(pgdog.stdout).toContain('[[sharded_schemas]]\ndatabase = "designwire"\nname = "designwire_01"\nshard = 1\n')
    expect(pgbouncer.stdout).toMatch(/^\[databases\]\nfirst = host=127.0.0.1 port=\d+ dbname=\w+\nsecond = host=/)
    expect(pgdog.stdout + pgbouncer.stdout).not.toMatch(/postgres:postgres|password/)
  }),
)

describe("the plan of --rebalance", () => {
  const of = (...counts: ReadonlyArray<number>): ReadonlyArray<Bucket> =>
    counts
      .flatMap((count, database) => Array.from({ length: count }, () => `d${database}`))
      .map((database, number) => ({ number, database, epoch: 0 }))

  it.each([
    [[8, 0], 4],
    [[7, 0, 0], 4],
    [[3, 3, 3], 0],
    [[4, 3], 0],
    [[3, 4], 0],
    [[9, 3, 0], 5],
  ] as const)("MUST move as few buckets as it can: %j", (counts, moves) => {
    const [buckets, databases] = [of(...counts), counts.map((_, index) => `d${index}`)]
    const plan = planOf(buckets, databases)
    const after = new Map(buckets.map(({ database, number }) => [number, database]))
    for (const [number, database] of plan) after.set(number, database)
    const sizes = databases.map((name) => [...after.values()].filter((database) => database === name).length)
    expect([plan.length, Math.max(...sizes) - Math.min(...sizes) <= 1]).toEqual([moves, true])
  })
})
