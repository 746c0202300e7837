import type { PassedDelivery, ReceiverAnswer, ServiceFault } from "../ServiceFault.ts"
import { accepting, call, type Event, events, fault, type Hooks, sends, signed, taken, turned } from "./Changes.ts"

/** Changes headers of deliveries; undefined removes one. */
const headers = (change: (delivery: PassedDelivery, count: number) => Readonly<Record<string, string | undefined>>) =>
  sends(({ count, delivery, send }) => {
    const changed = Object.entries({ ...delivery.headers, ...change(delivery, count) })
    const kept = changed.flatMap(([name, own]) => (own === undefined ? [] : [[name, own]]))
    return send({ headers: Object.fromEntries(kept) })
  })

/** Tells the service another status than the receiver has answered. */
const told = (to: number, when: (status: number) => boolean) =>
  sends(async ({ send }) => {
    const answer = await send()
    return when(answer.status) ? { ...answer, status: to } : answer
  })

/** Sends a delivery once more after so many milliseconds. */
const again = (wait: number, when: (status: number, count: number, event: Event) => boolean) =>
  sends(async ({ count, event, send }) => {
    const answer = await send()
    if (when(answer.status, count, event)) setTimeout(() => void send().catch(() => undefined), wait)
    return answer
  })

const lost = (when: (event: Event, count: number, id: string) => boolean) =>
  sends(async ({ count, delivery, event, send }) =>
    when(event, count, delivery.headers["X-Service-Delivery"] ?? "") ? taken : send(),
  )

/** Answers for a receiver that has not answered after so many milliseconds. */
const after = (wait: number, answer: ReceiverAnswer) =>
  sends(({ send }) => {
    const late = new Promise<ReceiverAnswer>((done) => setTimeout(() => done(answer), wait))
    return Promise.race([send(), late])
  })

type Sending = Parameters<Parameters<typeof sends>[0]>[0]

/** Sends deliveries in another way. `failures` are those of the receiver in a row, of events that count. */
const counting = (
  own: (given: Sending & { readonly failures: () => number }) => Promise<ReceiverAnswer>,
  isCounted = ({ test }: Event) => !test,
): Hooks => {
  const all = new Map<string, number>()
  return sends(async (given) => {
    const { target } = given.delivery
    const failures = () => all.get(target) ?? 0
    const answer = await own({ ...given, failures })
    if (isCounted(given.event)) all.set(target, answer.status < 300 ? 0 : failures() + 1)
    return answer
  })
}

/** Sends nothing more to a receiver after so many failures in a row. */
const switching = (limit: number, isCounted?: (event: Event) => boolean) =>
  counting(async ({ failures, send }) => (failures() >= limit ? { ...taken, status: 500 } : send()), isCounted)

type Log = Awaited<ReturnType<Parameters<NonNullable<Hooks["drives"]>>[0]["deliveries"]>>

type Attempt = Log[number]["attempts"][number]

const log = (change: (log: Log) => Log) => call("deliveries", async (own, given) => change(await own(given)))

const attempts = (change: (attempt: Attempt) => Attempt) =>
  log((own) => own.map((each) => ({ ...each, attempts: each.attempts.map(change) })))

/** What is sent. */
// biome-ignore format: a fault is a row
const form: ReadonlyArray<ServiceFault> = [
  fault("the signature is over the body alone", "deliveries.ordered", sends(({ delivery, send, world }) => {
    const other = signed({ ...delivery, headers: {} }, world).headers
    return send({ headers: { ...delivery.headers, ...other } })
  })),
  fault("the signature is in upper case", "deliveries.ordered",
    headers(({ headers: own }) => ({ "X-Service-Signature": own["X-Service-Signature"]?.toUpperCase() }))),
  fault("the signature is over other bytes than those sent", "deliveries.ordered",
    sends(({ delivery, send }) => send({ body: `${delivery.body}\n` }))),
  fault("a timestamp in milliseconds", "deliveries.ordered", sends(({ delivery, send, world }) => {
    const timestamp = { "X-Service-Timestamp": String(Date.now()) }
    return send(signed({ ...delivery, headers: { ...delivery.headers, ...timestamp } }, world))
  })),
  fault("names of headers in lower case", "deliveries.ordered", sends(({ delivery, send }) => {
    const lower = Object.entries(delivery.headers).map(([name, own]) => [name.toLowerCase(), own])
    return send({ headers: Object.fromEntries(lower) })
  })),
  ...["X-Service-Event", "X-Service-Delivery", "Content-Type"].map((name) =>
    fault(`a delivery without ${name}`, "deliveries.ordered", headers(() => ({ [name]: undefined })))),
  fault("another agent", "deliveries.ordered", headers(() => ({ "User-Agent": "node" }))),
  ...["id", "event", "apiVersion", "createdAt", "shop", "data", "test"].map((name) =>
    fault(`an envelope without ${name}`, "deliveries.ordered", events((own) => ({ ...own, [name]: undefined })))),
  fault("an envelope with a field more", "deliveries.ordered", events((own) => ({ ...own, version: 1 }))),
  fault("fields of a design in another order", "deliveries.ordered", events((own) =>
    ({ ...own, data: own.data.design === undefined ? own.data : { design: turned(own.data.design) } }))),
  fault("a cancelled order is sent as it was", "deliveries.cancelled", events((own) =>
    ({ ...own, data: own.data.order === undefined ? own.data : { order: { ...own.data.order, status: "ordered" } } }))),
  fault("the signing secret in a header", "deliveries.ordered", sends(({ delivery, send, world }) =>
    send({ headers: { ...delivery.headers, "X-Key": world.secrets.get(delivery.target)?.slice(6) ?? "" } }))),
  fault("deliveries have baggage", "retries.trace", headers(() => ({ baggage: "shop=1" }))),
  fault("every attempt has one span", "retries.trace",
    headers(() => ({ traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01` }))),
]

/** Who gets what. */
// biome-ignore format: a fault is a row
const fates: ReadonlyArray<ServiceFault> = [
  fault("an event for the first design of an order only", "deliveries.ordered",
    lost(({ data }) => data.design?.id === "b")),
  fault("cancellations are not sent", "deliveries.cancelled", lost(({ event }) => event === "order.cancelled")),
  fault("saved designs are sent to all", "deliveries.created", call("createEndpoint", (own, { input, shop }) =>
    own({ shop, input: { events: ["design.created", "design.ordered", "order.cancelled"], ...input } }))),
  fault("a saved design is sent twice", "deliveries.created",
    again(200, (_, count, own) => own.event === "design.created" && count === 1)),
  fault("two endpoints get one delivery", "deliveries.endpoints", () => {
    const first: Record<string, { readonly target: string; readonly delivery: string | undefined }> = {}
    return headers(({ body, headers: own, target }) => {
      const { id } = JSON.parse(body)
      const { [id]: before = { target, delivery: own["X-Service-Delivery"] } } = first
      first[id] = before
      return before.target === target ? {} : { "X-Service-Delivery": before.delivery }
    })
  }),
  fault("the good lines of a refused order are sent", "deliveries.refused", call("putOrder", (own, given) =>
    own(given).catch(async (error: unknown) => {
      const lines = given.input.lines.filter(({ designId }) => designId !== "nobodys")
      await own({ ...given, input: { ...given.input, lines } }).catch(() => undefined)
      throw error
    }))),
  fault("a shop off the plan gets deliveries", "deliveries.plan", () => {
    const shops = new Set<string>()
    return {
      drives: ({ createEndpoint, putShop }) => ({
        createEndpoint: (given) => createEndpoint(given).finally(() => shops.add(given.shop)),
        putShop: ({ input, shop }) => putShop({ shop, input: shops.has(shop) ? { ...input, plan: "pro" } : input }),
      }),
    }
  }),
  fault("an event is new when it is redelivered", "deliveries.redeliver", () => {
    const first = new Map<string, string>()
    return sends(({ delivery, event, send, world }) => {
      const [key, id = ""] = [`${delivery.target} ${event.id}`, delivery.headers["X-Service-Delivery"]]
      if (!first.has(key)) first.set(key, id)
      if (first.get(key) === id) return send()
      return send(signed({ ...delivery, body: JSON.stringify({ ...event, id: `evt_${id}` }) }, world))
    })
  }),
  fault("redelivering does nothing", "deliveries.redeliver", call("redeliver", async () => ({ id: "dlv_none" }))),
  fault("a ping without a message", "deliveries.test.ping",
    events((own) => (own.event === "ping" ? { ...own, data: {} } : own))),
  fault("a test is not marked", "deliveries.test.ping", events((own) => ({ ...own, test: false }))),
  fault("all tests are one event", "deliveries.test.sample",
    events((own) => ({ ...own, id: own.test ? "evt_1" : own.id }))),
  fault("a test has the design that was ordered last", "deliveries.test.sample", events((own) =>
    (own.test && own.data.design ? { ...own, data: { design: { ...own.data.design, id: "c" } } } : own))),
  fault("a test is sent to endpoints that take its kind only", "deliveries.test.sample",
    lost((own) => own.test && own.event === "design.ordered")),
]

/** The log of deliveries. */
// biome-ignore format: a fault is a row
const logs: ReadonlyArray<ServiceFault> = [
  fault("the log begins with the oldest", "deliveries.log", log((own) => own.toReversed())),
  fault("the log has 1,000 bytes of a response", "deliveries.log",
    attempts((own) => ({ ...own, responseStart: own.responseStart?.slice(0, 1_000) ?? null }))),
  fault("the log has seconds", "deliveries.log",
    attempts((own) => ({ ...own, durationMs: own.durationMs / 1_000 + 0.5 }))),
  fault("the log has 49 deliveries", "deliveries.log.length", log((own) => own.slice(0, 49))),
  fault("the log has the last attempt only", "retries.schedule",
    log((own) => own.map((each) => ({ ...each, attempts: each.attempts.slice(-1) })))),
  fault("what was given up stays pending", "retries.schedule",
    log((own) => own.map((each) => (each.status === "failed" ? { ...each, status: "pending" } : each)))),
  fault("a timeout is logged as 504", "retries.timeout",
    attempts((own) => ({ ...own, statusCode: own.statusCode ?? 504 }))),
]

/** Attempts. */
// biome-ignore format: a fault is a row
const retries: ReadonlyArray<ServiceFault> = [
  fault("what has failed is not tried again", "retries.schedule", lost((own, count) => !own.test && count > 1)),
  fault("the last attempt is missing", "retries.schedule", lost((_, count) => count === 5)),
  fault("an attempt more than the schedule has", "retries.schedule",
    again(100, (status, count) => status >= 500 && count === 5)),
  fault("a retry comes at once", "retries.schedule",
    again(5, (status, count, own) => status >= 500 && count === 1 && !own.test)),
  fault("the third attempt comes at once", "retries.schedule", () => {
    const early = new Map<string, Promise<ReceiverAnswer>>()
    return sends(async ({ count, delivery, event, send }) => {
      const id = delivery.headers["X-Service-Delivery"] ?? ""
      const sent = count === 3 ? early.get(id) : undefined
      if (sent !== undefined) return sent
      const answer = await send()
      if (count === 2 && answer.status >= 500 && !event.test) early.set(id, send())
      return answer
    })
  }),
  fault("another delivery id for each attempt", "retries.schedule",
    headers(({ headers: own }, count) => ({ "X-Service-Delivery": `${own["X-Service-Delivery"]}-${count}` }))),
  fault("another event id for each attempt", "retries.schedule",
    events((own, count) => (count > 1 ? { ...own, id: `${own.id}-${count}` } : own))),
  fault("an attempt has its own time in the body", "retries.schedule", events((own, count) =>
    (count > 1 ? { ...own, createdAt: `2027-01-01T00:00:00.00${count}+00:00` } : own))),
  fault("only 200 is a success", "retries.success", told(500, (status) => status > 200 && status < 300)),
  fault("204 is no success", "retries.success", told(500, (status) => status === 204)),
  fault("a success is sent again", "deliveries.once", again(4_500, (status, count) => status < 300 && count === 1)),
  fault("410 ends a delivery", "retries.failures", told(200, (status) => status === 410)),
  fault("4xx is no failure", "retries.failures", told(200, (status) => status >= 400 && status < 500)),
  fault("a broken connection is a success", "retries.failures", sends(({ send }) => send().catch(() => taken))),
  fault("redirects are followed", "retries.redirect", sends(async ({ send }) => {
    const answer = await send()
    const { location } = answer.headers
    return location === undefined ? answer : send({ target: location })
  })),
  fault("a redirect is a success", "retries.redirect", told(200, (status) => status > 300 && status < 400)),
  fault("two seconds to answer", "retries.timeout", after(2_000, { ...taken, status: 504 })),
  fault("silence is a success", "retries.timeout", after(4_000, taken)),
  fault("a test is tried again", "retries.test",
    again(100, (status, count, own) => status >= 500 && count === 1 && own.test)),
  fault("a redelivery is not tried again", "retries.redelivered", () => {
    const redelivered = new Set<string>()
    return {
      ...lost((_, count, id) => count > 1 && redelivered.has(id)),
      ...call("redeliver", async (own, given) => {
        const made = await own(given)
        redelivered.add(made.id)
        return made
      }),
    }
  }),
]

/** Endpoints, and when they are off. */
// biome-ignore format: a fault is a row
const endpoints: ReadonlyArray<ServiceFault> = [
  fault("endpoints share a secret", "endpoints.secret", call("createEndpoint", async (own, given) => {
    const made = await own(given)
    return given.input.url.startsWith("https:") ? { ...made, secret: `whsec_${"A".repeat(43)}=` } : made
  })),
  ...([
    ["a sixth endpoint is accepted", "endpoints.five", / 409 .*5 endpoints/],
    ["unknown kinds are accepted", "endpoints.kinds", /"events":.* 4\d\d /],
    ["an endpoint off the plan is accepted", "endpoints.plan", /8\.8\.8\.8\/"}}.*plan/],
    ["an endpoint at 10.0.0.1 is accepted", "endpoints.public", /10\.0\.0\.1/],
    ["an endpoint at ::ffff:10.0.0.1 is accepted", "endpoints.public", /ffff:10\.0\.0\.1/],
    ["an endpoint with user and password is accepted", "endpoints.public", /user:secret/],
    ["an endpoint of a reserved name is accepted", "endpoints.public", /printer\.local/],
  ] as const).map(([title, caughtBy, when]) =>
    fault(title, caughtBy, accepting("createEndpoint", when, { id: "whe_1", secret: "whsec_1" }))),
  fault("a token off the plan", "endpoints.plan", accepting("createToken", /plan/, { id: "t", token: "cmz_" })),
  fault("switched off after 19 failures", "off.twenty", switching(19)),
  fault("failed tests count", "off.reset", switching(20, () => true)),
  fault("twenty failed tests switch off", "off.reset", switching(20, ({ test }) => test)),
  fault("an attempt more after the switch-off", "off.exact", counting(async ({ event, failures, send }) => {
    const answer = await send()
    if (failures() === 19 && !event.test) setTimeout(() => void send().catch(() => undefined), 50)
    return answer
  })),
  fault("suspended deliveries are taken for sent", "off.twenty",
    counting(async ({ count, failures, send }) => (failures() >= 20 && count > 1 ? taken : send()))),
  fault("never switched off", "off.twenty", counting(async ({ failures, send }) => {
    const answer = await send()
    return failures() % 12 === 11 ? { ...answer, status: 200 } : answer
  }, () => true)),
  fault("nothing was missed", "off.twenty",
    call("enable", async (own, given) => ({ ...(await own(given)), missed: 0 }))),
  fault("what was missed is lost", "off.recover", call("recover", async () => ({ deliveries: 0 }))),
  fault("recovering counts what there was", "off.recover",
    call("recover", async (own, given) => ({ deliveries: (await own(given)).deliveries || 1 }))),
  fault("pausing does nothing", "off.pause", call("pause", async () => null)),
]

export const wrongWebhooks = [...form, ...fates, ...logs, ...retries, ...endpoints]
