import { describe, expect, it } from "vitest"
import type { AuditAction, AuditEntry, AuditFields } from "../../model/audit/AuditEntry.ts"
import type { EventKind } from "../../model/events/Event.ts"
import type { DeliveryStatus } from "../../model/webhooks/Delivery.ts"
import { usualOptions } from "../../model/webhooks/EndpointOptions.ts"
import type { FoundEvent, LoggedDelivery } from "../../model/webhooks/LoggedDelivery.ts"
import { fateOf, linesOf, type Past, toSend } from "./Fate.ts"

const eventOf = (id: string, createdAt: number, event: EventKind = "design.ordered"): FoundEvent => ({
  ...{ shop: "s", id, event, test: false, createdAt, subject: { order: "o", design: "d" }, trace: null },
})

const deliveryOf = (eventId: string, status: DeliveryStatus, createdAt: number, test = false): LoggedDelivery => ({
  ...{ shop: "s", id: `dlv_${createdAt}`, endpointId: "whe_1", eventId, event: "design.ordered", test, status },
  ...{ createdAt, nextAttemptAt: null, subject: { order: "o", design: "d" }, attempts: 1 },
  ...{ lastAttempt: null, claimedUntil: null, isBehind: false },
})

const entryOf = (
  at: number,
  action: AuditAction,
  before: AuditFields | null,
  after: AuditFields | null,
): AuditEntry => ({
  ...{ shop: "s", id: `aud_${at}`, at, actor: { type: "service", name: "designwire" }, action, before, after },
  subject: action === "shop.changed" ? { type: "shop", id: "s" } : { type: "endpoint", id: "whe_1" },
})

const event = eventOf("evt_1", 100)

/** The reason why an endpoint never got the event of the instant 100. */
const reason = (past: Partial<Omit<Past, "endpoint">> & { readonly endpoint?: Partial<Past["endpoint"]> }) => {
  const endpoint: Past["endpoint"] = {
    ...{ id: "whe_1", createdAt: 1, status: "active", switchedOffAt: null },
    ...{ kinds: ["design.ordered"], options: usualOptions },
    ...past.endpoint,
  }
  const usual = { shop: { plan: "plus" }, entries: [], knownSince: 0, customizersOf: () => [7] } as const
  const fate = fateOf(event, [], { ...usual, ...past, endpoint })
  return "because" in fate ? [fate.because, fate.since] : fate
}

describe("The fate of an event at an endpoint (D28, D31, D32, D76)", () => {
  it("MUST be what the endpoint was at the event's time, whatever it is now", () => {
    const paused = entryOf(90, "endpoint.paused", { status: "active" }, { status: "paused" })
    const enabled = entryOf(150, "endpoint.enabled", { status: "paused" }, { status: "active" })
    const off = entryOf(95, "endpoint.switched_off", { status: "active" }, { status: "switched_off" })
    const on = entryOf(150, "endpoint.enabled", { status: "switched_off" }, { status: "active" })
    expect(reason({ entries: [enabled, paused] })).toEqual(["paused", 90])
    expect(reason({ entries: [on, off] })).toEqual(["switched_off", 95])
    expect(reason({ entries: [on] })).toEqual(["switched_off", null])
    const later = entryOf(120, "endpoint.paused", { status: "active" }, { status: "paused" })
    expect(reason({ entries: [later], endpoint: { status: "paused", switchedOffAt: 120 } })).toEqual(["unlisted", null])
    expect(reason({ endpoint: { status: "switched_off", switchedOffAt: 60 } })).toEqual(["switched_off", 60])
  })

  it("MUST name the kind, the customizers, the plan or the later beginning that kept the event away", () => {
    const took = entryOf(130, "endpoint.changed", { events: ["order.cancelled"] }, { events: ["design.ordered"] })
    expect(reason({ entries: [took] })).toEqual(["kind", null])
    expect(reason({ endpoint: { kinds: ["order.cancelled"] } })).toEqual(["kind", null])
    const gave = entryOf(130, "endpoint.changed", { events: ["design.ordered"] }, { events: ["order.cancelled"] })
    expect(reason({ entries: [gave], endpoint: { kinds: ["order.cancelled"] } })).toEqual(["unlisted", null])
    const others = { options: { ...usualOptions, customizers: [8] } }
    expect(reason({ endpoint: others })).toEqual(["customizers", null])
    expect(reason({ endpoint: others, customizersOf: () => [8, 7] })).toEqual(["unlisted", null])
    expect(reason({ endpoint: others, customizersOf: () => null })).toEqual(["unlisted", null])
    const widened = entryOf(130, "endpoint.changed", { customizers: ["8"] }, { customizers: null })
    expect(reason({ entries: [widened] })).toEqual(["customizers", null])
    const upgraded = entryOf(130, "shop.changed", { plan: "free" }, { plan: "plus" })
    expect(reason({ entries: [upgraded] })).toEqual(["plan", null])
    expect(reason({ endpoint: { createdAt: 101 } })).toEqual(["added", 101])
  })

  it("MUST NOT be a reason that nobody knows: of entries that were not read, or a delivery that the log has dropped", () => {
    expect(reason({})).toEqual(["unlisted", null])
    expect(reason({ knownSince: 101, endpoint: { kinds: ["order.cancelled"] } })).toEqual(["unlisted", null])
  })

  it("MUST be the delivery that waits, or else one that succeeded, or else the newest, and never a test", () => {
    const usual = { shop: { plan: "plus" }, entries: [], knownSince: 0, customizersOf: () => null } as const
    const endpoint = { id: "whe_1", createdAt: 1, status: "active", switchedOffAt: null } as const
    const past: Past = { ...usual, endpoint: { ...endpoint, kinds: ["design.ordered"], options: usualOptions } }
    const shown = (...all: ReadonlyArray<LoggedDelivery>) => {
      const fate = fateOf(event, all, past)
      return "delivery" in fate ? fate.delivery.id : fate.because
    }
    const [old, failed] = [deliveryOf("evt_1", "succeeded", 110), deliveryOf("evt_1", "failed", 120)]
    expect(shown(failed, old)).toBe("dlv_110")
    expect(shown(failed, deliveryOf("evt_1", "dropped", 130))).toBe("dlv_130")
    expect(shown(failed, old, deliveryOf("evt_1", "pending", 115))).toBe("dlv_115")
    expect(shown(deliveryOf("evt_1", "succeeded", 110, true), deliveryOf("evt_2", "failed", 120))).toBe("unlisted")
    expect(shown({ ...old, endpointId: "whe_2" })).toBe("unlisted")
  })
})

describe("Sending an order to an endpoint", () => {
  const unsent = (because: "kind" | "paused") => ({ because, since: null })
  const fated = (id: string, at: number, status: DeliveryStatus) => ({
    ...{ event: eventOf(id, at), fate: { delivery: deliveryOf(id, status, at) } },
  })

  it("MUST send what the endpoint lacks, in its order, else what it has again, and nothing that waits", () => {
    const missed = { event: eventOf("missed", 3), fate: unsent("paused") }
    const unwanted = { event: eventOf("unwanted", 2), fate: unsent("kind") }
    const [failed, done, waits] = [
      fated("failed", 1, "failed"),
      fated("done", 4, "succeeded"),
      fated("w", 5, "pending"),
    ]
    const ids = (...fates: Parameters<typeof toSend>[0]) => toSend(fates).map(({ id }) => id)
    expect(ids(waits, done, missed, unwanted, failed)).toEqual(["failed", "missed"])
    expect(ids(waits, done, unwanted)).toEqual(["done"])
    expect(ids(waits, unwanted, fated("dropped", 1, "dropped"))).toEqual(["dropped", "unwanted"])
    expect(ids(waits)).toEqual([])
  })

  it("MUST be one line for events of a kind that ended alike", () => {
    const fates = [fated("c", 3, "succeeded"), fated("b", 2, "succeeded"), fated("a", 1, "failed")]
    expect(linesOf(fates).map(({ events, kind }) => [events, kind])).toEqual([
      [2, "design.ordered"],
      [1, "design.ordered"],
    ])
    expect(linesOf(fates)[0]?.fate).toEqual(fates[0]?.fate)
  })
})
