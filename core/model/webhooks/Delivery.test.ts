import { describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import { reader } from "../Input.ts"
import { Delivery, type DeliveryRecord, logLength, maximumResponseStart, view } from "./Delivery.ts"

const record: DeliveryRecord = {
  shop: "demo",
  id: "dlv_1",
  endpointId: "whe_1",
  eventId: "evt_1",
  event: "order.cancelled",
  test: false,
  status: "pending",
  createdAt: 0,
  nextAttemptAt: 60_500,
  attempts: [
    { number: 1, at: 0, statusCode: 500, durationMs: 500, responseStart: "no", error: null },
    { number: 2, at: 1, statusCode: null, durationMs: 3_000, responseStart: null, error: "connect" },
  ],
}

describe("view", () => {
  it("MUST show each attempt's time, status code, duration, and the start of its response or why there is none (§8, D32)", () => {
    expect(view(record)).toEqual({
      id: "dlv_1",
      eventId: "evt_1",
      event: "order.cancelled",
      test: false,
      status: "pending",
      createdAt: "1970-01-01T00:00:00.000+00:00",
      nextAttemptAt: "1970-01-01T00:01:00.500+00:00",
      attempts: [
        {
          number: 1,
          at: "1970-01-01T00:00:00.000+00:00",
          statusCode: 500,
          durationMs: 500,
          responseStart: "no",
          error: null,
        },
        {
          number: 2,
          at: "1970-01-01T00:00:00.001+00:00",
          statusCode: null,
          durationMs: 3_000,
          responseStart: null,
          error: "connect",
        },
      ],
    })
  })

  it("MUST show null as the next attempt of a delivery that is over", () => {
    expect(view({ ...record, status: "failed", nextAttemptAt: null }).nextAttemptAt).toBe(null)
  })

  it("MUST match its schema", () => {
    expect(Result.getOrThrow(reader(Delivery)(view(record)))).toEqual(view(record))
  })
})

describe("the log", () => {
  it("MUST be 50 deliveries of an endpoint, each response's first 1,024 bytes (§8, D26, D32)", () => {
    expect([logLength, maximumResponseStart]).toEqual([50, 1024])
  })
})
