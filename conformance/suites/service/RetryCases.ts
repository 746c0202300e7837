import { Effect } from "effect"
import { equal, exactly, holds } from "../Assertion.ts"
import { newShop, placeOrder, saveDesign, sell } from "./Filling.ts"
import { addHook, deliveries, type Hook, logUntil, nothingMore } from "./Hooks.ts"
import type { Received, Reply } from "./Receiver.ts"
import { Driver, Receivers, receiving } from "./ServiceCase.ts"

/** Milliseconds by which a wait may seem shorter than it was, because clocks tick and responses travel. */
const tick = 15

const onlyFailed = (statuses: ReadonlyArray<string>): boolean =>
  statuses.length > 0 && statuses.every((status) => status === "failed")

/** Expects attempts of a delivery no earlier than scheduled from the end of the previous attempt. */
const inTime = Effect.fnUntraced(function* (attempts: ReadonlyArray<Received>) {
  const { schedule } = yield* Receivers
  for (const [index, { arrived }] of attempts.entries()) {
    const before = attempts[index - 1]
    const wait = schedule[index - 1]
    if (before === undefined || wait === undefined) continue
    const waited = arrived - before.answered
    yield* holds(
      `attempt ${index + 1} comes ${wait} ms after the one before, not ${waited.toFixed(0)}`,
      waited >= wait - tick,
    )
  }
})

/** Expects attempts of the same delivery: equal except for time and signature. */
const areAttempts = Effect.fnUntraced(function* (hook: Hook, count: number) {
  const attempts = yield* deliveries(hook, count)
  const told = attempts.map(({ deliveryId, id, text }) => JSON.stringify([deliveryId, id, text]))
  yield* equal("different deliveries, events or bodies", new Set(told).size, 1)
  const times = attempts.map(({ timestamp }) => timestamp)
  yield* equal(
    "the times of the attempts",
    times,
    times.toSorted((a, b) => a - b),
  )
  yield* inTime(hook.received)
})

/**
 * A shop with an endpoint switched off by its failures, with `more` deliveries than that takes. Once turned on it
 * succeeds.
 */
const switchedOff = Effect.fnUntraced(function* (more: number) {
  const driver = yield* Driver
  const { schedule } = yield* Receivers
  const shop = yield* newShop()
  let isBack = false
  const hook = yield* addHook(shop, { reply: () => (isBack ? 200 : 500) })
  const count = Math.ceil(20 / (schedule.length + 1)) + more
  const ids = Array.from({ length: count }, (_, index) => `d-${index}`)
  for (const id of ids) yield* saveDesign(shop, id)
  yield* placeOrder(shop, "1", ids)
  yield* hook.until(20)
  yield* logUntil(shop, hook, (_, attempts) => attempts >= 20)
  yield* nothingMoreThanUnderWay(hook)
  const turnOn = Effect.suspend(() => {
    isBack = true
    return driver.enable({ shop: shop.id, endpoint: hook.id })
  })
  return { count, hook, shop, turnOn }
})

/** Failing attempts, and the state of their delivery. */
export const retryCases = receiving([
  {
    id: "retries.schedule",
    title: "MUST retry a failed delivery as scheduled, no earlier, then mark it failed and stop",
    requirements: ["§2.5-1", "§3-8", "§6-13", "§6-19", "§6-20", "§6-21", "§8-5", "D21", "D22", "D25"],
    needs: ["schedule"],
    run: Effect.gen(function* () {
      const { schedule } = yield* Receivers
      const shop = yield* newShop()
      const hook = yield* addHook(shop, { reply: () => 500 })
      yield* sell(shop, "1", ["a"])
      yield* areAttempts(hook, schedule.length + 1)
      const [logged] = yield* exactly("the log", 1, yield* logUntil(shop, hook, onlyFailed))
      yield* equal("its status", logged.status, "failed")
      yield* equal(
        "its attempts",
        logged.attempts.map(({ statusCode }) => statusCode),
        hook.received.map(() => 500),
      )
      yield* nothingMore(hook, schedule.length + 1)
    }),
  },
  {
    id: "retries.success",
    title: "MUST stop at the first 2xx of any kind",
    requirements: ["§6-14", "§6-20", "D25", "D26"],
    needs: ["schedule"],
    run: Effect.gen(function* () {
      const shop = yield* newShop()
      const hooks: Array<Hook> = []
      for (const status of [200, 202, 204, 299]) {
        hooks.push(yield* addHook(shop, { reply: (index) => (index === 0 ? 503 : status) }))
      }
      yield* sell(shop, "1", ["a"])
      for (const hook of hooks) {
        yield* areAttempts(hook, 2)
        const [logged] = yield* exactly("the log", 1, yield* logUntil(shop, hook, ([status]) => status === "succeeded"))
        yield* equal("its status", logged.status, "succeeded")
      }
      for (const hook of hooks) yield* equal("attempts", hook.received.length, 2)
    }),
  },
  {
    id: "retries.trace",
    title:
      "MUST send the trace of an event, if at all, by W3C Trace Context: one trace, a span for each attempt, no baggage",
    requirements: ["D70"],
    needs: ["schedule"],
    run: Effect.gen(function* () {
      const shop = yield* newShop()
      const hook = yield* addHook(shop, { reply: (index) => (index === 0 ? 503 : 200) })
      yield* sell(shop, "1", ["a"])
      yield* areAttempts(hook, 2)
      const names = hook.received.flatMap(({ headers }) => Object.keys(headers))
      const others = names.filter((name) => /^(?:baggage|b3|x-b3-.*|uber-trace-id)$/.test(name))
      yield* equal("other headers of traces", others, [])
      const carried = hook.received.map(({ headers }) => headers["traceparent"])
      if (carried.every((header) => header === undefined)) {
        yield* holds("there is no tracestate without traceparent", !names.includes("tracestate"))
        return
      }
      const parts = carried.map((header) => /^00-([0-9a-f]{32})-([0-9a-f]{16})-0[01]$/.exec(header ?? ""))
      yield* holds(`each traceparent is well-formed: ${carried.join(", ")}`, !parts.includes(null))
      yield* equal("different traces", new Set(parts.map((part) => part?.[1])).size, 1)
      yield* equal("different spans", new Set(parts.map((part) => part?.[2])).size, 2)
    }),
  },
  {
    id: "retries.failures",
    title:
      "MUST treat every response but 2xx as a failure, whatever it says about retrying, and a broken connection too",
    requirements: ["§6-19", "D25", "D26"],
    needs: ["schedule"],
    run: Effect.gen(function* () {
      const replies: ReadonlyArray<Reply> = [
        ...[400, 401, 404, 500],
        { status: 410, body: "gone" },
        { status: 429, headers: { "retry-after": "3600" } },
        { status: 503, headers: { "retry-after": "3600" } },
        "close",
      ]
      for (let at = 0; at < replies.length; at += 4) {
        const shop = yield* newShop()
        const hooks: Array<Hook> = []
        for (const reply of replies.slice(at, at + 4)) {
          hooks.push(yield* addHook(shop, { reply: (index) => (index === 0 ? reply : 200) }))
        }
        yield* sell(shop, "1", ["a"])
        for (const hook of hooks) yield* areAttempts(hook, 2)
      }
    }),
  },
  {
    id: "retries.redirect",
    title: "MUST NOT follow a redirect, but treat it as a failure",
    requirements: ["§6-15", "§6-19"],
    needs: ["schedule"],
    run: Effect.gen(function* () {
      const receivers = yield* Receivers
      const shop = yield* newShop()
      const elsewhere = yield* receivers.open()
      const hooks: Array<Hook> = []
      for (const status of [301, 302, 303, 307, 308]) {
        const reply = { status, headers: { location: elsewhere.url } }
        hooks.push(yield* addHook(shop, { reply: (index) => (index === 0 ? reply : 200) }))
      }
      yield* sell(shop, "1", ["a"])
      for (const hook of hooks) yield* areAttempts(hook, 2)
      yield* equal("requests to the target of the redirects", elsewhere.received.length, 0)
    }),
  },
  {
    id: "retries.timeout",
    title: "MUST treat a response that does not arrive within 5 seconds as a failure",
    requirements: ["§6-19", "§8-4", "D26"],
    needs: ["schedule"],
    slow: true,
    run: Effect.gen(function* () {
      const { schedule } = yield* Receivers
      const shop = yield* newShop()
      const hook = yield* addHook(shop, { reply: (index) => (index === 0 ? "hang" : 200) })
      yield* sell(shop, "1", ["a"])
      const [first, second] = yield* hook.until(2)
      const waited = (second?.arrived ?? 0) - (first?.arrived ?? 0)
      const expected = 5_000 + (schedule[0] ?? 0)
      // The 5 seconds include the work before the request, such as connecting.
      yield* holds(
        `the retry comes ${expected} ms after the first attempt, not ${waited.toFixed(0)}`,
        waited >= expected - 500,
      )
      const [logged] = yield* exactly("the log", 1, yield* logUntil(shop, hook, ([status]) => status === "succeeded"))
      yield* equal(
        "the attempts' statuses",
        logged.attempts.map(({ statusCode }) => statusCode),
        [null, 200],
      )
    }),
  },
  {
    id: "retries.test",
    title: "MUST NOT retry a test event",
    requirements: ["§6-17", "D29", "D30"],
    needs: ["schedule"],
    run: Effect.gen(function* () {
      const driver = yield* Driver
      const shop = yield* newShop()
      const hook = yield* addHook(shop, { reply: () => 500 })
      yield* driver.test({ shop: shop.id, endpoint: hook.id })
      yield* deliveries(hook, 1)
      const [logged] = yield* exactly("the log", 1, yield* logUntil(shop, hook, onlyFailed))
      yield* equal("its status", logged.status, "failed")
      yield* nothingMore(hook, 1)
    }),
  },
  {
    id: "retries.redelivered",
    title: "MUST retry a redelivery like any delivery",
    requirements: ["§6-18", "D29"],
    needs: ["schedule"],
    run: Effect.gen(function* () {
      const driver = yield* Driver
      const shop = yield* newShop()
      const hook = yield* addHook(shop, { reply: (index) => (index === 1 ? 500 : 200) })
      yield* sell(shop, "1", ["a"])
      yield* hook.until(1)
      const [logged] = yield* exactly("the log", 1, yield* logUntil(shop, hook, ([status]) => status === "succeeded"))
      const { id } = yield* driver.redeliver({ shop: shop.id, endpoint: hook.id, delivery: logged.id })
      const [first, second, third] = yield* deliveries(hook, 3)
      yield* equal("the deliveries", [first?.deliveryId, second?.deliveryId, third?.deliveryId], [logged.id, id, id])
    }),
  },
  {
    id: "off.twenty",
    title:
      "MUST switch an endpoint off at the twentieth consecutive failure, suspend its deliveries, and resume once it is on",
    requirements: ["§3-6", "§3-7", "§6-22", "§8-6", "D27", "D28"],
    needs: ["schedule"],
    timeoutMs: 120_000,
    run: Effect.gen(function* () {
      // One delivery more than it takes, which is suspended.
      const { count, hook, shop, turnOn } = yield* switchedOff(1)
      const held = hook.received.length
      yield* sell(shop, "2", ["missed"])
      yield* nothingMore(hook, held)
      const { missed } = yield* turnOn
      yield* equal("events that it missed", missed, 1)
      const log = yield* logUntil(shop, hook, (all) => all.every((status) => status !== "pending"))
      const resumed = log.filter(({ status }) => status === "succeeded").length
      yield* equal("deliveries", log.length, count)
      yield* holds("suspended deliveries were sent", resumed >= 1)
      yield* equal("attempts after it was turned on", hook.received.length - held, resumed)
    }),
  },
  {
    id: "off.exact",
    title: "MUST send to an endpoint until exactly its twentieth consecutive failure",
    requirements: ["§3-6", "§6-22", "§8-6", "D27", "D28"],
    needs: ["schedule"],
    timeoutMs: 120_000,
    run: Effect.gen(function* () {
      const { schedule } = yield* Receivers
      const shop = yield* newShop()
      const hook = yield* addHook(shop, { reply: () => 500 })
      // One delivery at a time: no attempt is under way alongside another.
      for (let sold = 1, failed = 0; failed < 20; sold++) {
        failed = Math.min(20, sold * (schedule.length + 1))
        const enough = failed
        yield* sell(shop, String(sold), [`d-${sold}`])
        yield* logUntil(shop, hook, (_, attempts) => attempts >= enough)
      }
      yield* sell(shop, "missed", ["missed"])
      yield* nothingMore(hook, 20)
      const { missed } = yield* (yield* Driver).enable({ shop: shop.id, endpoint: hook.id })
      yield* equal("events that it missed", missed, 1)
    }),
  },
  {
    id: "off.pause",
    title:
      "MUST send nothing but tests to a paused endpoint, and what was held once it is on, with the number it missed",
    requirements: ["D51"],
    needs: ["schedule"],
    timeoutMs: 120_000,
    run: Effect.gen(function* () {
      const driver = yield* Driver
      const shop = yield* newShop()
      const hook = yield* addHook(shop, { reply: (index) => (index === 0 ? 500 : 200) })
      const given = { shop: shop.id, endpoint: hook.id }
      yield* sell(shop, "1", ["held"])
      yield* hook.until(1)
      yield* driver.pause(given)
      // An attempt may have been under way.
      yield* nothingMoreThanUnderWay(hook)
      const before = hook.received.length
      yield* sell(shop, "2", ["missed"])
      yield* driver.test(given)
      yield* hook.until(before + 1)
      yield* nothingMore(hook, before + 1)
      const { missed } = yield* driver.enable(given)
      yield* equal("events that it missed", missed, 1)
      const log = yield* logUntil(shop, hook, (all) => all.every((status) => status === "succeeded"))
      yield* equal("deliveries of the held event and the test", log.length, 2)
    }),
  },
  {
    id: "off.recover",
    title: "MUST deliver on demand, once, the events that an endpoint missed while it was off",
    requirements: ["D28"],
    needs: ["schedule"],
    timeoutMs: 120_000,
    run: Effect.gen(function* () {
      const driver = yield* Driver
      const since = new Date(Date.now() - 300_000).toISOString()
      const { hook, shop, turnOn } = yield* switchedOff(0)
      yield* sell(shop, "2", ["missed"])
      yield* turnOn
      yield* logUntil(shop, hook, (all) => all.every((status) => status !== "pending"))
      const before = hook.received.length
      const first = yield* driver.recover({ shop: shop.id, endpoint: hook.id, since })
      const log = yield* logUntil(shop, hook, (all) => all.every((status) => status !== "pending"))
      yield* equal("new deliveries", first.deliveries, hook.received.length - before)
      yield* holds(`at least the missed event is delivered: ${first.deliveries}`, first.deliveries >= 1)
      const received = yield* deliveries(hook, before + first.deliveries)
      const texts = received.slice(before).map(({ text }) => text)
      yield* holds(
        "the missed event is among them",
        texts.some((text) => text.includes('"id":"missed"')),
      )
      const again = yield* driver.recover({ shop: shop.id, endpoint: hook.id, since })
      yield* equal("a second time", again.deliveries, 0)
      yield* holds(
        "everything succeeded at the end",
        log.some(({ status }) => status === "succeeded"),
      )
    }),
  },
  {
    id: "off.reset",
    title: "MUST count only consecutive failures: a success restarts the count, and test events do not count",
    requirements: ["§6-22", "D27", "D30"],
    needs: ["schedule"],
    timeoutMs: 120_000,
    run: Effect.gen(function* () {
      const driver = yield* Driver
      const { schedule } = yield* Receivers
      const shop = yield* newShop()
      // All tests fail; afterwards every tenth attempt succeeds.
      const tests = 20
      const hook = yield* addHook(shop, { reply: (index) => (index >= tests && index % 10 === 9 ? 200 : 500) })
      for (let index = 0; index < tests; index++) yield* driver.test({ shop: shop.id, endpoint: hook.id })
      yield* hook.until(tests)
      const ids = Array.from({ length: Math.ceil(40 / (schedule.length + 1)) }, (_, index) => `d-${index}`)
      for (const id of ids) yield* saveDesign(shop, id)
      yield* placeOrder(shop, "1", ids)
      const log = yield* logUntil(shop, hook, (all) => all.every((status) => status !== "pending"))
      yield* holds(
        "nothing is held",
        log.every(({ status }) => status !== "pending"),
      )
      const before = hook.received.length
      yield* sell(shop, "2", ["last"])
      yield* hook.until(before + 1)
    }),
  },
])

/** Only attempts that were under way at the switch-off may still arrive. */
const nothingMoreThanUnderWay = Effect.fnUntraced(function* (hook: Hook) {
  const { schedule } = yield* Receivers
  yield* Effect.sleep(Math.max(500, ...schedule.map((wait) => wait * 2)))
  yield* holds(`attempts until it was switched off: ${hook.received.length}`, hook.received.length < 20 + 20)
})
