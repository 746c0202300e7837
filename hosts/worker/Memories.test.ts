/**
 * Everything that the product remembers of what its owner may change: once a part of it is changed, alone, the next use
 * sees the change, by the same worker or host.
 */
import { readdirSync, readFileSync } from "node:fs"
import { resolve } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { someTime } from "../../conformance/suites/storage/support/Fixtures.ts"
import { grantOf, type SentRequest, verified } from "../../conformance/testkit/workers/Outside.ts"
import { hour, second, working } from "../../conformance/testkit/workers/WorkerSteps.ts"
import { CertificateReader } from "../../core/ports/CertificateReader.ts"
import { rotateSecret, updateEndpoint } from "../../core/usecases/webhooks/ManageEndpoints.ts"

type Update = Parameters<typeof updateEndpoint>[2]

const pem = (label: string, text: string) => `-----BEGIN ${label}-----\n${btoa(text)}\n-----END ${label}-----\n`
const presented = (certificate: string, key: string): Update => ({
  clientCertificate: { certificate: pem("CERTIFICATE", certificate), key: pem("PRIVATE KEY", key) },
})
const client = { tokenUrl: "https://id.example.com/token", clientId: "shop", clientSecret: "secret-1", scope: "a" }

/** Two values of a part of an endpoint, each alone different, and what an attempt shows of it. */
interface Part {
  readonly values: readonly [Update, Update]
  readonly shows: (sent: SentRequest, tokens: ReadonlyArray<string>) => unknown
}

const header = (name: string) => (sent: SentRequest) => sent.request.headers[name]
/** The request of the token that the attempt has. */
const token: Part["shows"] = ({ request }, tokens) =>
  tokens[Number(request.headers["Authorization"]?.replace("Bearer t-", "")) - 1]
const certificate: Part["shows"] = ({ request: { clientCertificate } }) => [
  clientCertificate?.certificate,
  clientCertificate && Redacted.value(clientCertificate.key),
]

const parts: Readonly<Record<string, Part>> = {
  "the value of a header": {
    values: [{ headers: { "X-Key": "1" } }, { headers: { "X-Key": "2" } }],
    shows: header("X-Key"),
  },
  "the name of a header": {
    values: [{ headers: { "X-One": "1" } }, { headers: { "X-Two": "1" } }],
    shows: ({ request }) => ["X-One", "X-Two"].map((name) => request.headers[name]),
  },
  "a client certificate": { values: [presented("one", "key"), presented("two", "key")], shows: certificate },
  "the key of a client certificate": {
    values: [presented("one", "key"), presented("one", "other")],
    shows: certificate,
  },
  "the secret of a client": {
    values: [{ oauth: client }, { oauth: { ...client, clientSecret: "secret-2" } }],
    shows: token,
  },
  "the id of a client": { values: [{ oauth: client }, { oauth: { ...client, clientId: "other" } }], shows: token },
  "the scope of a client": { values: [{ oauth: client }, { oauth: { ...client, scope: "b" } }], shows: token },
  "the audience of a client": { values: [{ oauth: client }, { oauth: { ...client, audience: "b" } }], shows: token },
  "the token URL": {
    values: [{ oauth: client }, { oauth: { ...client, tokenUrl: "https://id.example.com/other" } }],
    shows: token,
  },
  "the path of a URL": {
    values: [{ url: "https://erp.example.com/1" }, { url: "https://erp.example.com/2" }],
    shows: ({ request }) => request.url,
  },
  "the host of a URL": {
    values: [{ url: "https://one.example.com/" }, { url: "https://two.example.com/" }],
    shows: ({ request }) => [request.url, request.addresses],
  },
  "the form of a body": {
    values: [{ payload: "full" }, { payload: "reference" }],
    shows: ({ request }) => request.body.includes("selection"),
  },
}

/** A worker that lives on, and an endpoint whose next attempts it makes. */
const living = Effect.gen(function* () {
  const world = yield* working()
  const endpoint = yield* world.endpoint()
  // A worker ends in the test's time, also if the test fails.
  yield* Effect.addFinalizer(() =>
    Effect.gen(function* () {
      const ending = yield* Effect.forkChild(Fiber.interrupt(world.worker))
      yield* TestClock.adjust(10 * second)
      yield* Fiber.join(ending)
    }),
  )
  const tokens: Array<string> = []
  world.outside.grant = (request) =>
    Effect.sync(() => {
      tokens.push(JSON.stringify([request.url, request.headers["Authorization"], request.body]))
      return grantOf(`t-${tokens.length}`)
    })
  world.outside.lookup = (name) => Effect.succeed([name === "two.example.com" ? "93.184.216.35" : "93.184.216.34"])
  const reader = { read: () => Effect.succeed({ subject: "CN=shop", endsAt: someTime + hour }) }
  let orders = 0
  return {
    world,
    endpoint,
    tokens,
    update: (input: Update) =>
      world.run(updateEndpoint(world.shop, endpoint.id, input)).pipe(Effect.provideService(CertificateReader, reader)),
    attempt: Effect.suspend(() => Effect.andThen(world.order(`${++orders}`, [`d-${orders}`]), world.outside.next)),
  }
})

describe("A worker that lives on", () => {
  for (const [name, { shows, values }] of Object.entries(parts)) {
    it.effect(`MUST use ${name} as it is, however often it is changed (D24, D55)`, () =>
      Effect.gen(function* () {
        const { attempt, tokens, update } = yield* living
        const shown: Array<unknown> = []
        for (const value of [...values, ...values]) {
          yield* update(value)
          shown.push(shows(yield* attempt, tokens))
        }
        const [first, second, third, fourth] = shown.map((value) => JSON.stringify(value))
        expect(second).not.toBe(first)
        expect([third, fourth]).toEqual([first, second])
      }),
    )
  }

  for (const standardWebhooks of [false, true]) {
    const kind = standardWebhooks ? "with the headers of Standard Webhooks too" : "with our header"
    it.effect(`MUST sign with the secret as it is, ${kind} (D20, D41)`, () =>
      Effect.gen(function* () {
        const { attempt, endpoint, update, world } = yield* living
        yield* update({ standardWebhooks })
        yield* verified(yield* attempt, endpoint.shown)
        const { secret } = yield* world.run(rotateSecret(world.shop, endpoint.id, { overlap: 0 }))
        const sent = yield* attempt
        yield* verified(sent, Redacted.value(secret))
        const { "X-Service-Signature": _, ...standard } = sent.request.headers
        if (standardWebhooks)
          yield* verified({ ...sent, request: { ...sent.request, headers: standard } }, Redacted.value(secret))
      }),
    )
  }
})

/** Each memory by its file, with the tests that hold that it is not old, or why it can't be. */
const memories: Readonly<Record<string, string | ReadonlyArray<string>>> = {
  "core/support/SealedSecret.ts": ["the value of a header", "the name of a header", "a client certificate"],
  "core/support/SigningKeys.ts": ["hosts/worker/Memories.test.ts > MUST sign with the secret as it is"],
  "core/usecases/webhooks/dispatch/AccessTokens.ts": [
    "the secret of a client",
    "the token URL",
    "the scope of a client",
  ],
  "core/support/Approval.ts": [
    "the host of a URL",
    "core/support/Approval.test.ts > MUST judge again if the networks of this machine have changed",
    "core/support/Approval.test.ts > MUST NOT remember an exception of one shop, or a refusal of another",
    "core/support/Approval.test.ts > MUST look up the name and judge its addresses before every attempt",
  ],
  "core/support/CompiledDefinition.ts": [
    "core/support/CompiledDefinition.test.ts > MUST NOT return a version that was rolled back for the one published",
    "core/support/CompiledDefinition.test.ts > MUST keep the definitions of each store separate",
  ],
  "adapters/node/WebhookSender.ts": [
    "the path of a URL",
    "conformance/suites/sender/TlsCases.ts > MUST present the client certificate of a request, over connections",
  ],
  "adapters/node/HostLookup.ts": [
    "conformance/suites/sender/LookupCases.ts > MUST NOT cache an answer longer than its",
  ],
  "core/usecases/ingest/Connections.ts": "of a sealed text, which always opens to the same",
  "core/usecases/ingest/InboxRoom.ts": [
    "core/usecases/ingest/Poison.test.ts > MUST refuse further ones at %j, count that, and take those of another shop",
  ],
  "hosts/server/Health.ts": "of one store, for a second",
  "hosts/settings/parts/Reasons.ts": "of a table of words of ours",
  "hosts/settings/SharedReads.ts": "lives as long as a request",
  "core/support/OncePerMinute.ts": "times of lines in the log",
  "hosts/embed/Runtime.ts": "times of lines in the log",
  "core/support/DerivedKeys.ts": "of a key ring, which never changes",
  "core/support/FeedCursors.ts": "of a key ring, which never changes",
  "core/usecases/orders/ReadOrders.ts": "of a key ring, which never changes",
  "adapters/node/Crypto.ts": "of the bytes of a key, which never change",
  "core/rules/catalog/ShapeCheck.ts": "of a schema of ours",
  "core/api/SharedAnswer.ts": "of a document of ours",
  "adapters/sql/schema/Schema.ts": "of a statement of ours",
  "core/usecases/webhooks/dispatch/DeliverySpans.ts": "of one claim",
  "adapters/opentelemetry/ApiTracer.ts": "of one span",
  "adapters/sql/statements/CheckedTransaction.ts": "of one transaction service",
  "adapters/connection/Query.ts": "of one connection",
  "adapters/connection/Transaction.ts": "of one connection",
  "hosts/server/ArrivingBodies.ts": "of one request",
  "hosts/server/Places.ts": "of one socket",
  "hosts/server/RequestsUnderWay.ts": "of one socket",
}

const root = resolve(import.meta.dirname, "../..")
const isMemory = /\bnew (BoundedMap|WeakMap)\b|\bCache\.make|\bEffect\.cached(WithTTL)?\b|\bmemoize\(/

it("Every memory of the product MUST have a row with tests that exist", () => {
  const files = ["core", "adapters", "hosts"].flatMap((folder) =>
    readdirSync(resolve(root, folder), { recursive: true, encoding: "utf8" })
      .map((file) => `${folder}/${file.replaceAll("\\", "/")}`)
      .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|\.d\.ts$|^hosts\/docs\/|node_modules/.test(file)),
  )
  const found = files.filter((file) => isMemory.test(readFileSync(resolve(root, file), "utf8")))
  expect(found.toSorted()).toEqual(Object.keys(memories).toSorted())
  for (const [file, tests] of Object.entries(memories)) {
    for (const test of typeof tests === "string" ? [] : tests) {
      const [place = "", title] = test.split(" > ")
      const exists = title === undefined ? test in parts : readFileSync(resolve(root, place), "utf8").includes(title)
      expect(exists, `${file}: ${test}`).toBe(true)
    }
  }
})
