/** Trying deliveries now, sending them again and recovering events in the settings app (§6, D22, D25, D28, D29). */
import { expect } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { type Browser, type Shown, signedIn } from "../../conformance/testkit/browsers/Browser.ts"
import { hrefs } from "../../conformance/testkit/browsers/MugShop.ts"
import {
  bodyOf,
  manage,
  memory,
  newDesign,
  newOrder,
  newShop,
  onHosts,
  postgres,
  TestHost,
  type TestShop,
} from "../../conformance/testkit/hosts/TestHost.ts"
import { attempted as attemptedOn, type Outcome } from "../../conformance/testkit/workers/Attempted.ts"
import { DeliveryLog } from "../../core/ports/DeliveryLog.ts"

const failure: Outcome = { statusCode: 500, responseStart: "no", error: null }
const success: Outcome = { statusCode: 200, responseStart: "", error: null }

/** A store with an endpoint, and a browser that is signed in. */
const world = Effect.gen(function* () {
  const { ports, send } = yield* TestHost
  const shop = yield* newShop(send)
  const browser = yield* signedIn(send, shop.id)
  const url = "https://93.184.216.34/hook"
  const made = yield* bodyOf(201, yield* manage(send, "POST", `/shops/${shop.id}/webhooks`, { url }))
  const id = String(made["id"])
  const path = `/settings/${shop.id}/webhooks/${id}`
  const log = DeliveryLog.use((log) => log.list(shop.id, id, 1_000_000)).pipe(Effect.provideContext(ports))
  const attempted = (outcome: Outcome) => attemptedOn(ports, shop.id, outcome)
  return { shop, browser, id, path, log, attempted, ports }
})

/** Orders a design, which makes a delivery. */
const order = Effect.fnUntraced(function* (shop: TestShop, id: string) {
  const { send } = yield* TestHost
  yield* newDesign(send, shop, id)
  yield* newOrder(send, shop, `order-${id}`, [id])
})

/** Sends the form of a page whose address ends in an action. */
const press = (browser: Browser, page: Shown, action: string) => {
  const form = page.forms.find((one) => one.action.endsWith(action))
  return form === undefined
    ? Effect.die(new Error(`No form for ${action} on ${page.path}: ${page.read}`))
    : browser.submit(page, form.action)
}

/** Lets a millisecond pass: a run sends what was created before it. */
const later = Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 2)))

onHosts("Repair in the settings app", [memory, postgres], (it) => {
  it.effect("MUST say that an attempt failed and that the schedule continues, or that none was made yet", () =>
    Effect.gen(function* () {
      const { attempted, browser, log, path, shop } = yield* world
      yield* order(shop, "d-1")
      yield* attempted(failure)
      const [waiting] = yield* log
      const page = yield* browser.open(`${path}/deliveries/${waiting?.id}`)
      const trying = yield* Effect.forkChild(press(browser, page, "/try"))
      while (trying.pollUnsafe() === undefined) {
        if ((yield* log)[0]?.attempts.length === 1) yield* attempted(failure)
        yield* Effect.yieldNow
      }
      expect((yield* Fiber.join(trying)).read).toContain(
        "Attempt 2 failed: 500. The retry schedule continues after it.",
      )
      expect((yield* press(browser, page, "/try")).read).toContain("It has not been attempted yet")
      yield* press(browser, yield* browser.open(path), "/pause")
      expect((yield* press(browser, page, "/try")).read).toContain("The endpoint is paused: enable it")
      const held = yield* browser.open(page.path)
      expect(held.text).not.toMatch(/Try now|button main/)
      expect((yield* browser.open(path)).read).not.toContain("Try now")
    }),
  )

  it.effect("MUST show what changed an endpoint though it was tested five times since, and short titles", () =>
    Effect.gen(function* () {
      const { browser, id, path, shop } = yield* world
      const { send } = yield* TestHost
      yield* press(browser, yield* browser.open(path), "/pause")
      for (let count = 0; count < 5; count++) yield* manage(send, "POST", `/shops/${shop.id}/webhooks/${id}/test`)
      const history = (yield* browser.open(path)).read.split("What happened to this endpoint")[1] ?? ""
      expect(history).toContain("Endpoint paused")
      expect(history.match(/Test event sent/g)).toHaveLength(1)
      for (const name of ["resend", "recover"]) {
        expect((yield* browser.open(`${path}/${name}`)).text).toMatch(/<title>[^<]*: 93\.184\.216\.34 · /)
      }
      const found = yield* browser.open(`/settings/${shop.id}/find?q=${encodeURIComponent(`${"a".repeat(254)}😀😀`)}`)
      expect(found.read).toContain("a😀")
      expect(found.read).not.toMatch(/a😀😀|\ufffd/)
    }),
  )

  it.effect(
    "MUST count exactly what a filter finds, and refuse one that does not fit with its problem at its field",
    () =>
      Effect.gen(function* () {
        const { attempted, browser, path, shop } = yield* world
        for (const id of ["d-1", "d-2", "d-3"]) yield* order(shop, id)
        yield* attempted(success)
        yield* later
        const found = Effect.fnUntraced(function* (query: string) {
          const { read, status } = yield* browser.open(`${path}/resend?${query}`)
          return [status, /Send (\d+) deliver/.exec(read)?.[1] ?? (read.includes("nothing to send") ? "0" : "")]
        })
        expect(yield* found("")).toEqual([200, "3"])
        expect(yield* found("state=succeeded&kind=design.ordered")).toEqual([200, "3"])
        expect(yield* found("state=failed")).toEqual([200, "0"])
        expect(yield* found("from=2099-01-01T00:00")).toEqual([200, "0"])
        expect(yield* found("to=2099-01-01T00:00&from=2020-01-01T00:00")).toEqual([200, "3"])
        const wrong = yield* browser.open(`${path}/resend?from=%22%3E%3Cb%3E&kind=none`)
        expect([wrong.status, wrong.text]).toEqual([400, expect.stringMatching(/id="from"[^>]*aria-invalid="true"/)])
        expect(wrong.read).toContain("Enter a date and a time.")
        expect(wrong.text).not.toContain("><b>")
        const turned = yield* browser.open(`${path}/resend?from=2026-10-06T00:00&to=2026-10-05T00:00`)
        expect([turned.status, turned.read]).toEqual([
          400,
          expect.stringContaining("Enter a time after the first one."),
        ])
        browser.cookies.set("designwire_zone", "Europe/Berlin")
        for (const [at, name] of [
          ["resend?from", "from"],
          ["recover?since", "since"],
        ]) {
          const { read, text } = yield* browser.open(`${path}/${at}=2020-01-01T09:00`)
          expect(read).toMatch(/(From|Since), in Europe\/Berlin/)
          expect(text).toMatch(new RegExp(`value="2020-01-01T09:00:00"[^>]* name="${name}"`))
          expect(text).toContain("2020-01-01T08:00:00.000")
        }
        expect(wrong.forms.filter(({ action }) => action.endsWith("resend"))).toEqual([])
        expect((yield* browser.open(`${path}?state=failed`)).text).not.toContain("Send all that the filter finds")
        const link = /href="([^"]*resend[^"]*)"/.exec((yield* browser.open(`${path}?state=succeeded`)).text)?.[1]
        expect(link).toBe(`../webhooks/${path.split("/").at(-1)}/resend?state=succeeded`)
        // The row of times keeps the range of the figures, and the way on has its times.
        const today = yield* browser.open(`${path}?state=succeeded&from=today&range=7d`)
        expect(today.text).toMatch(/resend\?state=succeeded&amp;from=\d{4}-\d\d-\d\dT/)
        // The way back has its days.
        const asked = yield* browser.open(`${path}/resend?state=failed&from=2020-01-05T00:00&to=2020-01-08T00:00`)
        expect(asked.text).toMatch(/href="[^"]*\?state=failed&amp;from=2020-01-05&amp;to=2020-01-07"/)
        expect(hrefs(today.text, "../deliveries?").at(-1)).toMatch(/\?state=succeeded&endpoint=whe_\w+&from=today$/)
        expect(hrefs(today.text, "?")).toContain("?state=succeeded&from=24h&range=7d#log")
        expect((yield* browser.open(`${path}?to=2020-01-01`)).read).toContain("No deliveries match this filter.")
        expect((yield* browser.open(`${path}?from=soon`)).status).toBe(400)
      }),
  )

  it.effect("MUST refuse a run that it has not begun, and show no number that it was not given", () =>
    Effect.gen(function* () {
      const { browser, log, path, shop, attempted } = yield* world
      yield* order(shop, "d-1")
      yield* attempted(success)
      yield* later
      const question = yield* browser.open(`${path}/resend`)
      const forged = yield* browser.submit(question, "resend", { next: "r1.e30" })
      expect(forged.status).toBe(400)
      const odd = yield* browser.open(`${path}/resend?next=x&sent=1e99&total=-5`)
      expect(odd.read).toContain("0 of 0 sent again")
      const many = Array.from({ length: 51 }, (_, index) => `id=dlv_${index}`).join("&")
      const refused = yield* browser.open(`${path}/resend?${many}`)
      expect([refused.status, refused.read]).toEqual([400, expect.stringContaining("Select at most 50 deliveries")])
      expect(yield* log).toHaveLength(1)
    }),
  )

  it.effect(
    "MUST count the missed events since a time before it sends them: of an hour, a day, or a time of one's own",
    () =>
      Effect.gen(function* () {
        const { browser, log, path, shop } = yield* world
        yield* press(browser, yield* browser.open(path), "/pause")
        yield* order(shop, "d-1")
        yield* order(shop, "d-2")
        const page = yield* browser.open(`${path}/recover`)
        expect(page.read).toMatch(/Since it was paused.*Last hour.*Last 24 hours/)
        expect(page.text).toContain('href="?since=off" aria-current="true"')
        expect(page.read).toContain("It has missed 2 events since")
        for (const since of ["1h", "24h", "2020-01-01T00:00"]) {
          expect((yield* browser.open(`${path}/recover?since=${since}`)).read).toContain("It has missed 2 events since")
        }
        const none = yield* browser.open(`${path}/recover?since=2099-01-01T00:00`)
        expect(none.read).toContain("It has missed no events since")
        expect(none.forms.filter(({ action }) => action === "recover")).toEqual([])
        const wrong = yield* browser.open(`${path}/recover?since=soon`)
        expect([wrong.status, wrong.read]).toEqual([400, expect.stringContaining("Enter the time")])
        expect(yield* log).toHaveLength(0)
        const sent = yield* press(browser, page, "recover")
        expect(sent.read).toContain("2 events are on the way. 2 deliveries are held until the endpoint is enabled.")
        expect(yield* log).toHaveLength(2)
        const on = yield* press(browser, sent, "/enable")
        expect(on.read).toContain("2 deliveries are pending now.")
        expect((yield* browser.open(`${path}/recover`)).text).not.toContain("since=off")
        expect((yield* browser.submit(page, "recover", { since: "soon" })).read).toContain("Enter the time")
      }),
  )
})
