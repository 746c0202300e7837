/** `designwire conformance`: its output and its exit codes. */
import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import type { RequestListener } from "node:http"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Effect, Layer, Schedule } from "effect"
import { Command } from "effect/cli"
import { inject } from "vitest"
import { freshDatabase } from "../../conformance/testkit/databases/Database.ts"
import { listening } from "../../conformance/testkit/hosts/Embedded.ts"
import {
  keptAlive,
  manageKey,
  memory,
  newDesign,
  newOrder,
  newShop,
  sender,
  serve,
} from "../../conformance/testkit/hosts/TestHost.ts"
import { freePort } from "../../conformance/testkit/processes/FreePort.ts"
import { runHere } from "../../conformance/testkit/processes/InProcess.ts"
import { programOf, run, secrets, send, temporaryDirectory } from "../../conformance/testkit/processes/Processes.ts"
import { perMinute, TokenRateLimit } from "../../core/usecases/access/LimitRequest.ts"
import { conformance as checking, conformanceFlags } from "./Conformance.ts"

const conformance = (...parameters: ReadonlyArray<string>) => run(["conformance", ...parameters])

/**
 * The same within this process, to see why it refuses to check. A process ends with 2 then; a check that runs would set
 * the exit code of the tests.
 */
const refusal = (...parameters: ReadonlyArray<string>) =>
  runHere(Command.runWith(Command.make("conformance", conformanceFlags, checking), { version: "0" })(parameters))

/** A service with one answer to everything. */
const answers =
  (status: number): RequestListener =>
  (_, response) =>
    response.writeHead(status, { "content-type": "application/json" }).end('{"message":"no"}')

/** A service that has nothing but orders. */
const withoutFeed: RequestListener = ({ url = "" }, response) => {
  const isThere = url.startsWith("/api/v1/orders")
  response
    .writeHead(isThere ? 200 : 404, { "content-type": "application/json", "x-api-version": "2026-10" })
    .end(isThere ? '{"data":[],"pagination":{"total":0,"limit":1,"nextCursor":null}}' : '{"message":"nothing here"}')
}

/** The service of this package, changed through the management API. */
const ours = Effect.gen(function* () {
  const { ports } = yield* memory.open
  const port = yield* serve(yield* Layer.build(ports))
  const origin = `http://127.0.0.1:${port}`
  return ["--url", `${origin}/api/v1/`, "--manage-url", `${origin}/manage/v1`, "--manage-key", manageKey]
})

it.live("MUST end with 0 if every case passed, and print each, and why one was skipped", () =>
  Effect.gen(function* () {
    const told = ["--only", "orders", "--only", "retries.test", "--skip", "orders.sum=no such sums"]
    const { code, stderr, stdout } = yield* conformance(...(yield* ours), ...told)
    expect([code, stderr]).toEqual([0, ""])
    expect(stdout).toContain("✓ orders.same: MUST change nothing when an order is placed again")
    expect(stdout).toContain("    left out: no such sums\n")
    expect(stdout).toContain("    left out: nothing was said of where to receive webhooks")
    expect(stdout).toMatch(/\nservice: 7 passed, 0 failed, 2 skipped in \d+\.\d s\n$/)
  }),
)

it.live("MUST check the existing data if it has only tokens", () =>
  Effect.gen(function* () {
    const ports = yield* Layer.build((yield* memory.open).ports)
    const port = yield* serve(ports)
    // All cases together make more than 120 requests with a token: they would wait for a minute.
    const generous = yield* Effect.provideService(serve(ports), TokenRateLimit, perMinute(1_000))
    const sending = sender(port, yield* keptAlive)
    const tokens: Array<string> = []
    for (let count = 0; count < 2; count++) {
      const shop = yield* newShop(sending)
      for (const id of ["1", "2", "3"]) {
        yield* newDesign(sending, shop, id)
        yield* newOrder(sending, shop, id, [id])
      }
      tokens.push(shop.token)
    }
    const [token = "", other = ""] = tokens
    const check = Effect.fnUntraced(function* (at: number, ...told: ReadonlyArray<string>) {
      const tokens = ["--token", token, "--other-token", other, "--format", "json"]
      const { code, stderr, stdout } = yield* conformance("--url", `http://127.0.0.1:${at}/api/v1`, ...tokens, ...told)
      expect([code, stderr]).toEqual([0, ""])
      return JSON.parse(stdout)
    })
    expect((yield* check(port, "--only", "rates.headers")).passed).toBe(1)
    const { failed, passed, results } = yield* check(generous, "--skip", "rates.headers=a higher limit")
    const looked = results.filter(({ ports }: { ports: ReadonlyArray<string> }) => ports.includes("ObservedShops"))
    expect([failed, passed]).toEqual([0, looked.length - 1])
    expect(looked.length).toBeGreaterThan(20)
  }),
)

it.live("MUST end with 1 if the service answers with a body without an end, and read no more than 32 MiB of it", () =>
  Effect.gen(function* () {
    let sent = 0
    const port = yield* listening((_, response) => {
      response.writeHead(401, { "content-type": "application/json" })
      const more = () => {
        while (!response.destroyed) {
          sent += 65_536
          if (!response.write("x".repeat(65_536))) return
        }
      }
      response.on("drain", more)
      more()
    })
    const { code, stdout } = yield* conformance(
      ...["--url", `http://127.0.0.1:${port}/api/v1`, "--only", "access.missing", "--format", "json"],
    )
    expect(code).toBe(1)
    expect(JSON.parse(stdout).results[0].message).toContain("got no answer: Error: the body is longer than 32 MiB")
    // The rest is on its way when the body is given up: in buffers of both ends, and once for the probe.
    expect(sent / 1024 / 1024).toBeLessThan(64)
  }),
)

/** A process for each takes long: one of each kind, but for the whole matrix. */
const some = <A>(all: ReadonlyArray<A>): ReadonlyArray<A> => (inject("wholeMatrix") ? all : all.slice(0, 1))

const nowhere = ["--url", "http://127.0.0.1:9/api/v1"]

const refused = [
  ["nothing answers", nowhere, "There is no answer from http://127.0.0.1:9/api/v1"],
  ["a flag is unknown", [...nowhere, "--colour"], "colour"],
  ["the address is invalid", ["--url", "127.0.0.1"], "--url must be an http(s) URL"],
  [
    "the address has a query",
    ["--url", "http://a.test/api/v1?a=b"],
    "--url must be an http(s) URL without a user, query",
  ],
  [
    "the address has a user",
    ["--url", "http://a:b@a.test/api/v1"],
    "--url must be an http(s) URL without a user, query",
  ],
  [
    "the management API's address is invalid",
    [...nowhere, "--manage-url", "a", "--manage-key", "k"],
    "--manage-url must be",
  ],
  ["the schedule is invalid", [...nowhere, "--schedule", "soon"], "--schedule must be waits separated"],
  ["the schedule is empty", [...nowhere, "--schedule", ""], "--schedule must be waits separated"],
  ["the format is unknown", [...nowhere, "--format", "xml"], "pretty"],
  ["the address to receive at is invalid", [...nowhere, "--receive", "here"], "--receive must be an address"],
  ["the port to receive at is invalid", [...nowhere, "--receive", "127.0.0.1:65536"], "--receive must be an address"],
  [
    "the address to receive at is another machine's",
    [...nowhere, "--receive", "192.0.2.1:0"],
    "--receive can't listen on 192.0.2.1:0: this machine has no such address",
  ],
  ["a reason is missing", [...nowhere, "--skip", "orders"], "--skip must be ID=reason"],
  ["a key is missing", [...nowhere, "--manage-url", "http://a.test"], "belong together"],
  [
    "there are two ways to change the service",
    [...nowhere, "--driver", "cat", "--manage-url", "http://a.test", "--manage-key", "k"],
    "Give either --driver or --manage-url, not both",
  ],
] as const

it.live.each(refused)("MUST refuse to check, with a sentence, if %s", ([_, parameters, sentence]) =>
  Effect.gen(function* () {
    const { code, stderr, stdout } = yield* refusal(...parameters)
    expect([code, stdout + stderr]).toEqual([1, expect.stringContaining(sentence)])
  }),
)

it.live.each(some(refused))("MUST end with 2 and a sentence if %s", ([_, parameters, sentence]) =>
  Effect.gen(function* () {
    const { code, stderr, stdout } = yield* conformance(...parameters)
    expect([code, stdout + stderr]).toEqual([2, expect.stringContaining(sentence)])
  }),
)

it.live("MUST end with 2 and a sentence if something else listens on the port to receive at", () =>
  Effect.gen(function* () {
    const port = yield* listening(answers(401))
    const url = `http://127.0.0.1:${port}/api/v1`
    const { code, stderr, stdout } = yield* conformance("--url", url, "--receive", `127.0.0.1:${port}`)
    const sentence = `--receive can't listen on 127.0.0.1:${port}: something else listens there; port 0 takes any that is free\n`
    expect([code, stdout, stderr]).toEqual([2, "", sentence])
  }),
)

/** A driver that answers its calls by these cases of a shell's `case`. */
const driver = (cases: string) =>
  `while read -r line; do id=\${line#*:}; id=\${id%%,*}; case "$line" in ${cases} esac; done`

const made = `*putShop*) echo "{\\"id\\":$id,\\"ok\\":null}";;`

const badDrivers = [
  [
    "writes a line without an end",
    "yes endless | tr -d '\\n'",
    "The driver could not create a shop: a line that the driver wrote is longer than 32 MiB",
  ],
  ["ends at once", "exit 3", "The driver could not create a shop: the driver has ended with 3"],
  ["is not a command", "no-such-command-anywhere", "The driver could not create a shop: the driver has ended with 127"],
  [
    "writes something else than answers",
    "echo ready; cat > /dev/null",
    "The driver could not create a shop: the driver wrote a line that is not an answer: ready",
  ],
  [
    "does not support a call that every case needs",
    driver(`*) echo "{\\"id\\":$id,\\"unsupported\\":\\"not yet\\"}";;`),
    "The driver could not create a shop: not yet",
  ],
  [
    "makes no token",
    driver(`${made} *) echo "{\\"id\\":$id,\\"ok\\":{}}";;`),
    "The driver could not create a token: createToken must answer {id, token}, not {}",
  ],
  [
    "makes tokens of another service",
    driver(`${made} *) echo "{\\"id\\":$id,\\"ok\\":{\\"id\\":\\"1\\",\\"token\\":\\"cmz_x\\"}}";;`),
    "A token that the driver made was answered with 401 at",
  ],
] as const

it.live.each(badDrivers)("MUST refuse to check, with a sentence, if the driver %s", ([_, command, sentence]) =>
  Effect.gen(function* () {
    const url = `http://127.0.0.1:${yield* listening(answers(401))}/api/v1`
    const { code, stderr } = yield* refusal("--url", url, "--driver", command)
    expect([code, stderr]).toEqual([1, expect.stringContaining(sentence)])
  }),
)

it.live.each(some(badDrivers))("MUST end with 2 and a sentence if the driver %s", ([_, command, sentence]) =>
  Effect.gen(function* () {
    const url = `http://127.0.0.1:${yield* listening(answers(401))}/api/v1`
    const { code, stderr } = yield* conformance("--url", url, "--driver", command)
    expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)])
  }),
)

it.live("MUST end with 2 and say so if the driver ends during the check", () =>
  Effect.gen(function* () {
    const url = `http://127.0.0.1:${yield* listening(answers(200))}/api/v1`
    const token = `echo "{\\"id\\":$id,\\"ok\\":{\\"id\\":\\"1\\",\\"token\\":\\"cmz_x\\"}}";;`
    const command = driver(`${made} *createToken*) ${token} *putCustomizer*) exit 4;; *) ${token}`)
    const { code, stderr } = yield* conformance("--url", url, "--driver", command, "--only", "orders.same")
    expect([code, stderr]).toEqual([
      2,
      "Not checked to the end: the driver has ended with 4. Later failures say nothing about the service\n",
    ])
  }),
)

it.live("MUST refuse to check, with a sentence, if a token or a key is unknown, or no case is left to run", () =>
  Effect.gen(function* () {
    const told = yield* ours
    const [, url = ""] = told
    for (const [parameters, sentence] of [
      [["--url", url, "--token", "cmz_nobodys"], "--token was answered with 401 at"],
      [["--url", url.replace("/v1/", "/v2"), "--token", "cmz_nobodys"], "--token was answered with 404 at"],
      [[...told.slice(0, -1), "another-key"], "The driver could not create a shop: PUT /shops/t-"],
      [[...told, "--only", "nowhere"], "There is no case nowhere: ids begin with access, tokens, routes, "],
      [[...told, "--skip", "nowhere=a reason"], "There is no case nowhere: ids begin with access, tokens, routes, "],
      [[...told, "--only", "retries.timeout"], "--only retries.timeout leaves nothing to run: these cases are slow"],
      [[...told, "--only", "feed.none"], "--only feed.none leaves nothing to run"],
    ] as const) {
      const { code, stderr, stdout } = yield* refusal(...parameters)
      expect([parameters, code, stdout, stderr]).toEqual([parameters, 1, "", expect.stringContaining(sentence)])
    }
  }),
)

it.live("MUST skip the features that the service lacks, say why, and check what must happen instead", () =>
  Effect.gen(function* () {
    const url = `http://127.0.0.1:${yield* listening(withoutFeed)}/api/v1`
    const { code, stderr, stdout } = yield* conformance("--url", url, "--token", "cmz_x", "--only", "feed")
    expect([code, stderr]).toEqual([0, ""])
    expect(stdout).toContain("✓ feed.none: ")
    expect(stdout).toContain("    left out: GET /events is answered with 404\n")
  }),
)

/** Starts what the script starts. */
const started = (command: string, environment: Readonly<Record<string, string>>) =>
  execFileSync("sh", ["-c", command], { env: { ...process.env, ...environment }, stdio: "ignore" })

/** Ends the process that the script started last. */
const killed = (directory: string) => process.kill(Number(readFileSync(join(directory, "pid"), "utf8")), "SIGKILL")

/** Ends a running `designwire serve` as a crash would, and starts it. */
const script = `
[ -f pid ] && kill -9 "$(cat pid)"
${[process.execPath, ...programOf(join(import.meta.dirname, "main.ts"))].map((part) => `"${part}"`).join(" ")} serve > log 2>&1 &
echo $! > pid
`

it.live("MUST pass `designwire serve` on Postgres, even if it crashes and restarts with pending deliveries", () =>
  Effect.gen(function* () {
    const [directory, port, database] = [
      yield* temporaryDirectory,
      yield* Effect.promise(freePort),
      yield* freshDatabase,
    ]
    writeFileSync(join(directory, "restart.sh"), script)
    const environment = {
      ...{ ...secrets, PORT: String(port), DATABASE_URL: database, DESIGNWIRE_AUTO_MIGRATE: "true" },
      ...{
        DESIGNWIRE_ALLOW_NETWORKS: "127.0.0.0/8",
        DESIGNWIRE_ALLOW_HTTP: "true",
        DESIGNWIRE_RETRY_SCHEDULE: "100ms,200ms,10s",
      },
      DESIGNWIRE_LEASE: "6s",
    }
    const origin = `http://127.0.0.1:${port}`
    const restart = `cd '${directory}' && sh restart.sh`
    yield* Effect.addFinalizer(() => Effect.sync(() => killed(directory)))
    started(restart, environment)
    yield* Effect.retry(send("GET", `${origin}/livez`), { schedule: Schedule.spaced("100 millis"), times: 600 })
    const { code, stderr, stdout } = yield* run(
      [
        ...["conformance", "--url", `${origin}/api/v1`, "--manage-url", `${origin}/manage/v1`],
        ...["--manage-key", secrets.DESIGNWIRE_MANAGE_KEY, "--receive", "127.0.0.1:0", "--schedule", "100ms,200ms,10s"],
        ...["--restart", restart, "--only", "restart", "--only", "deliveries.ordered"],
      ],
      environment,
    )
    expect(stdout + stderr).toMatch(/\nservice: 4 passed, 0 failed, 0 skipped/)
    expect(code).toBe(0)
  }).pipe(Effect.scoped),
)
