import { existsSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { connectProxy } from "../../conformance/suites/sender/ConnectProxy.ts"
import { freePort } from "../../conformance/suites/sender/Receiver.ts"
import { freshDatabase, migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { noPgBouncer, pgBouncer } from "../../conformance/testkit/databases/PgBouncer.ts"
import { runHere } from "../../conformance/testkit/processes/InProcess.ts"
import {
  type Ended,
  run,
  secrets,
  temporaryDirectory,
  usedDataDirectory,
} from "../../conformance/testkit/processes/Processes.ts"
import { host, localReceivers, newEndpoint, newShop } from "../../conformance/testkit/workers/Fleet.ts"
import { webhookReceiver } from "../../conformance/testkit/workers/WebhookReceiver.ts"
import { doctor } from "./Doctor.ts"

type Examining = (environment: Readonly<Record<string, string>>) => Effect.Effect<Omit<Ended, "signal">>

const asProcess: Examining = (environment) => run(["doctor"], environment)
const here: Examining = (environment) => runHere(doctor(), environment)

/**
 * The doctor's verdict and sentence for each thing, except the machine's name servers, which the test does not control.
 */
const examine = Effect.fnUntraced(function* (
  environment: Readonly<Record<string, string>>,
  examined: Examining = here,
) {
  const { code, stderr, stdout } = yield* examined(environment)
  const all = stdout
    .trimEnd()
    .split("\n")
    .map((line) => /^(ok|note|WRONG)\t([^:]+): (.+)$/.exec(line) ?? [])
  const wrongOf = (lines: typeof all) => lines.flatMap(([, verdict, what]) => (verdict === "WRONG" ? [what] : []))
  expect([code, /Not as it should be: (.*)/.exec(stderr)?.[1]]).toEqual(
    wrongOf(all).length > 0 ? [1, wrongOf(all).join(", ")] : [0, undefined],
  )
  const lines = all.filter(([, , what]) => what !== "name server")
  const wrong = wrongOf(lines)
  expect(stdout + stderr).not.toMatch(/postgres:postgres@|a-manage-key-for-tests|s3cretword/)
  return { wrong, said: Object.fromEntries(lines.map(([, , what, sentence]) => [what, sentence])) }
})

it.live("doctor MUST find no fault with a working host, and print the state of each part", () =>
  Effect.gen(function* () {
    const receiver = yield* webhookReceiver(() => Effect.succeed(204))
    const url = yield* migratedDatabase
    yield* Effect.gen(function* () {
      yield* newEndpoint(yield* newShop, receiver, "/hook")
    }).pipe(Effect.provide(host(url)))
    const configured = {
      ...secrets,
      DATABASE_URL: url,
      DESIGNWIRE_ALLOW_NETWORKS: "10.0.0.0/8",
      DESIGNWIRE_DENY_NETWORKS: "8.8.8.0/24",
      DESIGNWIRE_PUBLIC_URL: "https://{shop}.designs.example.com",
    }
    const { said, wrong } = yield* examine(configured, asProcess)
    expect(wrong).toEqual([])
    expect(said).toEqual({
      address: "https://{shop}.designs.example.com, which has the id of a shop at {shop}",
      configuration: "can be used",
      database: "answers",
      clock: "as the database's",
      schema: "current",
      keys: "open all 1 signing secrets",
      endpoints: expect.stringMatching(/^1 of 1 can't be reached with this configuration, such as \S+ of \S+: .*http/),
      LISTEN: "heard",
      webhooks:
        "go to public hosts over https; also to 10.0.0.0/8 (DESIGNWIRE_ALLOW_NETWORKS); " +
        "never to 8.8.8.0/24 (DESIGNWIRE_DENY_NETWORKS)",
      connections:
        "at most 512 of one address (DESIGNWIRE_CONNECTIONS_PER_ADDRESS); " +
        "behind a proxy, name its network in DESIGNWIRE_PROXY_NETWORKS",
    })

    const other = { ...secrets, DATABASE_URL: url, DESIGNWIRE_ENCRYPTION_KEYS: Buffer.alloc(32, 9).toString("base64") }
    const elsewhere = {
      ...other,
      ...localReceivers,
      DESIGNWIRE_LISTEN_URL: yield* freshDatabase,
      DESIGNWIRE_CONNECTIONS_PER_ADDRESS: "40",
      DESIGNWIRE_PROXY_NETWORKS: "10.0.0.0/8",
    }
    const wrongKey = yield* examine(elsewhere, asProcess)
    expect(wrongKey.said["connections"]).toBe(
      "at most 40 of one address (DESIGNWIRE_CONNECTIONS_PER_ADDRESS); any number of 10.0.0.0/8 (DESIGNWIRE_PROXY_NETWORKS)",
    )
    expect(wrongKey.wrong).toEqual(["keys", "LISTEN"])
    expect(Object.keys(wrongKey.said)).not.toContain("endpoints")
    expect(wrongKey.said["keys"]).toContain("opens 1 of 1 signing secrets")
    expect(wrongKey.said["LISTEN"]).toContain("DESIGNWIRE_LISTEN_URL must lead to the same database")
  }),
)

it.live("doctor MUST name what is wrong with the database", () =>
  Effect.gen(function* () {
    const url = yield* freshDatabase
    const empty = yield* examine({ ...secrets, DATABASE_URL: url })
    expect(empty.wrong).toEqual(["schema"])
    expect(empty.said["schema"]).toContain('Run "designwire migrate"')
    const nowhere = yield* examine({ ...secrets, DATABASE_URL: "postgres://me:s3cretword@127.0.0.1:1/x" })
    expect(nowhere.wrong).toEqual(["database"])
    expect(nowhere.said["database"]).toContain("ECONNREFUSED 127.0.0.1:1")
  }),
)

it.live("doctor MUST change nothing, and check an embedded database if there is one", () =>
  Effect.gen(function* () {
    const missing = join(yield* temporaryDirectory, "data")
    const none = yield* examine({ DESIGNWIRE_DATA_DIR: missing })
    expect([none.wrong, existsSync(missing)]).toEqual([[], false])
    expect(none.said["database"]).toBe(`embedded; the first start makes it in ${missing}`)
    const directory = yield* usedDataDirectory
    const key = join(directory, "encryption-key")
    // Processes compile the embedded database for short runs.
    const there = yield* examine({ DESIGNWIRE_DATA_DIR: directory }, asProcess)
    expect([there.wrong, existsSync(key)]).toEqual([[], false])
    expect(there.said).toMatchObject({
      database: "embedded",
      schema: "current",
      keys: `the first start keeps a new one in ${key}`,
    })
    const sealed = yield* examine({ ...secrets, DESIGNWIRE_DATA_DIR: directory }, asProcess)
    expect(sealed.said["keys"]).toBe("open all 0 signing secrets")
  }),
)

it.live("doctor MUST try the webhook proxy, say what is wrong with it, and never print its password", () =>
  Effect.gen(function* () {
    const directory = join(yield* temporaryDirectory, "data")
    const through = (port: number) =>
      examine({ DESIGNWIRE_DATA_DIR: directory, DESIGNWIRE_WEBHOOK_PROXY: `http://me:s3cretword@127.0.0.1:${port}` })
    const saying = (status: string) => connectProxy({ answer: (socket) => socket.write(`HTTP/1.1 ${status}\r\n\r\n`) })
    const working = yield* saying("200 OK")
    const fine = yield* through(working.port)
    expect([fine.wrong, fine.said["webhook proxy"]]).toEqual([[], "connects to a public host"])
    expect(working.requests.map(({ line }) => line)).toEqual([
      expect.stringMatching(/^CONNECT [0-9.]+:443 HTTP\/1\.1$/),
    ])
    const shut = yield* through((yield* saying("503 No")).port)
    expect([shut.wrong, shut.said["webhook proxy"]]).toEqual([[], expect.stringMatching(/can't connect \(503\)/)])
    const refusing = yield* through((yield* connectProxy({ credentials: "other:word" })).port)
    expect(refusing.wrong).toEqual(["webhook proxy"])
    expect(refusing.said["webhook proxy"]).toContain("refuses the user name and password (407)")
    const nowhere = yield* through(yield* freePort)
    expect(nowhere.wrong).toEqual(["webhook proxy"])
    expect(nowhere.said["webhook proxy"]).toContain("can't be reached (ECONNREFUSED)")
  }),
)

const throughPgBouncer = "doctor MUST name the variables that a pooler needs"

if (noPgBouncer === undefined) {
  it.live(throughPgBouncer, () =>
    Effect.gen(function* () {
      const database = yield* migratedDatabase
      const pooled = { ...secrets, DATABASE_URL: yield* pgBouncer(database, { poolSize: 5 }) }
      const unset = yield* examine(pooled)
      expect(unset.wrong).toEqual(["LISTEN"])
      expect(unset.said["LISTEN"]).toMatch(/DESIGNWIRE_DATABASE_POOLER=transaction.*DESIGNWIRE_LISTEN_URL/)
      const set = { ...pooled, DESIGNWIRE_DATABASE_POOLER: "transaction" }
      const looking = yield* examine(set)
      expect([looking.wrong, looking.said["LISTEN"]]).toEqual([[], expect.stringMatching(/^not used behind a pooler/)])
      const listening = yield* examine({ ...set, DESIGNWIRE_LISTEN_URL: database })
      expect([listening.wrong, listening.said["LISTEN"]]).toEqual([[], "heard"])
    }),
  )
} else it.skip(`${throughPgBouncer}. Left out: ${noPgBouncer}`, () => undefined)
