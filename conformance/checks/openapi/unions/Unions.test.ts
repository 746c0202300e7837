/** Every member of every union, through every consumer that programs of others and people have. */
import { createHmac } from "node:crypto"
import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, Layer, Logger, Option } from "effect"
import { TokenScope } from "../../../../core/model/access/Token.ts"
import { ActorType } from "../../../../core/model/audit/Actor.ts"
import { AuditAction, SubjectType } from "../../../../core/model/audit/AuditEntry.ts"
import { type Design, DesignStatus } from "../../../../core/model/catalog/Design.ts"
import { EndpointKind, EventKind, eventOf, noSubject } from "../../../../core/model/events/Event.ts"
import { EndpointStatus } from "../../../../core/model/Health.ts"
import { InboxStates } from "../../../../core/model/ingest/InboxView.ts"
import type { Json } from "../../../../core/model/json/Json.ts"
import { OrderStatus } from "../../../../core/model/orders/Order.ts"
import { AttemptError, type DeliveryRecord, DeliveryStatus } from "../../../../core/model/webhooks/Delivery.ts"
import { AuditStore } from "../../../../core/ports/AuditStore.ts"
import { DeliveryLog } from "../../../../core/ports/DeliveryLog.ts"
import { EndpointStore } from "../../../../core/ports/EndpointStore.ts"
import { Inbox } from "../../../../core/ports/Inbox.ts"
import { NoticeStore } from "../../../../core/ports/NoticeStore.ts"
import { Notices } from "../../../../core/ports/Notices.ts"

import { createClient, DesignwireRequestError } from "../../../../hosts/client/index.ts"
import { verifyNotice, verifyWebhook } from "../../../../hosts/receiver/index.ts"
import { outcomeOf } from "../../../../hosts/settings/parts/deliveries/Outcome.tsx"
import { english } from "../../../../hosts/settings/texts/English.ts"
import { german } from "../../../../hosts/settings/texts/German.ts"
import { shopInput } from "../../../suites/service/Samples.ts"
import { signedIn } from "../../../testkit/browsers/Browser.ts"
import {
  bodyOf,
  inProcess,
  manage,
  memory,
  newDesign,
  newOrder,
  newToken,
  publishVector,
  read,
} from "../../../testkit/hosts/TestHost.ts"
import { plainDocuments } from "../Documents.ts"
import { operationsOf, responsesOf } from "../Operations.ts"
import { audit, deliveries, endpoints, eventData, inbox, notices, now } from "./Samples.ts"

const secret = "whsec_c2FtcGxl"

/** The headers of a body that is signed now. */
const signed = (body: string) => {
  const timestamp = String(Math.floor(now / 1000))
  const signature = createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex")
  return { "x-service-timestamp": timestamp, "x-service-signature": signature }
}

const verifiable = (body: string) => ({ secret, headers: signed(body), body, now })

const languages = [
  { language: "en", texts: english },
  { language: "de", texts: german.texts },
] as const

/** The samples after one of them, or the first ones. */
const pageOf = <A extends { readonly id: string }>(
  all: ReadonlyArray<A>,
  after: string | null | undefined,
  limit: number,
) => {
  const from = all.findIndex(({ id }) => id === after) + 1
  return all.slice(from, from + limit)
}

/** A shop whose stores have the samples, and who looks at it. */
const site = Effect.fnUntraced(function* (language: "en" | "de" = "en") {
  const ports = yield* Layer.build((yield* memory.open).ports)
  const send = yield* inProcess(Layer.succeedContext(ports))
  yield* bodyOf(200, yield* manage(send, "PUT", "/shops/sample", shopInput))
  const shop = { id: "sample", ...(yield* newToken(send, "sample")) }
  yield* publishVector(send, shop, 101)
  for (const id of ["drafted", "held", "gone"]) yield* newDesign(send, shop, id)
  yield* newOrder(send, shop, "1001", ["held"])
  yield* newOrder(send, shop, "1002", ["gone"])
  yield* bodyOf(200, yield* manage(send, "POST", "/shops/sample/orders/1002/cancel"))
  yield* bodyOf(201, yield* manage(send, "POST", "/shops/sample/webhooks", { url: "https://93.184.216.34/hooks" }))
  const [stored] = yield* Context.get(ports, EndpointStore).list("sample")
  if (stored === undefined) return yield* Effect.die(new Error("The endpoint is not stored"))
  yield* Context.get(ports, EndpointStore).remove("sample", stored.id)
  for (const endpoint of endpoints(stored)) yield* Context.get(ports, EndpointStore).add(endpoint, 5)
  for (const entry of audit) yield* Context.get(ports, AuditStore).add(entry)
  const records = deliveries.map(
    (one): DeliveryRecord => ({ ...one, attempts: one.lastAttempt === null ? [] : [one.lastAttempt] }),
  )
  const recordOf = (id: string) => Option.fromUndefinedOr(records.find((one) => one.id === id))
  const noticeRecords = Object.values(notices).map((one) => ({
    ...{ shop: "sample", id: one.id, createdAt: now },
    body: JSON.stringify(one),
  }))
  const replaced = ports.pipe(
    Context.add(DeliveryLog, {
      ...Context.get(ports, DeliveryLog),
      list: (_shop, _endpoint, limit, part) => Effect.succeed(pageOf(records, part?.after?.id, limit)),
      find: (_shop, _endpoint, id) =>
        Effect.succeed(
          Option.map(recordOf(id), (delivery) => {
            const {
              claimedUntil = null,
              isBehind = false,
              subject = noSubject,
            } = deliveries.find((one) => one.id === id) ?? {}
            return { delivery, body: "{}", claimedUntil, isBehind, subject }
          }),
        ),
      page: () => Effect.succeed({ deliveries, next: null }),
    }),
    Context.add(Inbox, {
      ...Context.get(ports, Inbox),
      list: ({ after, limit }) => Effect.succeed(pageOf(inbox, after, limit)),
    }),
    Context.add(NoticeStore, { ...Context.get(ports, NoticeStore), list: () => Effect.succeed(noticeRecords) }),
  )
  const shown = yield* inProcess(Layer.succeedContext(replaced), { settings: { language } })
  return { send: shown, shop, browser: yield* signedIn(shown, "sample") }
})

/** A text as a page has it. */
const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")

const expectShown = (page: { readonly status: number; readonly text: string }, expected: ReadonlyArray<string>) => {
  expect(page.status).toBe(200)
  const shown = page.text.replaceAll("&#39;", "'")
  expect(expected.filter((text) => !shown.includes(escaped(text)))).toEqual([])
  expect(page.text).not.toMatch(/>(?:undefined|null|NaN|\[object)/)
}

describe("Receivers", () => {
  it.each(Object.values(notices))("verifyNotice MUST accept $notice (D42, D85)", async (notice) => {
    const body = JSON.stringify(notice)
    expect(await verifyNotice(verifiable(body))).toMatchObject({ ok: true, notice, kind: notice.notice })
  })

  it("verifyNotice MUST accept the kinds of later versions, and nothing that is no notice (D42, D85)", async () => {
    const { createdAt, id, shop } = notices["token.ending"]
    const later = JSON.stringify({ id, createdAt, shop, notice: "shop.moved", shops: 2 })
    expect(await verifyNotice(verifiable(later))).toMatchObject({
      ...{ ok: true, kind: "shop.moved", notice: { notice: "shop.moved", shops: 2 } },
    })
    for (const lacking of ["id", "createdAt", "shop", "notice"])
      expect(
        await verifyNotice(verifiable(JSON.stringify({ ...JSON.parse(later), [lacking]: undefined }))),
      ).toMatchObject({ reason: "bad_body" })
  })

  it.live.each(EventKind.literals)("verifyWebhook MUST accept %s (§2.5, §6)", (event) =>
    Effect.gen(function* () {
      const { send, shop } = yield* site()
      const design = (yield* read(send, shop.token, "/designs/held")).text
      const order = (yield* read(send, shop.token, "/orders/1002")).text
      const { body } = eventOf(
        { ...shopInput, id: "sample" },
        { id: "evt_1", event, data: eventData[event](design, order), now },
      )
      expect(yield* Effect.promise(() => verifyWebhook(verifiable(body)))).toMatchObject({ ok: true, event: { event } })
      expect(Object.keys(plainDocuments.rest.webhooks ?? {})).toContain(event)
    }),
  )
})

it.effect.each(Object.values(notices))("The log MUST have a line for $notice (D42)", (notice) =>
  Effect.gen(function* () {
    const lines: Array<string> = []
    const record = { shop: "sample", id: notice.id, createdAt: now, body: JSON.stringify(notice) }
    yield* Notices.defaultValue()
      .send(record)
      .pipe(Effect.provide(Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))])))
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain("of the shop sample")
    expect(lines[0]).not.toMatch(/undefined|\[object/)
  }),
)

describe("The client", () => {
  const client = (respond: () => Response) =>
    createClient({ url: "https://a.example/v1", token: "cmz_x", maxRetries: 0, fetch: async () => respond() })

  it.each(EndpointKind.literals)("MUST return events of the kind %s", async (event) => {
    const page = { data: [{ id: "evt_1", event }], pagination: { limit: 25, nextCursor: "e1", hasMore: false } }
    expect((await client(() => Response.json(page)).events.list()).data).toMatchObject([{ event }])
  })

  const statuses = operationsOf(plainDocuments.rest).flatMap((operation) =>
    Object.keys(responsesOf(plainDocuments.rest, operation)),
  )
  const failing = [...new Set(statuses)].map(Number).filter((status) => status >= 400)

  it("MUST be tried with every status of an error that its service answers", () => {
    expect(failing.length).toBeGreaterThan(6)
  })

  it.each(failing)("MUST know the meaning of the status %i", async (status) => {
    const headers = { "x-api-version": "2026-10" }
    const error = await client(() => Response.json({ message: "No" }, { status, headers }))
      .orders.get("1")
      .catch((failure: unknown) => failure)
    if (!(error instanceof DesignwireRequestError)) throw new Error("It did not fail")
    expect(error).toMatchObject({ status, message: "No" })
    // Statuses about requests that the client never sends.
    if (![405, 408, 413, 417, 431].includes(status)) expect(error.code).not.toBe("unexpected_answer")
  })
})

describe("The management API", () => {
  it.live("MUST describe what it answers about each member: the answers are compared with its document", () =>
    Effect.gen(function* () {
      const { send } = yield* site()
      /** The values on all pages of a list. */
      const valuesAt = Effect.fnUntraced(function* (path: string, name: string) {
        const values = new Set<Json[string]>()
        let after: string | null | undefined
        do {
          const query = after == null ? "" : `?after=${after}`
          const page = (yield* bodyOf(200, yield* manage(send, "GET", `/shops/sample/${path}${query}`))) as {
            readonly data: ReadonlyArray<Json>
            readonly pagination?: { readonly nextCursor: string | null }
          }
          for (const one of page.data) values.add(one[name])
          after = page.pagination?.nextCursor
        } while (after != null)
        return [...values].sort()
      })
      const sorted = (literals: ReadonlyArray<string>) => [...literals].sort()
      expect(yield* valuesAt("audit", "action")).toEqual(expect.arrayContaining(sorted(AuditAction.literals)))
      expect(yield* valuesAt("inbox", "state")).toEqual(sorted(InboxStates.literals))
      expect(yield* valuesAt("webhooks", "status")).toEqual(sorted(EndpointStatus.literals))
      expect(yield* valuesAt("webhooks/whe_0/deliveries", "status")).toEqual(sorted(DeliveryStatus.literals))
      expect(yield* valuesAt("webhooks/whe_0/deliveries", "event")).toEqual(sorted(EventKind.literals))
      for (const { id } of deliveries)
        yield* bodyOf(200, yield* manage(send, "GET", `/shops/sample/webhooks/whe_0/deliveries/${id}`))
    }),
  )

  it.live("MUST export designs and orders in each state (D75)", () =>
    Effect.gen(function* () {
      const { send } = yield* site()
      const exported = (kind: string, format: string) =>
        Effect.map(manage(send, "GET", `/shops/sample/export?kind=${kind}&format=${format}`), ({ text }) =>
          text.trim().split(/\r?\n/),
        )
      const statusesOf = (lines: ReadonlyArray<string>) =>
        lines.map((line) => (JSON.parse(line) as Design).status).sort()
      expect(statusesOf(yield* exported("designs", "jsonl"))).toEqual([...DesignStatus.literals].sort())
      expect(statusesOf(yield* exported("orders", "jsonl"))).toEqual([...OrderStatus.literals].sort())
      const [heading = "", ...lines] = yield* exported("designs", "csv")
      const column = heading.split(",").findIndex((name) => /\bstatus$/.test(name))
      expect(lines.map((line) => line.split(",")[column]).sort()).toEqual([...DesignStatus.literals].sort())
    }),
  )
})

/** Every list of values in a document, each as a sorted text. */
const enumsIn = (node: unknown): ReadonlyArray<string> => {
  if (typeof node !== "object" || node === null) return []
  const own = (node as { readonly enum?: unknown }).enum
  return [...(Array.isArray(own) ? [[...own].sort().join()] : []), ...Object.values(node).flatMap(enumsIn)]
}

it.each([
  [
    "manage",
    {
      AttemptError,
      DeliveryStatus,
      EndpointKind,
      EventKind,
      EndpointStatus,
      AuditAction,
      SubjectType,
      ActorType,
      InboxStates,
      TokenScope,
    },
  ],
  ["rest", { DesignStatus, OrderStatus }],
] as const)("The OpenAPI document of %s MUST list every member of its unions", (api, unions) => {
  const enums = new Set(enumsIn(plainDocuments[api]))
  const missing = Object.entries(unions).filter(([, { literals }]) => !enums.has([...literals].sort().join()))
  expect(missing.map(([name]) => name)).toEqual([])
})

describe.each(languages)("The settings app in $language", ({ language, texts }) => {
  it.live("MUST have words for each member, on its pages", () =>
    Effect.gen(function* () {
      const { browser } = yield* site(language)
      const open = (path: string) => browser.open(`/settings/${path}`)
      const outcomes = [
        ...new Set(
          deliveries.flatMap(({ lastAttempt }) => (lastAttempt === null ? [] : [outcomeOf(lastAttempt, texts)])),
        ),
      ]
      expect(outcomes).toHaveLength(AttemptError.literals.length + 1)
      const { states } = texts.deliveries
      expectShown(yield* open("deliveries"), [
        ...DeliveryStatus.literals.map((one) => states[one]),
        ...EventKind.literals,
        ...outcomes,
      ])
      for (const { id, lastAttempt, status } of deliveries) {
        const words = [states[status], ...(lastAttempt === null ? [] : [outcomeOf(lastAttempt, texts)])]
        expectShown(yield* open(`webhooks/whe_0/deliveries/${id}`), words)
      }
      const changes = [yield* open("audit")]
      for (;;) {
        const next = /<a class="button" href="([^"]+)" rel="next"/.exec(changes.at(-1)?.text ?? "")?.[1]
        if (next === undefined) break
        changes.push(yield* open(`audit${next.replaceAll("&amp;", "&")}`))
      }
      const all = { status: 200, text: changes.map(({ text }) => text).join("\n") }
      expectShown(
        all,
        AuditAction.literals.map((action) => texts.audit.actions[action]),
      )
      expectShown(
        all,
        SubjectType.literals.map((type) => texts.audit.subjects[type]),
      )
      expectShown(
        yield* open("inbox"),
        InboxStates.literals.map((state) => texts.inbox.states[state]),
      )
      const { failing, givenUp, inboxDropped, switchedOff, tokenEnding } = texts.notices
      expectShown(yield* open(""), [failing(20), switchedOff(20), givenUp(8), inboxDropped(3), tokenEnding("ERP")])
      for (const index of EndpointStatus.literals.keys()) expectShown(yield* open(`webhooks/whe_${index}`), [])
      expectShown(yield* open("webhooks"), [texts.badges.active])
    }),
  )
})
