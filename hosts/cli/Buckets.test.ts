/** The commands over buckets in two databases. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { freshDatabase } from "../../conformance/testkit/databases/Database.ts"
import { address, run, secrets, send, start, stop } from "../../conformance/testkit/processes/Processes.ts"
import { localReceivers } from "../../conformance/testkit/workers/Fleet.ts"
import { webhookReceiver } from "../../conformance/testkit/workers/WebhookReceiver.ts"

const token = secrets.DESIGNWIRE_MANAGE_KEY

/** The settings of a new deployment with four buckets in two databases. */
const settings = Effect.gen(function* () {
  const [first, second] = [yield* freshDatabase, yield* freshDatabase]
  return {
    ...secrets,
    ...localReceivers,
    DESIGNWIRE_BUCKETS: "4",
    DESIGNWIRE_DATABASES: `first=${first},second=${second}`,
  }
})

/** Two databases behind a pooler. */
const pooled = {
  DESIGNWIRE_BUCKETS: "8",
  DESIGNWIRE_DATABASES: "first=postgres://a/b,second=postgres://a/c",
  DESIGNWIRE_DATABASE_POOLER: "transaction",
}

/** Shops in several buckets. */
const shops = ["acme", "zoe", "bolt", "cask", "dune", "elm"]

it.live("migrate, serve and worker MUST work over buckets in two databases", () =>
  Effect.gen(function* () {
    const environment = yield* settings
    expect(yield* run(["serve"], environment)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('has no directory of buckets. Run "designwire migrate"'),
    })
    const migrated = yield* run(["migrate"], environment)
    expect([migrated.code, migrated.stderr]).toEqual([0, ""])
    expect(migrated.stdout).toMatch(/^Migrated: 1_baseline in 4 buckets(, \d+_\w+ in 4 buckets)+\n$/)
    expect((yield* run(["migrate", "--dry-run"], environment)).stdout.trim()).toBe("")

    const receiver = yield* webhookReceiver(() => Effect.succeed(204))
    const [serving, working] = [yield* start(["serve"], environment), yield* start(["worker"], environment)]
    const base = yield* address(serving)
    yield* working.line(/ready/)
    for (const shop of shops) {
      const at = `${base}/manage/v1/shops/${shop}`
      const body = { domain: `${shop}.example.com`, currency: "EUR", imageBase: "https://images.example.com" }
      expect((yield* send("PUT", at, { token, body })).status).toBe(200)
      const made = yield* send("POST", `${at}/tokens`, { token, body: { name: "ERP" } })
      const api = (made.json() as { readonly token: string }).token
      expect((yield* send("GET", `${base}/api/v1/orders`, { token: api })).status).toBe(200)
      const hook = yield* send("POST", `${at}/webhooks`, { token, body: { url: receiver.url(`/${shop}`) } })
      expect(
        (yield* send("POST", `${at}/webhooks/${(hook.json() as { readonly id: string }).id}/test`, { token })).status,
      ).toBe(202)
    }
    yield* receiver.until(() => new Set(receiver.requests.map(({ path }) => path)).size === shops.length)
    const listed = yield* send("GET", `${base}/manage/v1/shops`, { token })
    expect(JSON.stringify(listed.json())).toContain('"elm"')
    expect((yield* send("GET", `${base}/readyz`)).status).toBe(200)
    const { text: metrics } = yield* send("GET", `${base}/metrics`, { token })
    for (const database of ["first", "second"])
      expect(metrics).toContain(`designwire_database_connections_max{database="${database}"} 7`)
    expect(metrics).toMatch(/^designwire_endpoints{state="active"} 6$/m)

    const doctor = yield* run(["doctor"], environment)
    expect([doctor.code, doctor.stdout]).toEqual([
      0,
      expect.stringMatching(/database first: answers[\s\S]*database second: answers[\s\S]*schema: current/),
    ])
    expect(doctor.stdout).toContain("keys: open all 6 signing secrets")
    for (const process of [serving, working]) {
      const ended = yield* stop(process)
      expect([ended.code, ended.stdout]).toEqual([0, expect.not.stringMatching(/WARN|ERROR/)])
    }
  }),
)

it.live("settings of buckets that don't fit together MUST be refused with a sentence for each", () =>
  Effect.gen(function* () {
    for (const [fields, sentence] of [
      [{ DESIGNWIRE_BUCKETS: "0" }, "DESIGNWIRE_BUCKETS: must be an integer from 1 to 4096"],
      [{ DESIGNWIRE_BUCKETS: "8" }, "DESIGNWIRE_BUCKETS: needs a Postgres server: DESIGNWIRE_DATABASES"],
      [{ DESIGNWIRE_DATABASES: "first=postgres://a/b" }, "DESIGNWIRE_BUCKETS: is needed with DESIGNWIRE_DATABASES"],
      [{ DESIGNWIRE_DATABASES: "postgres://a/b" }, "DESIGNWIRE_DATABASES: must be databases with names"],
      [{ DESIGNWIRE_DATABASES: "a=postgres://a/b,a=postgres://a/c" }, "each name once"],
      [
        { DESIGNWIRE_BUCKETS: "8", DESIGNWIRE_DATABASES: "first=postgres://a/b", DATABASE_URL: "postgres://a/b" },
        "DATABASE_URL: leave it out",
      ],
      [
        { ...pooled, DESIGNWIRE_LISTEN_URL: "first=postgres://a/b,third=postgres://a/d" },
        "DESIGNWIRE_LISTEN_URL: names third, but the databases are first, second",
      ],
      [
        { ...pooled, DESIGNWIRE_LISTEN_URL: "postgres://a/b" },
        "DESIGNWIRE_LISTEN_URL: lacks the database second: second=postgres://…",
      ],
    ] as const) {
      const { code, stderr } = yield* run(["migrate"], { ...secrets, ...fields })
      expect([fields, code, stderr]).toEqual([fields, 1, expect.stringContaining(sentence)])
    }
  }),
)
