import { describe, expect, it } from "@effect/vitest"
import type { Attempt, AttemptError } from "../../model/webhooks/Delivery.ts"
import { usualOptions } from "../../model/webhooks/EndpointOptions.ts"
import * as DeliveryState from "./DeliveryState.ts"
import { defaultSchedule } from "./RetryPolicy.ts"

const attempt = (more: Partial<Attempt> = {}): Attempt => ({
  number: 1,
  at: 10_000,
  statusCode: 500,
  durationMs: 250,
  responseStart: "",
  error: null,
  ...more,
})

const pending = { status: "pending", test: false } as const

const outcome = (more: Partial<Attempt>, delivery: Parameters<typeof DeliveryState.afterAttempt>[0] = pending) =>
  DeliveryState.afterAttempt(delivery, attempt(more), defaultSchedule)

const errors: ReadonlyArray<AttemptError> = [
  "dns",
  "connect",
  "tls",
  "timeout",
  "redirect",
  "address_refused",
  "reset",
  "token",
]

describe("the table", () => {
  it("MUST match the specification (§3), and drop what its endpoint no longer takes (D31)", () => {
    expect(DeliveryState.transitions).toEqual([
      { from: null, trigger: "create", to: "pending" },
      { from: "pending", trigger: "succeed", to: "succeeded" },
      { from: "pending", trigger: "fail", to: "pending" },
      { from: "pending", trigger: "exhaust", to: "failed" },
      { from: "pending", trigger: "deselect", to: "dropped" },
      { from: "dropped", trigger: "succeed", to: "succeeded" },
      { from: "dropped", trigger: "fail", to: "dropped" },
      { from: "dropped", trigger: "exhaust", to: "failed" },
    ])
  })

  it("MUST have no transition from succeeded or failed: a redelivery is a new delivery (D22)", () => {
    for (const status of ["succeeded", "failed"] as const) {
      for (const trigger of ["create", "succeed", "fail", "exhaust", "deselect"] as const) {
        expect(DeliveryState.next(status, trigger)).toBe(undefined)
      }
    }
  })
})

describe("the endpoints of an event (D8, D23, D28)", () => {
  const endpoint = { status: "active", kinds: ["design.ordered", "order.cancelled"], options: usualOptions } as const

  it("MUST be active, take its kind, and belong to a shop whose plan has webhooks", () => {
    const ordered = { event: "design.ordered", body: "{}" } as const
    for (const [event, to, plan, expected] of [
      [ordered, endpoint, "pro", true],
      [ordered, endpoint, "plus", true],
      [ordered, endpoint, "free", false],
      [{ event: "design.created", body: "{}" } as const, endpoint, "pro", false],
      [ordered, { ...endpoint, status: "switched_off" } as const, "pro", false],
      [ordered, { ...endpoint, kinds: ["order.cancelled"] } as const, "pro", false],
    ] as const) {
      expect([event, to, plan, DeliveryState.isFor(event, to, { plan })]).toEqual([event, to, plan, expected])
    }
  })

  it("MUST be sent while its endpoint is active, or if it is a test, and never on the plan free", () => {
    for (const [test, status, plan, expected] of [
      [false, "active", "pro", true],
      [false, "switched_off", "pro", false],
      [true, "active", "plus", true],
      [true, "switched_off", "plus", true],
      [false, "active", "free", false],
      [true, "active", "free", false],
      [true, "switched_off", "free", false],
    ] as const) {
      const may = DeliveryState.maySend({ test }, { status }, { plan })
      expect([test, status, plan, may]).toEqual([test, status, plan, expected])
    }
  })

  it("MUST become a pending delivery, due now, without attempts", () => {
    const event = { id: "evt_a", event: "design.ordered", test: true } as const
    expect(DeliveryState.pendingDelivery("dlv_1", event, { shop: "acme", id: "whe_b" }, 5)).toEqual({
      shop: "acme",
      id: "dlv_1",
      endpointId: "whe_b",
      eventId: "evt_a",
      event: "design.ordered",
      test: true,
      status: "pending",
      createdAt: 5,
      nextAttemptAt: 5,
      attempts: [],
    })
  })
})

describe("the ids of deliveries (D22, D28)", () => {
  it("MUST depend on the event and the endpoint, and differ if either does", () => {
    expect(DeliveryState.deliveryId("evt_a", "whe_b")).toBe("dlv_ab")
    const ids = ["evt_a", "evt_b"].flatMap((event) =>
      ["whe_1", "whe_2"].map((endpoint) => DeliveryState.deliveryId(event, endpoint)),
    )
    expect(new Set(ids).size).toBe(4)
  })

  it("MUST depend on the event and the recovery run, and differ if either does", () => {
    expect(DeliveryState.recoveredId("run", "evt_a")).toBe("dlv_runa")
    expect(DeliveryState.recoveredId("again", "evt_a")).toBe("dlv_againa")
  })
})

describe("a missed event (D28)", () => {
  const endpoint = { kinds: ["design.ordered"], options: usualOptions } as const

  it("MUST be of the endpoint's kinds, with nothing delivered and nothing pending", () => {
    for (const [statuses, missed] of [
      [[], true],
      [["failed"], true],
      [["failed", "failed"], true],
      [["pending"], false],
      [["succeeded"], false],
      [["failed", "pending"], false],
      [["succeeded", "failed"], false],
    ] as const) {
      const event = { event: "design.ordered", test: false, body: "{}" } as const
      expect([statuses, DeliveryState.hasMissed(event, endpoint, statuses)]).toEqual([statuses, missed])
    }
  })

  it("MUST NOT be a test, nor an event of another kind", () => {
    for (const event of [
      { event: "design.ordered", test: true },
      { event: "ping", test: true },
      { event: "design.created", test: false },
      { event: "order.cancelled", test: false },
    ] as const) {
      expect([event, DeliveryState.hasMissed({ ...event, body: "{}" }, endpoint, [])]).toEqual([event, false])
    }
  })
})

describe("success", () => {
  it("MUST be 200 to 299 and nothing else (§6, D26)", () => {
    const codes = Array.from({ length: 600 }, (_, code) => code)
    expect(codes.filter((statusCode) => DeliveryState.isSuccess({ statusCode }))).toEqual(codes.slice(200, 300))
    expect(DeliveryState.isSuccess({ statusCode: null })).toBe(false)
  })

  it("MUST be decided by the status line, even if reading the body failed (D26)", () => {
    expect(outcome({ statusCode: 204, error: "reset" })?.status).toBe("succeeded")
    expect(outcome({ statusCode: 200, error: "timeout" })?.status).toBe("succeeded")
  })

  it("MUST call 3xx and only 3xx a redirect (§6, D32)", () => {
    const codes = Array.from({ length: 600 }, (_, code) => code)
    expect(codes.filter((code) => DeliveryState.errorOf(code) === "redirect")).toEqual(codes.slice(300, 400))
    expect(codes.filter((code) => DeliveryState.errorOf(code) === null)).toHaveLength(500)
  })
})

describe("afterAttempt", () => {
  it("MUST end a delivery that succeeded, at any attempt (§6)", () => {
    for (const number of [1, 4, 7]) {
      expect(outcome({ number, statusCode: 200 })).toEqual({ status: "succeeded", nextAttemptAt: null })
    }
  })

  it("MUST time a retry from the end of the failed attempt, not from its beginning (D25)", () => {
    expect(outcome({ at: 10_000, durationMs: 5_000 })).toEqual({ status: "pending", nextAttemptAt: 75_000 })
  })

  it("MUST never be early, even if a duration has fractions of a millisecond (D25)", () => {
    expect(outcome({ at: 10_000, durationMs: 0.25 })?.nextAttemptAt).toBe(70_001)
  })

  it("MUST mark a delivery failed after its seventh attempt and not before (§3, §6, D25)", () => {
    const outcomes = [1, 2, 3, 4, 5, 6, 7].map((number) => outcome({ number }))
    expect(outcomes.map((each) => each?.status)).toEqual([...Array(6).fill("pending"), "failed"])
    expect(outcomes.at(-1)).toEqual({ status: "failed", nextAttemptAt: null })
  })

  it("MUST retry after 410, 429 and every other non-2xx response alike (D25)", () => {
    for (const statusCode of [100, 199, 300, 301, 304, 308, 400, 401, 404, 410, 429, 500, 503, 599]) {
      expect(outcome({ statusCode })).toEqual({ status: "pending", nextAttemptAt: 70_250 })
    }
  })

  it("MUST retry after every cause of a missing response, including a refused address (§6, D32)", () => {
    for (const error of errors) {
      const statusCode = error === "redirect" ? 302 : null
      expect(outcome({ statusCode, responseStart: null, error })).toEqual({ status: "pending", nextAttemptAt: 70_250 })
    }
  })

  it("MUST NOT retry a test event (§6, D29)", () => {
    expect(outcome({}, { status: "pending", test: true })).toEqual({ status: "failed", nextAttemptAt: null })
    expect(outcome({ statusCode: 200 }, { status: "pending", test: true })?.status).toBe("succeeded")
  })

  it("MUST follow a custom schedule: one attempt more than it has waits", () => {
    const outcomes = [1, 2, 3].map((number) => DeliveryState.afterAttempt(pending, attempt({ number }), [10, 20]))
    expect(outcomes).toEqual([
      { status: "pending", nextAttemptAt: 10_260 },
      { status: "pending", nextAttemptAt: 10_270 },
      { status: "failed", nextAttemptAt: null },
    ])
  })

  it("MUST change nothing about a finished delivery", () => {
    for (const status of ["succeeded", "failed"] as const) {
      for (const statusCode of [200, 500]) {
        expect(outcome({ statusCode }, { status, test: false })).toBe(undefined)
      }
    }
  })
})

describe("a change of an endpoint's kinds (D31)", () => {
  const kinds = { kinds: ["design.created"], options: usualOptions } as const

  it.each([
    [{ status: "pending", event: "design.ordered", test: false }, true],
    [{ status: "pending", event: "design.created", test: false }, false],
    [{ status: "pending", event: "design.ordered", test: true }, false],
    [{ status: "pending", event: "ping", test: true }, false],
    [{ status: "succeeded", event: "design.ordered", test: false }, false],
    [{ status: "failed", event: "design.ordered", test: false }, false],
    [{ status: "dropped", event: "design.ordered", test: false }, false],
  ] as const)("MUST drop pending deliveries of other kinds, without tests: %j %s", (delivery, expected) => {
    expect(DeliveryState.isDropped(delivery, { ...delivery, body: "{}" }, kinds)).toBe(expected)
  })

  it("MUST leave a dropped delivery its attempt under way, but no retry", () => {
    const retry = { status: "pending", nextAttemptAt: 5 } as const
    expect(DeliveryState.settled("pending", retry)).toEqual(retry)
    expect(DeliveryState.settled("dropped", retry)).toEqual({ status: "dropped", nextAttemptAt: null })
    for (const status of ["succeeded", "failed"] as const) {
      const end = { status, nextAttemptAt: null }
      for (const before of ["pending", "dropped"] as const) expect(DeliveryState.settled(before, end)).toEqual(end)
    }
  })

  it("MUST count an event whose delivery was dropped as missed", () => {
    const event = { event: "design.created", test: false, body: "{}" } as const
    expect(DeliveryState.hasMissed(event, kinds, ["dropped", "failed"])).toBe(true)
    expect(DeliveryState.hasMissed(event, kinds, ["dropped", "pending"])).toBe(false)
    expect(DeliveryState.hasMissed(event, kinds, ["succeeded", "dropped"])).toBe(false)
  })
})
