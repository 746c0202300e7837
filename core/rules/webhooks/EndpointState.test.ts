import { describe, expect, it } from "@effect/vitest"
import { newHealth as fresh, type Health, standingOf } from "../../model/Health.ts"
import * as EndpointState from "./EndpointState.ts"

type Kind = "failure" | "success" | "failed test" | "successful test"

/** The endpoint after attempts that ended at 1, 2, 3 … */
const healthAfter = (kinds: ReadonlyArray<Kind>, from = fresh): Health =>
  kinds.reduce(
    (endpoint, kind, index) =>
      EndpointState.afterAttempt(endpoint, {
        test: kind.endsWith("test"),
        success: kind.startsWith("success"),
        endedAt: index + 1,
        durationMs: 100,
      }),
    from,
  )

const times = (count: number, kind: Kind): ReadonlyArray<Kind> => Array.from({ length: count }, () => kind)

const off: Health = {
  status: "switched_off",
  consecutiveFailures: 20,
  switchedOffAt: 20,
  proven: false,
  troubled: true,
}

describe("the table", () => {
  it("MUST match the specification (§3)", () => {
    expect(EndpointState.transitions).toEqual([
      { from: null, trigger: "add", to: "active" },
      { from: "active", trigger: "give_up", to: "switched_off" },
      { from: "switched_off", trigger: "turn_on", to: "active" },
      // Beyond it (D51).
      { from: "active", trigger: "pause", to: "paused" },
      { from: "paused", trigger: "turn_on", to: "active" },
    ])
    expect(EndpointState.next("switched_off", "pause")).toBe(undefined)
    expect(EndpointState.next("paused", "give_up")).toBe(undefined)
    expect(EndpointState.next("active", "turn_on")).toBe(undefined)
    expect(EndpointState.next("switched_off", "give_up")).toBe(undefined)
    expect(EndpointState.next(null, "add")).toBe("active")
  })
})

describe("twenty in a row", () => {
  it("MUST switch an endpoint off at the twentieth failed attempt, not at the nineteenth (§3, §8, D27)", () => {
    expect(healthAfter(times(19, "failure"))).toEqual({
      status: "active",
      consecutiveFailures: 19,
      switchedOffAt: null,
      proven: false,
      troubled: true,
    })
    expect(healthAfter(times(20, "failure"))).toEqual(off)
  })

  it("MUST restart after a success (§6, D27)", () => {
    expect(healthAfter([...times(19, "failure"), "success"])).toEqual({ ...fresh, proven: true })
    expect(healthAfter([...times(19, "failure"), "success", ...times(19, "failure")]).status).toBe("active")
    expect(healthAfter([...times(19, "failure"), "success", ...times(20, "failure")]).status).toBe("switched_off")
  })

  it("MUST NOT count failed test events (D27)", () => {
    expect(healthAfter(times(40, "failed test"))).toEqual(fresh)
    expect(healthAfter([...times(19, "failure"), "failed test"]).status).toBe("active")
  })

  it("MUST NOT restart after a successful test event (D27)", () => {
    expect(healthAfter([...times(19, "failure"), "successful test", "failure"]).status).toBe("switched_off")
  })

  it("MUST stay switched off, whatever the outcome of attempts under way (§3)", () => {
    for (const kind of ["failure", "success", "failed test", "successful test"] as const) {
      expect(healthAfter([kind], off)).toEqual(off)
    }
  })

  it("MUST switch off an endpoint whose streak is already longer", () => {
    expect(healthAfter(["failure"], { ...fresh, consecutiveFailures: 25 }).status).toBe("switched_off")
  })
})

describe("proof (D45)", () => {
  const provenBy = (success: boolean, durationMs: number, test = false): boolean =>
    EndpointState.afterAttempt({ ...fresh, proven: !success }, { test, success, endedAt: 1, durationMs }).proven

  it("MUST be gained by a success in less than two seconds, and lost by a slower one", () => {
    expect([0, 1999, 2000, 4900].map((durationMs) => provenBy(true, durationMs))).toEqual([true, true, false, false])
    const proven = { ...fresh, proven: true }
    const slow = { test: false, success: true, endedAt: 1, durationMs: 2000 }
    expect(EndpointState.afterAttempt(proven, slow)).toEqual({ ...fresh, troubled: true })
  })

  it("MUST be lost by every failure, however fast, and by turning the endpoint on", () => {
    expect([0, 999, 5000].map((durationMs) => provenBy(false, durationMs))).toEqual([false, false, false])
    expect(EndpointState.turnOn(off)?.proven).toBe(false)
  })

  it("MUST NOT depend on test events", () => {
    expect([provenBy(true, 1, true), provenBy(false, 1, true)]).toEqual([false, true])
  })
})

describe("trouble (D45)", () => {
  const standingAfter = (...attempts: ReadonlyArray<[success: boolean, durationMs: number]>) =>
    standingOf(
      attempts.reduce(
        (health, [success, durationMs]) =>
          EndpointState.afterAttempt(health, { test: false, success, endedAt: 1, durationMs }),
        fresh,
      ),
    )

  it("MUST NOT be assumed of an endpoint that was never tried, was just turned on, or failed once after a success", () => {
    expect(standingAfter()).toBe("newcomer")
    expect(standingOf(EndpointState.turnOn(off) ?? off)).toBe("newcomer")
    expect(standingAfter([true, 1], [false, 1999])).toBe("newcomer")
  })

  it("MUST begin with a slow attempt, a second failure, or a failed first attempt", () => {
    expect([standingAfter([true, 2000]), standingAfter([true, 1], [false, 2000])]).toEqual(["troubled", "troubled"])
    expect(standingAfter([true, 1], [false, 1], [false, 1])).toBe("troubled")
    expect(standingAfter([false, 1])).toBe("troubled")
  })

  it("MUST end with a prompt success, and with no other attempt", () => {
    expect(standingAfter([false, 1], [true, 2000])).toBe("troubled")
    expect(standingAfter([false, 1], [true, 2000], [true, 1999])).toBe("proven")
  })

  it("MUST NOT depend on test events", () => {
    const test = { test: true, success: false, endedAt: 1, durationMs: 5000 }
    expect(standingOf(EndpointState.afterAttempt(fresh, test))).toBe("newcomer")
  })
})

describe("turning on", () => {
  it("MUST make a switched-off endpoint active with no failures counted (§3, D27)", () => {
    expect(EndpointState.turnOn(off)).toEqual(fresh)
  })

  it("MUST take another twenty failures to switch it off again (D27)", () => {
    const again = EndpointState.turnOn(off)
    expect(again && healthAfter(times(19, "failure"), again).status).toBe("active")
    expect(again && healthAfter(times(20, "failure"), again).status).toBe("switched_off")
  })

  it("MUST change nothing about an active endpoint, its streak included", () => {
    expect(EndpointState.turnOn({ ...fresh, consecutiveFailures: 7 })).toBe(undefined)
  })
})

describe("afterAttempt", () => {
  it("MUST return the health alone, without other fields of the endpoint", () => {
    const endpoint = { ...fresh, id: "whe_1" }
    for (const test of [true, false]) {
      const after = EndpointState.afterAttempt(endpoint, { test, success: true, endedAt: 1, durationMs: 1 })
      expect(Object.keys(after).toSorted()).toEqual([
        "consecutiveFailures",
        "proven",
        "status",
        "switchedOffAt",
        "troubled",
      ])
    }
  })

  it("MUST keep a paused endpoint as it was until it is turned on, whatever attempts under way come to (D51)", () => {
    const failing = { ...fresh, consecutiveFailures: 19, troubled: true }
    const paused = { ...failing, status: "paused", switchedOffAt: 7 } as const
    expect(EndpointState.pause(failing, 7)).toEqual(paused)
    expect(EndpointState.pause(paused, 8)).toBe(undefined)
    expect(EndpointState.pause(off, 8)).toBe(undefined)
    expect(healthAfter(["failure"], paused)).toEqual(paused)
    expect(healthAfter(["success"], paused)).toEqual(paused)
    expect(EndpointState.turnOn(paused)).toEqual(fresh)
  })
})

const attemptAt = (at: number, statusCode: number) => ({
  ...{ number: 1, at, statusCode, durationMs: 5, responseStart: "", error: null },
})

it("MUST be the last answer of an endpoint, and since when it fails, only if that is known (D27)", () => {
  const [last, first, success] = [attemptAt(30, 503), attemptAt(20, 500), attemptAt(10, 200)]
  expect(EndpointState.troubleOf(2, [last, first, success])).toEqual({ last, since: 20 })
  expect(EndpointState.troubleOf(1, [last, first, success])).toEqual({ last, since: 30 })
  expect(EndpointState.troubleOf(3, [last, first])).toEqual({ last, since: null })
  expect(EndpointState.troubleOf(3, [last, first, success])).toEqual({ last, since: null })
  expect(EndpointState.troubleOf(0, [last, first])).toBeUndefined()
  expect(EndpointState.troubleOf(2, [success])).toBeUndefined()
  expect(EndpointState.troubleOf(2, [])).toBeUndefined()
})
