/** The page of events that a store's platform has sent (D57). */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { makeInboxItem } from "../../conformance/suites/storage/support/Fixtures.ts"
import { makeBrowser, visitedShop } from "../../conformance/testkit/browsers/Browser.ts"
import { hrefs } from "../../conformance/testkit/browsers/MugShop.ts"
import { receiveShopify } from "../../conformance/testkit/hosts/PlatformEvents.ts"
import { type Json, manage, memory, newDesign, onHosts } from "../../conformance/testkit/hosts/TestHost.ts"
import { Inbox } from "../../core/ports/Inbox.ts"
import { raiseAlarms } from "../../core/usecases/ingest/RaiseAlarms.ts"
import { readInboxEvent } from "../../core/usecases/ingest/ReadInbox.ts"
import { english } from "./texts/English.ts"

/** The rows of a table, each without its tags. */
const rowsOf = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/<tr>([\s\S]*?)<\/tr>/g)]
    .slice(1)
    .map(([, row = ""]) => row.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " "))

onHosts("The events of a shop platform", [memory], (it) => {
  it.effect("MUST be listed by state with their reason, and be tried again by a button, without scripts (D57)", () =>
    Effect.gen(function* () {
      const { browser, ports, send, shop } = yield* visitedShop
      expect((yield* browser.open("/settings/orders")).text).toMatch(/href="[^"]*inbox"/)
      expect((yield* browser.open("/settings/inbox")).read).toContain(english.inbox.noneEver)
      yield* newDesign(send, shop, "a")
      yield* receiveShopify(ports, shop.id, 1, ["a"])
      const waiting = yield* receiveShopify(ports, shop.id, 2, ["b"], { topic: "orders/paid" })
      yield* receiveShopify(ports, shop.id, 3, ["a\u0007"])
      const rows = rowsOf((yield* browser.open("/settings/inbox")).text)
      expect(rows.toSorted()).toEqual([
        expect.stringMatching(/^ Applied orders\/create Shopify #1 .*(now|ago)/),
        expect.stringMatching(/^ Failed orders\/create Shopify 3 .* its property .*_designwire_id.* Try again/),
        expect.stringMatching(/^ Waiting orders\/paid Shopify 2 .* The design b is missing.* Try again/),
      ])
      const list = yield* browser.open("/settings/inbox?state=waiting")
      expect(rowsOf(list.text)).toHaveLength(1)
      const still = yield* browser.submit(list, `./inbox/${waiting.id}/apply`)
      expect(still.read).toContain(english.inbox.tried.waiting)
      yield* newDesign(send, shop, "b")
      const applied = yield* browser.submit(still, `./inbox/${waiting.id}/apply`)
      expect(applied.read).toContain(english.inbox.tried.applied)
      expect((yield* browser.open("/settings/inbox?state=waiting")).read).toContain(english.inbox.none)
      expect((yield* browser.open("/settings/orders/2")).status).toBe(200)
      const { json } = yield* manage(send, "GET", `/shops/${shop.id}/audit?subject=inbox`)
      expect((json as { readonly data: ReadonlyArray<Json> }).data).toHaveLength(2)
      expect((yield* browser.open("/settings/audit?subject=inbox")).read).toContain("Event of the shop platform tried")
      expect(rowsOf((yield* browser.open("/settings/inbox?from=today")).text)).toHaveLength(3)
      const past = yield* browser.open("/settings/inbox?q=2&state=applied&to=2020-01-01")
      expect(past.read).toContain(english.inbox.none)
      expect(hrefs(past.text, "?")).toContain("?q=2&state=applied&from=24h")
      for (const query of ["state=done", "after=x", "from=soon", "q=2&to=soon"]) {
        expect([query, (yield* browser.open(`/settings/inbox?${query}`)).status]).toEqual([query, 400])
      }
    }),
  )

  it.effect("MUST be on the first page once they failed or have waited for too long, and not before (D85)", () =>
    Effect.gen(function* () {
      const { browser, ports, send, shop } = yield* visitedShop
      const { platformFailed, platformWaiting } = english.overview
      yield* newDesign(send, shop, "a")
      yield* receiveShopify(ports, shop.id, 1, ["a"])
      yield* receiveShopify(ports, shop.id, 2, ["b"])
      expect((yield* browser.open("/settings/")).text).not.toContain('id="platform"')
      yield* receiveShopify(ports, shop.id, 3, ["a\u0007"])
      const failed = yield* browser.open("/settings/")
      expect(failed.read).toContain(platformFailed(1))
      expect(failed.read).not.toContain(platformWaiting(1))
      expect(failed.text).toMatch(/href="[^"]*inbox\?state=failed"/)
      const receivedAt = Date.now() - 900_000
      const item = makeInboxItem(shop.id, { designId: "c", receivedAt })
      yield* Inbox.use((inbox) => inbox.put(item)).pipe(Effect.provideContext(ports))
      expect((yield* browser.open("/settings/")).read).toContain(platformWaiting(1))
      yield* raiseAlarms().pipe(Effect.provideContext(ports))
      const noticed = (yield* browser.open("/settings/")).read
      for (const text of [english.notices.inboxTroubled.failed, english.notices.inboxTroubled.waiting]) {
        expect(noticed).toContain(text)
      }
    }),
  )

  it.effect("MUST have a button that places an order that waits for payment, or was over, and no other (D80)", () =>
    Effect.gen(function* () {
      const { browser, ports, send, shop } = yield* visitedShop
      for (const design of ["a", "b", "c"]) yield* newDesign(send, shop, design)
      const unpaid = yield* receiveShopify(ports, shop.id, 1, ["a"], { rest: { financial_status: "pending" } })
      const shipped = yield* receiveShopify(ports, shop.id, 2, ["b"], { rest: { fulfillment_status: "fulfilled" } })
      const applied = yield* receiveShopify(ports, shop.id, 3, ["c"])
      expect([unpaid.state, shipped.state, applied.state]).toEqual(["unpaid", "ignored", "applied"])
      const list = yield* browser.open("/settings/inbox")
      expect(rowsOf(list.text).toSorted()).toEqual([
        expect.stringMatching(/^ Applied .*(now|ago) $/),
        expect.stringMatching(/^ Ignored .* is fulfilled and was never placed.* Place now $/),
        expect.stringMatching(/^ Unpaid .* is pending: it is placed once it is paid Place now $/),
      ])
      for (const [id, order] of [
        [unpaid.id, "1"],
        [shipped.id, "2"],
      ] as const) {
        const placed = yield* browser.submit(list, `./inbox/${id}/place`)
        expect(placed.read).toContain(english.inbox.tried.applied)
        expect((yield* browser.open(`/settings/orders/${order}`)).status).toBe(200)
      }
      expect((yield* browser.open("/settings/audit?subject=inbox")).read).toContain("placed by hand")
      expect((yield* browser.open("/settings/inbox")).read).not.toContain(english.inbox.placeNow)
    }),
  )

  it.effect("MUST lead from page to page, each small and harmless whatever the platform sends (D57)", () =>
    Effect.gen(function* () {
      const { browser, ports, shop } = yield* visitedShop
      const odd = "<script>alert(1)</script>"
      for (let order = 1; order <= 16; order++) {
        yield* receiveShopify(ports, shop.id, order, [odd + "x".repeat(220)])
      }
      const first = yield* browser.open("/settings/inbox?from=24h")
      expect(rowsOf(first.text)).toHaveLength(15)
      expect(Buffer.byteLength(first.text)).toBeLessThan(40 * 1024)
      expect(first.text).not.toContain("<script>alert")
      expect(first.text).toContain("&lt;script>alert")
      const [, next = ""] = /href="([^"]*from=24h[^"]*after=[^"]*)"/.exec(first.text) ?? []
      const second = yield* browser.open(`/settings/inbox${next.replaceAll("&amp;", "&")}`)
      expect(rowsOf(second.text)).toHaveLength(1)
      expect(second.read).toContain(english.paging.links.newest[0])
    }),
  )

  it.effect("MUST be found by the order's id, its name and their own id, and be counted in the menu (D57, D85)", () =>
    Effect.gen(function* () {
      const { browser, ports, send, shop } = yield* visitedShop
      yield* newDesign(send, shop, "a")
      yield* receiveShopify(ports, shop.id, 1, ["a"], { rest: { name: "#77" } })
      const failed = yield* receiveShopify(ports, shop.id, 2, ["a\u0007"], { rest: { name: "#88" } })
      expect((yield* browser.open("/settings/tokens")).read).toContain(english.inbox.attention("1", true))
      for (const [asked, order] of [
        ["1", "#77"],
        ["77", "#77"],
        ["#77", "#77"],
        ["2", "2"],
        ["88", "2"],
        ["#88", "2"],
        [failed.id, "2"],
      ] as const) {
        const list = yield* browser.open(`/settings/inbox?q=${encodeURIComponent(asked)}`)
        expect([asked, rowsOf(list.text)]).toEqual([
          asked,
          [expect.stringContaining(` orders/create Shopify ${order} `)],
        ])
        const found = yield* browser.open(`/settings/find?q=${encodeURIComponent(asked)}`)
        expect([asked, found.text.includes(order === "2" ? `inbox/${failed.id}"` : "inbox/inb_")]).toEqual([
          asked,
          true,
        ])
      }
      expect((yield* browser.open("/settings/inbox?q=78")).read).toContain(english.inbox.none)
    }),
  )

  it.effect(
    "MUST have a page that says what to do, and dismisses an event, whose order can still be placed (D57)",
    () =>
      Effect.gen(function* () {
        const { browser, ports, send, shop } = yield* visitedShop
        const { id } = yield* receiveShopify(ports, shop.id, 1, ["a"])
        const page = yield* browser.open(`/settings/inbox/${id}`)
        expect(page.read).toContain(english.inbox.todos.missing)
        const dismissed = yield* browser.submit(page, `../inbox/${id}/dismiss`)
        expect(dismissed.path).toContain(`/inbox/${id}`)
        for (const text of [english.inbox.dismissed, english.inbox.todos.placeable])
          expect(dismissed.read).toContain(text)
        expect((yield* Effect.provideContext(readInboxEvent(shop.id, id), ports)).state).toBe("ignored")
        expect((yield* browser.open("/settings/audit?subject=inbox")).read).toContain("dismissed")
        yield* newDesign(send, shop, "a")
        const placed = yield* browser.submit(dismissed, `../inbox/${id}/place`)
        expect(placed.read).toContain(english.inbox.tried.applied)
        expect((yield* browser.open("/settings/orders/1")).status).toBe(200)
        expect((yield* browser.open("/settings/inbox/inb_none")).status).toBe(404)
      }),
  )

  it.effect("MUST be shown to a read-only visitor, and tried again by none (D57, D58)", () =>
    Effect.gen(function* () {
      const { ports, send, shop } = yield* visitedShop
      const { id } = yield* receiveShopify(ports, shop.id, 1, ["a"])
      yield* newDesign(send, shop, "a")
      const { json } = yield* manage(send, "POST", `/shops/${shop.id}/settings-link`, {
        ...{ actor: "jo@acme.example", readOnly: true },
      })
      const browser = makeBrowser(send)
      const opened = yield* browser.open(String((json as Json)["url"]))
      yield* browser.submit(opened, "./link")
      const page = yield* browser.open(`/settings/${shop.id}/inbox`)
      expect(rowsOf(page.text)).toHaveLength(1)
      expect(page.read).not.toContain(english.inbox.tryAgain)
      const body = new URLSearchParams({ form: page.forms[0]?.fields[0]?.[1] ?? "" }).toString()
      expect((yield* browser.post(`/settings/${shop.id}/inbox/${id}/apply`, body)).status).toBe(403)
      const kept = yield* Effect.provideContext(readInboxEvent(shop.id, id), ports)
      expect(kept.state).toBe("waiting")
    }),
  )
})
