import { Clock, Effect } from "effect"
import type { Case } from "../runner/Case.ts"
import { unique } from "../storage/support/Fixtures.ts"
import { accepts, type Deliver, eventOf, kinds, otherSecret, rejects } from "./Deliver.ts"

/** One requirement for a receiver of webhooks, judged by its answers. */
export type ReceiverCase = Case<Deliver>

type ListedCase = Omit<ReceiverCase, "ports">

const text = (...given: Parameters<typeof eventOf>) => Effect.map(eventOf(...given), (event) => JSON.stringify(event))

/** Gives the order and the design of the examples ids that the receiver has never seen. */
const renamed = () => {
  const id = unique(12)
  return (body: string) => body.replaceAll("5510000000000", id).replaceAll("dsn_demo_001", `dsn_${id}`)
}

/** Headers of a signature, with another value or none. */
const withHeader = (pattern: RegExp, value?: string) => (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, before]) => {
      if (!pattern.test(name)) return [[name, before]]
      return value === undefined ? [] : [[name, value]]
    }),
  )

const [signature, timestamp] = [/signature$/i, /timestamp$/i]

/** A cancelled order that has 4 MiB, which many frameworks refuse unless they are set to take more. */
const largeOrder = Effect.map(eventOf("order.cancelled"), (event) => {
  const { order } = event.data as unknown as { readonly order: { readonly designs: ReadonlyArray<object> } }
  const [design = {}] = order.designs
  const count = Math.ceil((4 * 1_024 * 1_024) / JSON.stringify(design).length)
  const designs = Array.from({ length: count }, (_, index) => ({ ...design, id: `dsn_${index}` }))
  return { ...event, data: { order: { ...order, designs } } }
})

/** Deliveries that a receiver must accept. */
const accepted: ReadonlyArray<ListedCase> = [
  {
    id: "signed.kinds",
    title: "MUST answer 2xx within 5 seconds to a signed delivery of every kind",
    requirements: ["§6-14"],
    run: Effect.gen(function* () {
      for (const kind of kinds) yield* accepts(kind, yield* text(kind))
    }),
  },
  {
    id: "signed.test",
    title: "MUST answer 2xx to a test event",
    requirements: ["§6-16"],
    run: Effect.gen(function* () {
      yield* accepts("a test of design.ordered", yield* text("design.ordered", { test: true }))
    }),
  },
  {
    id: "signed.bytes",
    title: "MUST verify the bytes of the body as they came, not JSON that was written again",
    requirements: ["§5-8"],
    run: Effect.gen(function* () {
      const titled = (title: string) =>
        Effect.map(text("design.ordered"), (body) => body.replace('"Team jersey"', `"${title}"`))
      yield* accepts("a body with white space", JSON.stringify(yield* eventOf("design.ordered"), null, 2))
      yield* accepts("a body with escapes", yield* titled("Team \\u00e9 \\/ jersey"))
      yield* accepts("a body with characters of several bytes", yield* titled("é € 🎁"))
    }),
  },
  {
    id: "signed.unknown",
    title: "MUST answer 2xx to a kind of event that it does not know: it is signed, and would be sent again for days",
    requirements: ["§6-14"],
    run: Effect.gen(function* () {
      yield* accepts("an unknown kind", yield* text("ping", { event: "conformance.unknown", test: false }))
      yield* accepts("a field more", yield* text("design.ordered", { addition: { a: 1 } }))
    }),
  },
  {
    id: "signed.delayed",
    title: "MUST accept a timestamp up to 300 seconds away from its clock, in either direction",
    requirements: ["§5-9"],
    run: Effect.gen(function* () {
      for (const off of [-270, 270]) yield* accepts(`a timestamp ${off} s off`, yield* text("design.ordered"), { off })
    }),
  },
  {
    id: "repeated.again",
    title: "MUST answer 2xx to an event that it has had already, or it would be sent again for days",
    requirements: ["§6-13"],
    run: Effect.gen(function* () {
      const event = yield* text("design.ordered")
      for (const time of ["first", "second", "third"]) yield* accepts(`the ${time} time`, event)
    }),
  },
  {
    id: "repeated.together",
    title: "MUST answer 2xx to an event that arrives several times at once",
    requirements: ["§6-13"],
    run: Effect.gen(function* () {
      const event = yield* text("design.ordered")
      yield* Effect.forEach([1, 2, 3, 4, 5, 6], (time) => accepts(`delivery ${time} of 6`, event), {
        concurrency: "unbounded",
      })
    }),
  },
  {
    id: "order.reversed",
    title: "MUST answer 2xx to a cancellation whose order has not come, and to that order afterwards",
    requirements: ["§6-14"],
    run: Effect.gen(function* () {
      const order = renamed()
      yield* accepts("order.cancelled", order(yield* text("order.cancelled")))
      yield* accepts("design.ordered", order(yield* text("design.ordered")))
    }),
  },
  {
    id: "size.large",
    title: "MUST accept a body of 4 MiB: an order of many designs, of which the largest have 34 MiB",
    requirements: ["§6-14"],
    run: Effect.gen(function* () {
      yield* accepts("a body of 4 MiB", JSON.stringify(yield* largeOrder))
    }),
  },
  {
    id: "size.slow",
    title: "MUST accept a body that arrives in pieces over 2 seconds",
    requirements: ["§6-14"],
    run: Effect.gen(function* () {
      yield* accepts("a slow body", yield* text("design.ordered"), { over: 2_000 })
    }),
  },
]

/** Deliveries that a receiver must reject. */
const rejected: ReadonlyArray<ListedCase> = [
  {
    id: "forged.secret",
    title: "MUST reject a delivery that is signed with another secret",
    requirements: ["§5-8", "§5-10"],
    run: Effect.gen(function* () {
      yield* rejects("another secret", yield* text("design.ordered"), { secret: otherSecret })
    }),
  },
  {
    id: "forged.body",
    title: "MUST reject a delivery whose body was changed after it was signed",
    requirements: ["§5-8", "§5-10"],
    run: Effect.gen(function* () {
      const event = yield* text("design.ordered")
      yield* rejects("another shop", event, { body: (body) => body.replace('"shop":"', '"shop":"evil-') })
      yield* rejects("a line feed more", event, { body: (body) => `${body}\n` })
    }),
  },
  {
    id: "forged.timestamp",
    title: "MUST reject a delivery whose timestamp was changed after it was signed",
    requirements: ["§5-8", "§5-10"],
    run: Effect.gen(function* () {
      const now = String(Math.floor((yield* Clock.currentTimeMillis) / 1_000))
      const headers = withHeader(timestamp, now)
      yield* rejects("an old delivery, made new", yield* text("design.ordered"), { off: -600, headers })
    }),
  },
  {
    id: "forged.form",
    title: "MUST reject a delivery without a signature or timestamp, or with one of another form",
    requirements: ["§5-8", "§5-10"],
    run: Effect.gen(function* () {
      const event = yield* text("design.ordered")
      yield* rejects("no signature", event, { headers: withHeader(signature) })
      yield* rejects("no timestamp", event, { headers: withHeader(timestamp) })
      for (const value of ["", "0", "null", "v1,", "0".repeat(64), "f".repeat(10_000)]) {
        const what = `the signature ${JSON.stringify(value.slice(0, 70))}`
        yield* rejects(what, event, { headers: withHeader(signature, value) })
      }
      yield* rejects("a timestamp that is no number", event, { headers: withHeader(timestamp, "now") })
    }),
  },
  {
    id: "late.past",
    title: "MUST reject a delivery that was signed more than 300 seconds ago: somebody may have recorded it",
    requirements: ["§5-9", "§5-10"],
    run: Effect.gen(function* () {
      for (const off of [-330, -86_400])
        yield* rejects(`a timestamp ${off} s off`, yield* text("design.ordered"), { off })
    }),
  },
  {
    id: "late.future",
    title: "MUST reject a delivery that was signed more than 300 seconds ahead of its clock",
    requirements: ["§5-9", "§5-10"],
    run: Effect.gen(function* () {
      for (const off of [330, 86_400])
        yield* rejects(`a timestamp ${off} s off`, yield* text("design.ordered"), { off })
    }),
  },
]

/** Deliveries with the headers of Standard Webhooks. */
const standard: ReadonlyArray<ListedCase> = [
  {
    id: "standard.several",
    title: "MUST accept a delivery if one of several signatures of Standard Webhooks fits, as while a secret changes",
    requirements: ["D40", "D41"],
    needs: ["standard"],
    run: Effect.gen(function* () {
      const other = `v1,${"A".repeat(43)}=`
      const added = (headers: Readonly<Record<string, string>>) => {
        const signed = headers["webhook-signature"] ?? ""
        return { ...headers, "webhook-signature": `${other} v1a,AAAA ${signed}` }
      }
      yield* accepts("three signatures", yield* text("design.ordered"), { headers: added })
    }),
  },
]

/** Every case of the suite. */
export const receiverCases: ReadonlyArray<ReceiverCase> = [...accepted, ...rejected, ...standard].map((each) => ({
  ...each,
  ports: ["Deliver"],
}))
