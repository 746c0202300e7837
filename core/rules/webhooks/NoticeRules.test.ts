import { describe, expect, it } from "vitest"
import { allScopes, type TokenRecord } from "../../model/access/Token.ts"
import { type Health, healthy, newHealth } from "../../model/Health.ts"
import type { InboxEntry } from "../../model/ingest/InboxItem.ts"
import type { Attempt } from "../../model/webhooks/Delivery.ts"
import { noticeOf, sentenceOf } from "../../model/webhooks/Notice.ts"
import { afterAttempt } from "./EndpointState.ts"
import { droppedOf, endingId, endingOf, entriesOf, inboxBefore, noticesOf } from "./NoticeRules.ts"

const claim = {
  shop: "acme",
  deliveryId: "dlv_abc",
  endpointId: "whe_1",
  event: "design.ordered",
  test: false,
  url: "https://erp.example.com/hook?key=s3cret",
} as const

const refused: Attempt = { number: 3, at: 1_000, durationMs: 20, statusCode: 500, responseStart: "", error: null }

const failing = (consecutiveFailures: number): Health => ({ ...newHealth, consecutiveFailures })

/** Notices of a failed attempt at an endpoint with this many failures before it. */
const told = (before: Health, status: "pending" | "failed" = "pending", test = false) => {
  const after = afterAttempt(before, { test, success: false, endedAt: 1_020, durationMs: 20 })
  return noticesOf({ claim: { ...claim, test }, attempt: refused, status }, before, after)
}

const kindsOf = (notices: ReturnType<typeof told>) => notices.map((record) => noticeOf(record).notice)

describe("noticesOf", () => {
  it("MUST report a streak once at 10 failures, and once at the switch-off (D42)", () => {
    const kinds = Array.from({ length: 25 }, (_, failures) => kindsOf(told(failing(failures))))
    const off = told({ ...failing(20), status: "switched_off", switchedOffAt: 5 })
    expect(kinds.slice(0, 19).flatMap((list, failures) => list.map((kind) => [failures + 1, kind]))).toEqual([
      [10, "endpoint.failing"],
    ])
    expect(kinds[19]).toEqual(["endpoint.switched_off"])
    expect(off).toEqual([])
  })

  it("MUST report a delivery that is given up, alone or with other notices (D42)", () => {
    expect(kindsOf(told(failing(0), "failed"))).toEqual(["delivery.given_up"])
    expect(kindsOf(told(failing(9), "failed"))).toEqual(["endpoint.failing", "delivery.given_up"])
    expect(kindsOf(told({ ...failing(20), status: "switched_off", switchedOffAt: 5 }, "failed"))).toEqual([
      "delivery.given_up",
    ])
  })

  it("MUST NOT report successes or test events (D42)", () => {
    const success = { claim, attempt: { ...refused, statusCode: 200 }, status: "succeeded" } as const
    expect(noticesOf(success, failing(9), healthy)).toEqual([])
    expect(told(failing(9), "failed", true)).toEqual([])
  })

  it("MUST name the endpoint and the delivery, with an id derived from the attempt (D42)", () => {
    const [failed, given] = told(failing(9), "failed")
    expect(JSON.parse(failed?.body ?? "")).toEqual({
      id: "ntc_abc_3f",
      notice: "endpoint.failing",
      createdAt: "1970-01-01T00:00:01.020+00:00",
      shop: "acme",
      endpoint: { id: "whe_1", url: claim.url, consecutiveFailures: 10 },
      delivery: { id: "dlv_abc", event: "design.ordered", attempts: 3, statusCode: 500, error: null },
    })
    expect([failed?.shop, failed?.id, failed?.createdAt, given?.id]).toEqual([
      "acme",
      "ntc_abc_3f",
      1_020,
      "ntc_abc_3g",
    ])
  })
})

describe("endingOf", () => {
  const day = 86_400_000
  const token: TokenRecord = {
    shop: "acme",
    id: "tok_abc",
    name: "ERP",
    hint: "x7Gq",
    digest: "d",
    createdAt: 5,
    lastUsedAt: null,
    expiresAt: null,
    scopes: allScopes,
  }

  it("MUST be due once seven days before the end, or at once if the token has less (D77)", () => {
    const dueOf = (expiresAt: number | null) => endingOf({ ...token, expiresAt }).map(({ createdAt }) => createdAt)
    expect(dueOf(null)).toEqual([])
    expect(dueOf(30 * day)).toEqual([23 * day])
    expect(dueOf(7 * day + 6)).toEqual([6])
    expect(dueOf(7 * day + 5)).toEqual([5])
    expect(dueOf(6)).toEqual([5])
  })

  it("MUST name the token, and neither the token's text nor its digest (D77)", () => {
    const [ending] = endingOf({ ...token, expiresAt: 30 * day })
    const body = {
      id: "ntc_abc_e",
      notice: "token.ending",
      createdAt: "1970-01-24T00:00:00.000+00:00",
      shop: "acme",
      token: { id: "tok_abc", name: "ERP", hint: "x7Gq", expiresAt: "1970-01-31T00:00:00.000+00:00" },
    }
    expect({ ...ending, body: JSON.parse(ending?.body ?? "") }).toEqual({
      shop: "acme",
      id: endingId("tok_abc"),
      createdAt: 23 * day,
      body,
    })
    expect(sentenceOf(noticeOf({ body: JSON.stringify(body) }))).toBe(
      "The API token tok_abc of the shop acme ends at 1970-01-31T00:00:00.000+00:00",
    )
  })
})

describe("droppedOf", () => {
  const entry: InboxEntry = {
    ...{ shop: "acme", id: "inb_abc", source: "shopify", topic: "orders/create", eventId: "e", orderId: "1" },
    ...{ change: "place", modifiedAt: 1, triggeredAt: null, content: "c", property: "_designwire_id", receivedAt: 5 },
    ...{ state: "failed", reason: "another currency", designId: null },
  }

  it("MUST say how many events were dropped and what the oldest was, without its content (D57)", () => {
    const dropped = droppedOf(3, entry, 7)
    expect({ ...dropped, body: JSON.parse(dropped.body) }).toEqual({
      shop: "acme",
      id: "ntc_abc_d",
      createdAt: 7,
      body: {
        id: "ntc_abc_d",
        notice: "inbox.dropped",
        createdAt: "1970-01-01T00:00:00.007+00:00",
        shop: "acme",
        inbox: {
          events: 3,
          oldest: {
            ...{ id: "inb_abc", source: "shopify", topic: "orders/create", orderId: "1", state: "failed" },
            ...{ reason: "another currency", receivedAt: "1970-01-01T00:00:00.005+00:00" },
          },
        },
      },
    })
    expect(entriesOf([dropped])).toEqual([])
    const sentences = [dropped, droppedOf(1, { ...entry, orderId: null }, 7)].map((record) =>
      sentenceOf(noticeOf(record)),
    )
    expect(sentences).toEqual([
      '3 events of the platform of the shop acme were dropped and never applied. The oldest was "orders/create" about the order "1"',
      'An event of the platform of the shop acme was dropped and never applied. It was "orders/create"',
    ])
  })

  it("MUST drop whole days in UTC, so that there is one notice a day (D57)", () => {
    const dayLength = 86_400_000
    expect([0, 1, dayLength - 1, dayLength, dayLength + 1].map(inboxBefore)).toEqual([0, 0, 0, dayLength, dayLength])
  })
})

describe("sentenceOf", () => {
  it("MUST say what happened without the URL, which may contain a secret", () => {
    const sentences = [...told(failing(9), "failed"), ...told(failing(19))].map((record) =>
      sentenceOf(noticeOf(record)),
    )
    expect(sentences).toEqual([
      "Deliveries to the endpoint whe_1 of the shop acme have failed 10 times in a row",
      "The delivery dlv_abc to the endpoint whe_1 of the shop acme was given up after 3 attempts",
      "The endpoint whe_1 of the shop acme was switched off: its deliveries have failed 20 times in a row",
    ])
  })
})
