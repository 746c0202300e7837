/** Deliveries over all endpoints, what waits, and the search, in the settings app. */
import { expect } from "@effect/vitest"
import { Context, Effect } from "effect"
import { shopInput } from "../../conformance/suites/service/Samples.ts"
import { makeOrder, makeOrdered } from "../../conformance/suites/storage/support/Fixtures.ts"
import { type Browser, signedIn } from "../../conformance/testkit/browsers/Browser.ts"
import {
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
import { wireHead } from "../../core/model/orders/Order.ts"
import { OrderStore } from "../../core/ports/OrderStore.ts"

const delivered: Outcome = { statusCode: 200, responseStart: "fine", error: null }
const failing: Outcome = { statusCode: 503, responseStart: "busy", error: null }

/** A shop, a browser that is signed in to it, and its endpoints. */
const site = Effect.gen(function* () {
  const { send, ports } = yield* TestHost
  const shop = yield* newShop(send)
  const browser = yield* signedIn(send, shop.id)
  const addEndpoint = Effect.fnUntraced(function* (path: string) {
    const answer = yield* manage(send, "POST", `/shops/${shop.id}/webhooks`, { url: `https://93.184.216.34/${path}` })
    return (JSON.parse(answer.text) as { readonly id: string }).id
  })
  const order = (id: string) =>
    Effect.andThen(newDesign(send, shop, `design-${id}`), newOrder(send, shop, id, [`design-${id}`]))
  const attempted = (outcome: Outcome) => attemptedOn(ports, shop.id, outcome)
  return { send, ports, shop, browser, addEndpoint, order, attempted }
})

/** The ids of the deliveries that a page shows, and the links to further pages by their text. */
const shown = (browser: Browser, path: string) =>
  Effect.map(browser.open(`/settings/${path}`), (page) => ({
    page,
    ids: [...new Set([...page.text.matchAll(/deliveries\/(dlv_\w+)"/g)].map(([, id]) => id))],
    next: /<a class="button" href="([^"]*after=[^"]*)" rel="next">/.exec(page.text)?.[1]?.replaceAll("&amp;", "&"),
  }))

const eventsOf = (send: typeof TestHost.Service.send, shop: TestShop, endpoint: string) =>
  Effect.map(manage(send, "GET", `/shops/${shop.id}/webhooks/${endpoint}/deliveries`), ({ text }) => {
    const { data } = JSON.parse(text) as {
      readonly data: ReadonlyArray<{ readonly id: string; readonly eventId: string }>
    }
    return data
  })

onHosts("Deliveries in the settings app", [memory, postgres], (it) => {
  it.effect("MUST filter by time with links that keep the other filters, whose form keeps the time", () =>
    Effect.gen(function* () {
      const { addEndpoint, browser, order } = yield* site
      yield* addEndpoint("first")
      yield* order("1")
      for (const from of ["today", "24h", "7d"]) {
        const { ids, page } = yield* shown(browser, `deliveries?state=pending&from=${from}`)
        expect([from, ids.length]).toEqual([from, 1])
        expect(page.text).toMatch(new RegExp(`href="[?]state=pending&amp;from=${from}" aria-current="true"`))
        expect(page.text).toContain('href="?state=pending">All<')
        expect(page.text.match(new RegExp(`<input type="hidden" name="from" value="${from}"`, "g"))).toHaveLength(1)
        expect(page.text).toContain('<input type="hidden" name="state" value="pending"')
      }
      expect((yield* shown(browser, "deliveries?from=2026-01-01&to=2026-01-02")).ids).toEqual([])
    }),
  )

  it.effect(
    "MUST lead from the figures and the bars of attempts to the deliveries that were attempted then (D60)",
    () =>
      Effect.gen(function* () {
        const { addEndpoint, attempted, browser, order } = yield* site
        const endpoint = yield* addEndpoint("first")
        yield* order("fails")
        yield* attempted(failing)
        for (const path of ["", `webhooks/${endpoint}`]) {
          const { text } = yield* browser.open(`/settings/${path}`)
          const links = [...text.matchAll(/href="[^"]*\/(deliveries\?[^"]*attempts=[^"]*)"/g)]
          const found = yield* Effect.forEach(links, ([, link = ""]) =>
            Effect.map(shown(browser, link.replaceAll("&amp;", "&")), ({ ids, page }) => [page.status, ids.length]),
          )
          // Delivered, failed attempts, given up, and the bar.
          expect([path, ...found]).toEqual([path, [200, 0], [200, 1], [200, 0], [200, 1]])
        }
        const { page } = yield* shown(browser, "deliveries?attempts=failed_2026-01-01T00_24")
        expect(page.read).toMatch(/Failed attempts 1 Jan, 00:00 – 2 Jan, 00:00 .*No deliveries match this filter/)
        expect(page.text).toContain('href="?from=24h">24 h<')
      }),
  )

  it.effect("MUST refuse filters and places that can't be read with a page that names them", () =>
    Effect.gen(function* () {
      const { browser } = yield* site
      const bad = [
        ["state=lost", "State"],
        ["kind=design.lost", "Event"],
        ["test=maybe", "Test events"],
        ["from=2026-02-30", "From"],
        ["to=9999-12-31T00:00", "To"],
        ["endpoint=%00", "Endpoint"],
        ["attempts=failed_5", "Attempts"],
        ["after=5", "no place in the list"],
        ["after=99999999999999999_dlv_1", "no place in the list"],
      ] as const
      for (const [query, message] of bad) {
        const { page } = yield* shown(browser, `deliveries?${query}`)
        expect([query, page.status, page.read]).toEqual([query, 400, expect.stringContaining(message)])
        expect(page.text).toContain('<a href="?" class="button">Show all</a>')
      }
    }),
  )

  it.effect(
    "MUST show everything that waits, when it goes out and why, behind any number of newer successes (D32)",
    () =>
      Effect.gen(function* () {
        const { addEndpoint, attempted, browser, order, send, shop } = yield* site
        const endpoint = yield* addEndpoint("first")
        yield* order("waits")
        yield* attempted(failing)
        for (let index = 0; index < 55; index++) yield* order(`order-${index}`)
        yield* attempted(delivered)
        for (const path of ["deliveries/waiting", `webhooks/${endpoint}`]) {
          const { page } = yield* shown(browser, path)
          expect(page.read).toContain("Order #waits")
          expect(page.read).toContain("Retry 1 of 6 after a failed attempt")
        }
        expect((yield* shown(browser, "deliveries/waiting")).ids).toHaveLength(1)
        yield* order("due")
        expect((yield* shown(browser, "deliveries/waiting")).page.read).toContain("It is due")
        yield* manage(send, "POST", `/shops/${shop.id}/webhooks/${endpoint}/pause`)
        const folded = yield* shown(browser, "deliveries/waiting")
        expect([folded.ids, folded.page.read]).toEqual([[], expect.stringMatching(/ 2 held for 93.184.216.34 Paused /)])
        yield* manage(send, "POST", `/shops/${shop.id}/webhooks/${endpoint}/test`)
        const test = yield* shown(browser, "deliveries/waiting")
        expect([test.ids.length, test.page.read]).toEqual([
          1,
          expect.stringMatching(/ 1 goes out now 2 held for .* Now$/),
        ])
        expect((yield* shown(browser, `deliveries/waiting?cause=held&endpoint=${endpoint}`)).ids).toHaveLength(2)
        const paused = yield* shown(browser, `deliveries/waiting?endpoint=${endpoint}`)
        expect(paused.ids).toHaveLength(3)
        expect(paused.page.read).toContain("The endpoint is paused")
        const other = yield* shown(browser, "deliveries/waiting?endpoint=whe_other")
        expect(other.page.read).toContain("Nothing waits")
      }),
  )

  it.effect("MUST say why each delivery waits: a retry, one at a time, switched off, or the plan (D32)", () =>
    Effect.gen(function* () {
      const { addEndpoint, browser, order, ports, send, shop } = yield* site
      const endpoint = yield* addEndpoint("first")
      const why = Effect.map(shown(browser, `deliveries/waiting?endpoint=${endpoint}`), ({ page }) => page.read)
      yield* order("first")
      yield* attemptedOn(ports, shop.id, failing, { consecutiveFailures: 10 })
      expect(yield* why).toContain("Retry 1 of 6 after a failed attempt")
      yield* order("second")
      expect(yield* why).toMatch(/ 1 goes out now 1 is tried again, in /)
      expect(yield* why).toContain("One at a time is sent while the endpoint fails")
      yield* attemptedOn(ports, shop.id, failing, { status: "switched_off", switchedOffAt: Date.now() })
      expect(yield* why).toContain("The endpoint is switched off")
      yield* manage(send, "PUT", `/shops/${shop.id}`, { ...shopInput, plan: "free" })
      expect(yield* why).toContain("The shop's plan does not include webhooks")
      expect(yield* why).not.toContain("The endpoint is switched off")
    }),
  )

  it.effect("MUST say that a delivery waits for an earlier one about its order, and not offer to try it (D53)", () =>
    Effect.gen(function* () {
      const { addEndpoint, browser, order, send, shop } = yield* site
      const endpoint = yield* addEndpoint("first")
      yield* manage(send, "PATCH", `/shops/${shop.id}/webhooks/${endpoint}`, { ordering: "object" })
      yield* order("4711")
      yield* manage(send, "POST", `/shops/${shop.id}/orders/4711/cancel`)
      const { page } = yield* shown(browser, `deliveries/waiting?endpoint=${endpoint}`)
      expect(page.read).toContain("1 goes out now 1 waits behind another about the same order or design")
      expect((yield* shown(browser, "deliveries/waiting")).ids).toHaveLength(1)
      expect((yield* shown(browser, "deliveries/waiting?cause=behind")).ids).toHaveLength(1)
      const why = "An earlier delivery about the same order or design comes first"
      expect([page.read.split(why).length - 1, page.read.split("It is due").length - 1]).toEqual([1, 1])
      const [cancelled, ordered] = (yield* eventsOf(send, shop, endpoint)).map(({ id }) => id)
      const pathOf = (id = "") => `/settings/webhooks/${endpoint}/deliveries/${id}`
      const isOffered = (shown: { readonly text: string }) => shown.text.includes("Try now")
      expect(isOffered(yield* browser.open(pathOf(ordered)))).toBe(true)
      const behind = yield* browser.open(pathOf(cancelled))
      expect(behind.read).toContain("When the earlier ones about the same order or design are finished")
      expect(isOffered(behind)).toBe(false)
      const path = `/shops/${shop.id}/webhooks/${endpoint}/deliveries/${cancelled}/try`
      expect(yield* manage(send, "POST", path)).toMatchObject({
        status: 409,
        text: expect.stringContaining("waits for another one about the same order or design"),
      })
    }),
  )

  it.effect(
    "MUST name the order and the product on a delivery's own page, with links to everything of them (D32)",
    () =>
      Effect.gen(function* () {
        const { addEndpoint, browser, order, send, shop } = yield* site
        const endpoint = yield* addEndpoint("first")
        const ping = yield* manage(send, "POST", `/shops/${shop.id}/webhooks/${endpoint}/test`)
        yield* order("4711")
        yield* manage(send, "POST", `/shops/${shop.id}/orders/4711/cancel`)
        const pageOf = (id: string) => browser.open(`/settings/webhooks/${endpoint}/deliveries/${id}`)
        const { id: pingId } = JSON.parse(ping.text) as { readonly id: string }
        expect((yield* pageOf(pingId)).read).toContain("About Nothing in the shop")
        const deliveries = yield* eventsOf(send, shop, endpoint)
        const [cancelled = "", ordered = ""] = deliveries.map(({ id }) => id).filter((id) => id !== pingId)
        const toOrder = /<a href="(?:\.\.\/)+find\?q=4711"><bdi>Order #4711<\/bdi><\/a>/
        const toDesign = /<a href="(?:\.\.\/)+find\?q=design-4711"><bdi>Signet ring<\/bdi><\/a>/
        expect((yield* pageOf(cancelled)).text).toMatch(toOrder)
        const page = (yield* pageOf(ordered)).text
        for (const link of [toOrder, toDesign]) expect(page).toMatch(link)
      }),
  )

  it.effect("MUST say what became of an order at each endpoint, and send it to one that lacks it (D28, D31, D32)", () =>
    Effect.gen(function* () {
      const { attempted, browser, order, send, shop } = yield* site
      const add = Effect.fnUntraced(function* (description: string, more: object = {}) {
        const input = { url: "https://93.184.216.34/hook", description, ...more }
        const { text } = yield* manage(send, "POST", `/shops/${shop.id}/webhooks`, input)
        return (JSON.parse(text) as { readonly id: string }).id
      })
      const line = yield* add("In line", { ordering: "object" })
      const paused = yield* add("Resting")
      yield* add("Cancellations", { events: ["order.cancelled"] })
      yield* add("Others", { customizers: [999] })
      yield* manage(send, "POST", `/shops/${shop.id}/webhooks/${paused}/pause`)
      yield* order("4711")
      yield* attempted(failing)
      yield* manage(send, "POST", `/shops/${shop.id}/webhooks/${paused}/enable`)
      yield* add("Newcomer")
      const rowsOf = (path: string) =>
        Effect.map(browser.open(`/settings/${path}`), (page) => {
          const [, fate = ""] = page.text.split('id="fate"')
          const rows = [...(fate.split("</table>")[0] ?? "").matchAll(/<tr>([\s\S]*?)<\/tr>/g)].slice(1)
          const bare = (html = "") =>
            html
              .replaceAll(/<[^>]*>/g, " ")
              .replaceAll(/\s+/g, " ")
              .trim()
          return { page, rows: rows.map(([, row]) => bare(row)) }
        })
      for (const path of ["orders/4711", "find?q=4711"]) {
        expect([path, (yield* rowsOf(path)).rows]).toEqual([
          path,
          [
            expect.stringMatching(/^In line 93.* Pending design\.ordered : 503, next attempt: in .* \(Retry 1 of 6/),
            expect.stringMatching(/^Resting 93.* Not sent design\.ordered : The endpoint was paused .*Send$/),
            expect.stringMatching(/^Cancellations 93.* Not sent design\.ordered : The endpoint did not take this kind/),
            expect.stringMatching(/^Others 93.* Not sent design\.ordered : The endpoint wants designs of other custom/),
            expect.stringMatching(/^Newcomer 93.* Not sent design\.ordered : The endpoint was added later/),
          ],
        ])
      }
      yield* manage(send, "POST", `/shops/${shop.id}/orders/4711/cancel`)
      const { page } = yield* rowsOf("find?q=4711")
      expect(page.read).toMatch(/#4711 went .* order.cancelled : waiting behind design.ordered .* Order #4711 4711/)
      expect(page.text).toMatch(/behind <a href="[^"]*deliveries\/dlv_\w+">/)
      expect(page.forms.filter(({ action }) => action.includes("/send?"))).toHaveLength(4)
      const form = (id: string) => ({ endpoint: id })
      const action = page.forms.find((one) => one.action.includes("/send?"))?.action ?? ""
      const sent = yield* browser.submit(page, action, form(paused))
      expect([sent.path, sent.read]).toEqual([
        `/settings/${shop.id}/find?q=4711`,
        expect.stringContaining("1 event is on the way. 2 deliveries are pending now."),
      ])
      yield* attempted(delivered)
      expect((yield* rowsOf("orders/4711")).rows[1]).toMatch(
        /^Resting .* Delivered order\.cancelled .* Delivered design\.ordered .*Send 2$/,
      )
      const none = yield* browser.submit(page, action, form(line))
      expect(none.read).toContain("Nothing was sent: everything about this order waits already")
      expect((yield* browser.submit(page, action, form("whe_other"))).status).toBe(404)
      const audit = yield* browser.open(`/settings/audit?subject=endpoint:${paused}`)
      expect(audit.read).toContain("Log sent again")
    }),
  )

  it.effect("MUST say what to look for if nothing fits, and find nothing of another store", () =>
    Effect.gen(function* () {
      const { addEndpoint, browser, order, send } = yield* site
      yield* addEndpoint("first")
      yield* order("4711")
      const found = (by: Browser, query: string) => shown(by, `find?q=${encodeURIComponent(query)}`)
      expect((yield* found(browser, "4711")).ids).toHaveLength(1)
      yield* order("4712")
      const { page: two } = yield* found(browser, "Where are 4711 and 4712, please?")
      expect(two.read).toMatch(/Where the order #4711 went .* Where the order #4712 went /)
      for (const query of ["47", "", "\u0000", "x".repeat(300), `<script>"'`]) {
        const { ids, page } = yield* found(browser, query)
        expect([query, page.status, ids]).toEqual([query, 200, []])
        expect(page.read).toContain("Search for the id or the name of an order")
      }
      const elsewhere = yield* signedIn(send, (yield* newShop(send)).id)
      expect((yield* found(elsewhere, "4711")).page.read).toContain("Nothing was found")
    }),
  )

  it.effect("MUST find an order and a design although no event about them is kept any more", () =>
    Effect.gen(function* () {
      const { addEndpoint, browser, ports, shop } = yield* site
      const order = makeOrder(shop.id, "old")
      yield* Context.get(ports, OrderStore).commit({
        shop: shop.id,
        designs: [makeOrdered(order, "old-design", 0, { wire: '{"customizer":{"id":1,"title":"Mug"}}' })],
        order,
        events: [],
      })
      for (const query of ["old", "#OLD"]) {
        const { page } = yield* shown(browser, `find?q=${encodeURIComponent(query)}`)
        expect(page.read).toMatch(/Where the order #old went.*Order #old old Show it/)
        expect(page.read).toContain("No event about it is kept any more")
        expect(page.text).toMatch(/href="[^"]*orders\/old"/)
      }
      const endpoint = yield* addEndpoint("first")
      const { page: named } = yield* shown(browser, `find?q=see%20${endpoint.toUpperCase()}%3F`)
      expect(named.text).toMatch(new RegExp(`<main.*<a href="[^"]*webhooks/${endpoint}">`, "s"))
      const orderedAt = "2020-10-05T14:48:00.000+00:00"
      const head = wireHead({ id: "2020", name: "#1", status: "ordered", currency: "EUR", total: 0, orderedAt })
      const past = { shop: shop.id, designs: [], order: makeOrder(shop.id, "2020", { head }), events: [] }
      yield* Context.get(ports, OrderStore).commit(past)
      expect((yield* browser.open("/settings/orders/2020")).read).toContain(
        "Not known: the order is older than 30 days",
      )
      const { page } = yield* shown(browser, "find?q=old-design")
      expect(page.read).toContain("Design old-design")
      expect(page.text).toMatch(/href="[^"]*designs\/old-design"/)
    }),
  )
})
