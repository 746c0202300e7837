/** The cases for receivers: a good one passes, and each fault is caught by the cases that are about it. */
import { createHmac } from "node:crypto"
import type { IncomingMessage, RequestListener } from "node:http"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { verifyWebhook } from "../../../hosts/receiver/index.ts"
import { listening } from "../../testkit/hosts/Embedded.ts"
import { check } from "../runner/check.ts"
import { receiver } from "./receiver.ts"

const secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const parts: Array<Buffer> = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts)
}

/** What the cases find wrong with a receiver: the ids of those that failed, and of those that were skipped. */
const found = Effect.fnUntraced(function* (application: RequestListener, standard = false) {
  const url = `http://127.0.0.1:${yield* listening(application)}/hooks`
  const suite = receiver({ url, secret, standard })
  const { results } = yield* Effect.promise(() => check(suite, { write: () => undefined }))
  const ids = (status: string) => results.filter((result) => result.status === status).map(({ id }) => id)
  return { failed: ids("failed").toSorted(), skipped: ids("skipped"), results }
})

/** A receiver that this package's own function verifies for. */
const good: RequestListener = async (request, response) => {
  const verified = await verifyWebhook({ secret, headers: request.headers, body: await bodyOf(request) })
  response.writeHead(verified.ok ? 204 : 401).end()
}

/** A receiver by hand; a part of it can be replaced by one with a fault. */
interface Parts {
  readonly body: (request: IncomingMessage) => Promise<string>
  readonly isRecent: (seconds: number) => boolean
  readonly isSigned: (given: string, expected: string) => boolean
  /** The status for a verified event. */
  readonly status: (event: { readonly id: string; readonly event: string; readonly test: boolean }) => number
}

const byHand = (fault: Partial<Parts>): RequestListener => {
  const parts: Parts = {
    body: async (request) => (await bodyOf(request)).toString(),
    isRecent: (seconds) => Math.abs(seconds) <= 300,
    isSigned: (given, expected) => given === expected,
    status: () => 200,
    ...fault,
  }
  return async (request, response) => {
    const body = await parts.body(request)
    const timestamp = String(request.headers["x-service-timestamp"])
    const expected = createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex")
    const given = String(request.headers["x-service-signature"])
    const isGood = parts.isSigned(given, expected) && parts.isRecent(Date.now() / 1_000 - Number(timestamp))
    response.writeHead(isGood ? parts.status(JSON.parse(body)) : 401).end()
  }
}

const seen = new Set<string>()
const underWay = new Set<string>()

/** Faults, with the cases that must catch them and no others. */
const faults: ReadonlyArray<readonly [string, RequestListener, ReadonlyArray<string>]> = [
  ["none", byHand({}), []],
  [
    "it verifies JSON that it wrote again",
    byHand({ body: async (request) => JSON.stringify(JSON.parse((await bodyOf(request)).toString())) }),
    ["forged.body", "signed.bytes"],
  ],
  ["it takes any age", byHand({ isRecent: (seconds) => !Number.isNaN(seconds) }), ["late.future", "late.past"]],
  ["it takes any future", byHand({ isRecent: (seconds) => seconds <= 300 }), ["late.future"]],
  ["it has too little patience", byHand({ isRecent: (seconds) => Math.abs(seconds) <= 60 }), ["signed.delayed"]],
  [
    "it looks at no signature",
    byHand({ isSigned: () => true }),
    ["forged.body", "forged.form", "forged.secret", "forged.timestamp"],
  ],
  [
    "it compares as much as it got",
    byHand({ isSigned: (given, expected) => expected.startsWith(given) }),
    ["forged.form"],
  ],
  ["it refuses tests", byHand({ status: ({ test }) => (test ? 400 : 200) }), ["signed.kinds", "signed.test"]],
  [
    "it refuses unknown kinds",
    byHand({ status: ({ event }) => (event.startsWith("conformance") ? 400 : 200) }),
    ["signed.unknown"],
  ],
  [
    "it refuses what it has had",
    byHand({ status: ({ id }) => (seen.size === seen.add(id).size ? 409 : 200) }),
    ["repeated.again", "repeated.together"],
  ],
  [
    "it fails if an event comes while it is under way",
    async (request, response) => {
      const body = await bodyOf(request)
      const { id } = JSON.parse(body.toString())
      if (underWay.has(id)) return response.writeHead(500).end()
      underWay.add(id)
      await new Promise((done) => setTimeout(done, 100))
      underWay.delete(id)
      const verified = await verifyWebhook({ secret, headers: request.headers, body })
      return response.writeHead(verified.ok ? 204 : 401).end()
    },
    ["repeated.together"],
  ],
  [
    "it takes 100 kB at most",
    async (request, response) =>
      Number(request.headers["content-length"]) > 100_000 ? response.writeHead(413).end() : good(request, response),
    ["size.large"],
  ],
  [
    "it reads the first piece only",
    byHand({ body: (request) => new Promise((done) => request.once("data", (part) => done(String(part)))) }),
    ["size.large", "size.slow"],
  ],
]

it.live("MUST pass a receiver that verifies, with and without the headers of Standard Webhooks (D97)", () =>
  Effect.gen(function* () {
    expect(yield* found(good)).toMatchObject({ failed: [], skipped: ["standard.several"] })
    expect(yield* found(good, true)).toMatchObject({ failed: [], skipped: [] })
  }),
)

it.live("MUST find each fault of a receiver, by the cases that are about it and no others (D97)", () =>
  Effect.gen(function* () {
    const all = yield* Effect.forEach(faults, ([_, application]) => found(application), { concurrency: 4 })
    const caught = all.map(({ failed }, index) => [faults[index]?.[0], failed])
    expect(caught).toEqual(faults.map(([fault, _, cases]) => [fault, cases]))
  }),
)

it.live("MUST find a receiver that takes only one signature of Standard Webhooks, and say what it answered (D97)", () =>
  Effect.gen(function* () {
    const { failed, results } = yield* found((request, response) => {
      const { "webhook-signature": one = "" } = request.headers
      if (String(one).includes(" ")) return void response.writeHead(401).end("bad signature")
      return void good(request, response)
    }, true)
    expect(failed).toEqual(["standard.several"])
    const message = results.find(({ id }) => id === "standard.several")?.message
    expect(message).toContain("three signatures is answered with 2xx: got 401 bad signature")
    expect(message).not.toContain(secret)
  }),
)
