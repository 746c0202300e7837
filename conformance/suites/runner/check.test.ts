import { Context, Effect, Redacted } from "effect"
import { expect, it } from "vitest"
import { about, equal } from "../Assertion.ts"
import type { Calls, Heard } from "./Calls.ts"
import type { Case } from "./Case.ts"
import { CaseSkipped } from "./CaseSkipped.ts"
import { check } from "./check.ts"
import type { FormatName } from "./formats.ts"
import { makeSuite, type Selection } from "./Suite.ts"

/** The subject of the cases of these tests. */
class Counter extends Context.Service<Counter, { readonly next: (step: number) => Effect.Effect<number> }>()(
  "designwire/Counter",
) {}

const facts = { requirements: ["D22"], ports: ["Counter"] }

const cases: ReadonlyArray<Case<Counter>> = [
  { ...facts, id: "count.one", title: "MUST count", run: Counter.use((counter) => counter.next(1)) },
  {
    ...facts,
    id: "count.two",
    title: "MUST count <twice> # & more",
    run: Counter.use((counter) => Effect.flatMap(counter.next(2), (counted) => equal("the number", counted, 1_000))),
  },
  { ...facts, id: "count.back", title: "MUST count back", needs: ["back"], run: Effect.die("left out") },
  { ...facts, id: "count.forth", title: "MUST only count on", without: "back", run: Effect.void },
  { ...facts, id: "other", title: "MUST NOT run unless requested", slow: true, run: Effect.void },
]

/** A suite, and the life of its subject. */
const makeCounting = (list: ReadonlyArray<Case<Counter>> = cases, selection: Selection = {}) => {
  const events: Array<string> = []
  const open = Effect.gen(function* () {
    events.push("opened")
    yield* Effect.addFinalizer(() => Effect.sync(() => events.push("closed")))
    let count = 0
    const next = (step: number) =>
      Effect.sync(() => {
        count += step
        return count
      })
    return (_: unknown, calls: Calls) => Context.make(Counter, calls.watch(Counter.of({ next }), "Counter", ""))
  })
  return {
    events,
    suite: makeSuite({ name: "counting", cases: list, selection, lacks: { back: "it continues" }, open }),
  }
}

/** The output in a format, without times. */
const written = async (format: FormatName) => {
  const lines: Array<string> = []
  await check(makeCounting().suite, { format, write: (text) => lines.push(text) })
  return lines
    .join("\n")
    .replaceAll(/\d+\.\d+(?=[ "])/g, "0")
    .replaceAll(/"durationMs": \d+/g, `"durationMs": 0`)
}

it("MUST report passed, failed and skipped cases, with reasons", async () => {
  const { events, suite } = makeCounting()
  const report = await check(suite, { write: () => undefined })
  const { failed, passed, results, skipped } = report
  expect({ failed, passed, skipped }).toEqual({ passed: 2, failed: 1, skipped: 1 })
  const messages = Object.fromEntries(results.map(({ id, message }) => [id, message?.split("\n") ?? null]))
  expect(messages).toEqual({
    "count.one": null,
    "count.two": [
      "the number: got 3, expected 1000",
      "call 1: Counter.next(2) answered 3",
      expect.stringMatching(/^D22 Delivery id: There is one delivery/),
    ],
    "count.back": ["it continues"],
    "count.forth": null,
  })
  expect(events).toEqual(["opened", "closed"])
})

it("MUST name only the requirements of the part that fails, if the case knows them", async () => {
  const run = Effect.andThen(about(["D1"], Effect.void), about(["D22"], equal("the number", 3, 4)))
  const parts = { ...facts, id: "parts", title: "MUST hold in parts", requirements: ["D1", "D22"], run }
  const { results } = await check(makeCounting([parts]).suite, { write: () => undefined })
  expect(results.map(({ message }) => message?.split("\n"))).toEqual([
    ["the number: got 3, expected 4", expect.stringMatching(/^D22 /)],
  ])
})

it("MUST NOT reveal tokens and signing secrets that a service returned or received", async () => {
  const given = { token: `cmz_${"t0k3n".repeat(9)}`, secret: `whsec_${btoa("secret of an endpoint")}` }
  const Service = Context.Service<{ readonly make: (given: unknown) => Effect.Effect<unknown> }>("designwire/Service")
  const suite = makeSuite({
    name: "telling",
    selection: {},
    lacks: {},
    cases: [
      {
        ...facts,
        id: "told",
        title: "MUST be told",
        run: Service.use(({ make }) => Effect.flatMap(make(given), () => equal("the token", given.token, "another"))),
      },
    ],
    open: Effect.succeed((_: unknown, calls: Calls) =>
      Context.make(Service, calls.watch({ make: () => Effect.succeed(given) }, "Service", "")),
    ),
  })
  const { results } = await check(suite, { write: () => undefined })
  const [{ message = null } = {}] = results
  expect(message).toContain(`Service.make({"token":"cmz_…","secret":"whsec_…"})`)
  expect(message).not.toMatch(/t0k3n|c2Vjcm/)
})

it("MUST reveal no secrets in what a case asked and was answered, also those of another form (D96)", async () => {
  const given = { token: "another-form-of-a-token", secret: Redacted.make("another-form-of-a-secret") }
  const Service = Context.Service<{ readonly make: (given: unknown) => Effect.Effect<unknown> }>("designwire/Service")
  const heard: Array<Heard> = []
  const suite = makeSuite({
    name: "telling",
    selection: {},
    lacks: {},
    hear: (_, calls) => void heard.push(calls),
    cases: [
      {
        ...facts,
        id: "told.all",
        title: "MUST be told",
        run: Service.use(({ make }) =>
          Effect.andThen(make("nothing"), make(`${"x".repeat(280)} ${given.token} ${Redacted.value(given.secret)}`)),
        ),
      },
    ],
    open: Effect.succeed((_: unknown, calls: Calls) =>
      Context.make(Service, calls.watch({ make: () => Effect.succeed(given) }, "Service", "")),
    ),
  })
  await check(suite, { write: () => undefined })
  const [{ calls = 0, exchanges = [] } = {}] = heard
  expect([calls, exchanges[0]?.asked]).toEqual([2, 'call 1: Service.make("nothing")'])
  expect(exchanges[0]?.answered).toBe('answered {"token":"…","secret":"<redacted>"}')
  expect(JSON.stringify(heard)).not.toContain("another")
})

it("MUST write for people", async () => {
  expect(await written("pretty")).toMatch(
    /^✓ count.one: MUST count\n✗ count.two: MUST count <twice> # & more\n {4}the number: got 3.*\n {4}call 1.*\n {4}D22.*\n- count.back: MUST count back\n {4}left out: it continues\n✓ count.forth: MUST only count on\ncounting: 2 passed, 1 failed, 1 skipped in 0 s$/,
  )
})

it("MUST write TAP", async () => {
  expect(await written("tap")).toMatch(
    /^TAP version 14\nok 1 - count.one: MUST count\nnot ok 2 - count.two: MUST count <twice> \\# & more\n {2}---\n {2}message: \|\n {4}the number.*\n {4}call 1.*\n {4}D22.*\n {2}\.\.\.\nok 3 - count.back: MUST count back # SKIP it continues\nok 4 - count.forth: MUST only count on\n1\.\.4$/,
  )
})

it("MUST write JUnit", async () => {
  const text = await written("junit")
  expect(text).toContain(`<testsuite name="counting" tests="4" failures="1" skipped="1" time="0">`)
  expect(text).toContain(
    `name="count.two: MUST count &lt;twice> # &amp; more" time="0"><failure message="the number: got`,
  )
  expect(text).toContain(`<skipped message="it continues"/></testcase>`)
  expect(text.match(/<testcase /g)).toHaveLength(4)
})

it("MUST write the report as JSON", async () => {
  const report = JSON.parse(await written("json"))
  expect(report).toMatchObject({ suite: "counting", passed: 2, failed: 1, skipped: 1 })
  expect(report.results[0]).toEqual({
    id: "count.one",
    title: "MUST count",
    requirements: ["D22"],
    ports: ["Counter"],
    status: "passed",
    durationMs: 0,
    message: null,
  })
})

it("MUST stop a case that hangs, interruptible or not, and name the call that has not returned", async () => {
  const hangs: ReadonlyArray<Case<Counter>> = [false, true].map((uninterruptible) => ({
    ...facts,
    id: `hangs.${uninterruptible ? "on" : "a-while"}`,
    title: "MUST end",
    timeoutMs: 50,
    run: uninterruptible ? Effect.uninterruptible(Effect.never) : Effect.never,
  }))
  const { results } = await check(makeCounting(hangs).suite, { write: () => undefined })
  for (const { message } of results) expect(message).toMatch(/^has not ended within 50 ms\nD22/)
})

it("MUST count defects, and subjects that do not open, as failures", async () => {
  const dying: ReadonlyArray<Case<Counter>> = [
    { ...facts, id: "dies.once", title: "MUST live", run: Effect.die(new TypeError("no")) },
  ]
  const died = await check(makeCounting(dying).suite, { write: () => undefined })
  expect(died.results[0]?.message).toMatch(/^died with TypeError: no\n/)
  const open = Effect.fail(new Error("it is down"))
  const suite = makeSuite({ name: "closed", cases, selection: {}, lacks: {}, open })
  const { failed, results } = await check(suite, { write: () => undefined })
  expect([failed, results[0]?.message]).toEqual([3, "the harness did not open: Error: it is down"])
})

it("MUST run the selected cases, by id or its beginning, including slow ones", () => {
  const ids = (selection: Selection) => makeCounting(cases, selection).suite.cases.map(({ id }) => id)
  expect(ids({ only: ["count.two"] })).toEqual(["count.two"])
  expect(ids({ only: ["count"] })).toEqual(["count.one", "count.two", "count.back", "count.forth"])
  expect(ids({ only: ["other"], slow: true })).toEqual(["other"])
  expect(() => ids({ only: ["coun"] })).toThrow("There is no case coun")
})

it("MUST skip the given cases, by id or its beginning, and say why", async () => {
  const reasons = async (selection: Selection) => {
    const { results } = await check(makeCounting(cases, selection).suite, { write: () => undefined })
    return results.flatMap(({ id, message, status }) => (status === "skipped" ? `${id}: ${message}` : []))
  }
  expect(await reasons({ skip: { "count.two": "known" } })).toEqual(["count.two: known", "count.back: it continues"])
  expect(await reasons({ only: ["count.one", "count.forth"], skip: { count: "not now" } })).toEqual([
    "count.one: not now",
    "count.forth: not now",
  ])
  expect(() => makeCounting(cases, { skip: { coun: "a typing error" } })).toThrow("There is no case coun")
})

it("MUST skip a case that finds that it can't be judged, and say why", async () => {
  const unable = new CaseSkipped({ message: "there is nothing to look at" })
  const list: ReadonlyArray<Case<Counter>> = [
    { ...facts, id: "looks.around", title: "MUST look", run: Effect.fail(unable) },
  ]
  const { failed, results } = await check(makeCounting(list).suite, { write: () => undefined })
  expect([failed, results[0]?.status, results[0]?.message]).toEqual([0, "skipped", "there is nothing to look at"])
})

it("MUST NOT print characters of a subject's answers that act on a terminal, in any format", async () => {
  const harmful = "\u001b\u009b\u2028\u202e\u2066\u061c"
  const failing: Case<Counter> = { ...facts, id: "said", title: "MUST say", run: Effect.fail(new Error(harmful)) }
  for (const format of ["pretty", "tap", "json", "junit"] as const) {
    const written: Array<string> = []
    await check(makeCounting([failing]).suite, { format, write: (text) => void written.push(text) })
    for (const character of harmful) expect(written.join("\n")).not.toContain(character)
    expect(written.join("\n")).toContain("said")
  }
})
