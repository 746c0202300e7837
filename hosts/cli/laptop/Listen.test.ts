/** `designwire listen`: its output and the deliveries that it forwards, over a feed that a test writes. */
import { expect, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { bodiesOf } from "../../../core/model/events/EventPage.ts"
import { verifyWebhook } from "../../receiver/index.ts"
import { follow, secretOf } from "./Follow.ts"
import { type ListenOptions, prepare } from "./ListenOptions.ts"
import type { Incoming, Outgoing, Send } from "./Outgoing.ts"

const token = "cmz_test"
const now = Date.parse("2026-10-05T14:48:00Z")

const options = (fields: Partial<Omit<ListenOptions, "url" | "token">> & { readonly url?: string } = {}) => ({
  ...{ url: "http://127.0.0.1:3000", forwardTo: Option.none(), types: Option.none(), since: Option.none() },
  ...{ printSecret: false, ...fields, token },
})

/** An envelope as no `JSON.stringify` writes it: numbers as keys in their own order, spaces. */
const envelope = (id: string, createdAt = "2026-10-05T14:47:00.000+00:00") =>
  `{"id":"evt_${id}","event":"design.ordered","apiVersion":"2026-10","createdAt":"${createdAt}","shop":"a.example.com","data":{"design":{ "2":"]}","1":["\\"}",1.0]}},"test":false}`

const page = (bodies: ReadonlyArray<string>, cursor: string) =>
  `{"data":[${bodies.join(",")}],"pagination":{"limit":100,"nextCursor":"${cursor}","hasMore":false}}`

const answer = (status: number, text = "", headers: Readonly<Record<string, string>> = {}): Incoming => ({
  status,
  headers: new Headers({ "x-api-version": "2026-10", ...headers }),
  text: async () => text,
})

type Step = () => Incoming | Promise<Incoming>

/** Runs `listen` over answers of the service, one after the other, and stops it then. */
const run = Effect.fnUntraced(function* (
  service: ReadonlyArray<Step>,
  given: Parameters<typeof options>[0] = {},
  receive: (outgoing: Outgoing) => Incoming | Promise<Incoming> = () => answer(204),
) {
  const following = yield* prepare(options({ forwardTo: Option.some("http://localhost:4000/hooks"), ...given }), now)
  const stopping = new AbortController()
  const [asked, received, printed]: [Array<string>, Array<Outgoing>, Array<string>] = [[], [], []]
  const send: Send = async (url, outgoing) => {
    if (url.startsWith("http://localhost:4000/")) {
      received.push(outgoing)
      return receive(outgoing)
    }
    const step = service[asked.length]
    asked.push(url)
    if (step !== undefined) return step()
    stopping.abort(new Error("stopped"))
    throw stopping.signal.reason
  }
  const error = yield* Effect.promise(() =>
    follow(following, { send, print: (line) => printed.push(line), interval: 1, now: () => now }, stopping.signal).then(
      () => undefined,
      (error: unknown) => error,
    ),
  )
  return { asked, received, printed, error }
})

it.effect("MUST begin with the next event, and forward it to the byte, signed as by the service (§5, §6)", () =>
  Effect.gen(function* () {
    const bodies = [envelope("a"), envelope("b")]
    const { asked, error, printed, received } = yield* run([
      () => answer(200, page([], "e1.1.x")),
      () => answer(200, page(bodies, "e1.3.x")),
    ])
    expect(asked.map((url) => url.replace("http://127.0.0.1:3000/api/v1", ""))).toEqual([
      "/events?after=latest",
      "/events?after=e1.1.x&limit=100",
      "/events?after=e1.3.x&limit=100",
    ])
    expect(received.map(({ body }) => body)).toEqual(bodies)
    for (const { body = "", headers, method } of received) {
      expect(method).toBe("POST")
      const verified = yield* Effect.promise(() => verifyWebhook({ secret: secretOf(token), headers, body, now }))
      expect(verified).toMatchObject({ ok: true, event: { event: "design.ordered" } })
      expect(headers["X-Service-Event"]).toBe("design.ordered")
    }
    expect(printed).toEqual([
      "Ready: following http://127.0.0.1:3000/api/v1 from now on, forwarding to http://localhost:4000/hooks",
      `Deliveries are signed with ${secretOf(token)}`,
      "2026-10-05 14:48:00  -->  design.ordered  evt_a",
      expect.stringMatching(/^2026-10-05 14:48:00 {2}<-- {2}204 {2}\d+ ms {2}evt_a$/),
      "2026-10-05 14:48:00  -->  design.ordered  evt_b",
      expect.stringMatching(/^2026-10-05 14:48:00 {2}<-- {2}204 {2}\d+ ms {2}evt_b$/),
    ])
    expect(error).toMatchObject({ message: "stopped" })
  }),
)

it.effect("MUST print control characters of events and errors escaped, so that they can't rewrite the terminal", () =>
  Effect.gen(function* () {
    const hostile = "\u001b]0;owned\u0007\r\n\u009b2J\u202e"
    const escaped = "\\u001b]0;owned\\u0007\\u000d\\u000a\\u009b2J\\u202e"
    const { printed } = yield* run(
      [
        () => answer(200, page([], "1")),
        () => answer(200, page([envelope(JSON.stringify(hostile).slice(1, -1))], "2")),
      ],
      {},
      () => {
        throw new Error(hostile)
      },
    )
    const [, , event = "", outcome = ""] = printed
    expect(event).toBe(`2026-10-05 14:48:00  -->  design.ordered  evt_${escaped}`)
    expect(outcome).toContain(`failed: ${escaped}`)
    expect(printed.join("")).not.toMatch(/\p{Cc}|\p{Bidi_Control}/u)
  }),
)

it.effect("MUST continue if the receiver fails or can't be reached, and say so", () =>
  Effect.gen(function* () {
    let calls = 0
    const { printed, received } = yield* run(
      [() => answer(200, page([], "1")), () => answer(200, page([envelope("a"), envelope("b"), envelope("c")], "2"))],
      {},
      () => {
        calls++
        if (calls === 1) return answer(500)
        if (calls === 2)
          throw new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED 127.0.0.1:4000") })
        return answer(200)
      },
    )
    expect(received).toHaveLength(3)
    const outcomes = printed
      .filter((line) => line.includes("<--"))
      .map((line) => line.replace(/\d+ ms/, "n ms").slice(26))
    expect(outcomes).toEqual([
      "500  n ms  evt_a",
      "failed: connect ECONNREFUSED 127.0.0.1:4000  n ms  evt_b",
      "200  n ms  evt_c",
    ])
  }),
)

it.effect("MUST forward every event of several pages, whichever of them the receiver fails at", () =>
  Effect.gen(function* () {
    const names = ["a", "b", "c", "d", "e", "f", "g"]
    const bodies = names.map((name) => envelope(name))
    for (const failing of names) {
      const { printed, received } = yield* run(
        [
          () => answer(200, page([], "1")),
          () => answer(200, page(bodies.slice(0, 3), "2")),
          () => answer(200, page(bodies.slice(3, 6), "3")),
          () => answer(200, page(bodies.slice(6), "4")),
        ],
        {},
        ({ body = "" }) => answer(body.includes(`"evt_${failing}"`) ? 500 : 204),
      )
      expect(received.map(({ body }) => body)).toEqual(bodies)
      const outcomes = printed.flatMap((line) => /<-- {2}(\d+) .*evt_(\w)$/.exec(line)?.slice(1).join(" ") ?? [])
      expect(outcomes).toEqual(names.map((name) => `${name === failing ? 500 : 204} ${name}`))
    }
  }),
)

it.effect("MUST show events since a time, of the chosen kinds, and forward nothing without a receiver", () =>
  Effect.gen(function* () {
    const old = envelope("old", "2026-10-05T14:37:59.999+00:00")
    const { asked, printed, received } = yield* run([() => answer(200, page([old, envelope("a")], "2"))], {
      forwardTo: Option.none(),
      since: Option.some("10m"),
      types: Option.some("design.ordered,order.cancelled"),
    })
    expect(asked[0]).toMatch(/\/events\?limit=100&types=design\.ordered%2Corder\.cancelled$/)
    expect(received).toEqual([])
    expect(printed).toEqual([
      "Ready: following http://127.0.0.1:3000/api/v1 since 2026-10-05T14:38:00.000Z",
      "2026-10-05 14:48:00  -->  design.ordered  evt_a",
    ])
  }),
)

it.effect("MUST wait while the service can't be reached, say so once, and miss nothing", () =>
  Effect.gen(function* () {
    const { printed, received } = yield* run([
      () => answer(200, page([], "1")),
      () => answer(503, '{"message":"No"}', { "retry-after": "0" }),
      () => answer(429, '{"message":"No"}', { "retry-after": "0" }),
      () => answer(200, page([envelope("a")], "2")),
    ])
    expect(received).toHaveLength(1)
    expect(printed.filter((line) => /!!|ok /.test(line)).map((line) => line.slice(21))).toEqual([
      "!!  The service can't be reached: it answered 503; trying again",
      "ok  The service answers again",
    ])
  }),
)

it.effect("MUST end with the service's own words if it refuses", () =>
  Effect.gen(function* () {
    for (const [status, code] of [
      [401, "unauthorized"],
      [403, "plan_required"],
      [410, "gone"],
    ] as const) {
      const { error } = yield* run([() => answer(200, page([], "1")), () => answer(status, '{"message":"Why"}')])
      expect(error).toMatchObject({ code, message: "Why" })
    }
  }),
)

it.effect("MUST name each invalid option", () =>
  Effect.gen(function* () {
    for (const [fields, words] of [
      [{ url: "designs" }, /^--url must be/],
      [{ forwardTo: Option.some("localhost:3000") }, /^--forward-to must be/],
      [{ types: Option.some("design.ordered,ping") }, /^--types must be/],
      [{ since: Option.some("yesterday") }, /^--since must be/],
      [{ since: Option.some("2026-10-05T14:48:00") }, /^--since must be/],
    ] as const) {
      expect((yield* Effect.flip(prepare(options(fields), now))).message).toMatch(words)
    }
  }),
)

it("MUST have one secret for a token, which is a signing secret and reveals nothing of the token", () => {
  expect(secretOf(token)).toBe(secretOf(token))
  expect(secretOf(token)).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(secretOf("cmz_other")).not.toBe(secretOf(token))
})

it("MUST find the events of a page to the byte, and none in a text that is not a page", () => {
  const bodies = [envelope("a"), '{"a":"\\\\","b":[{"c":"]"}]}', "{}"]
  expect(bodiesOf(page(bodies, "c"))).toEqual(bodies)
  for (const text of ["", "{}", page([], "c"), '{"message":"x"}']) expect(bodiesOf(text)).toEqual([])
})
