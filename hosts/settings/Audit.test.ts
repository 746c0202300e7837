/** The page of a store's changes, and the history of an endpoint (D59). */
import { expect } from "@effect/vitest"
import { Context, Effect } from "effect"
import { makeEntry } from "../../conformance/suites/storage/audit/Entries.ts"
import { makeOrder } from "../../conformance/suites/storage/support/Fixtures.ts"
import { visitedShop } from "../../conformance/testkit/browsers/Browser.ts"
import { manage, memory, onHosts } from "../../conformance/testkit/hosts/TestHost.ts"
import { AuditStore } from "../../core/ports/AuditStore.ts"
import { OrderStore } from "../../core/ports/OrderStore.ts"
import { entriesOf } from "../../core/rules/webhooks/NoticeRules.ts"
import { english } from "./texts/English.ts"

const url = "https://93.184.216.34/hook"

/** The rows of a table, each without its tags. */
const rowsOf = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/<tr>([\s\S]*?)<\/tr>/g)].slice(1).map(([, row = ""]) => row.replaceAll(/<[^>]*>/g, " "))

/** The items of a history, likewise. */
const historyOf = (text: string): ReadonlyArray<string> => {
  const [, list = ""] = /<ol class="timeline pad">([\s\S]*?)<\/ol>/.exec(text) ?? []
  return list
    .split("<div><p>")
    .slice(1)
    .map((item) => item.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " "))
}

onHosts("The changes of a store", [memory], (it) => {
  it.effect("MUST show every change with its time, its actor, and what it changed, and filter them (D59)", () =>
    Effect.gen(function* () {
      const { browser, ports, send, shop } = yield* visitedShop
      yield* browser.submit(yield* browser.open("/settings/tokens"), "", { name: "ERP" })
      yield* manage(send, "PUT", `/shops/${shop.id}/customizers/7`, {
        title: "Mug",
        platformProductId: "gid://p/Product/1",
        assetBase: "https://a.example",
      })
      const page = yield* browser.open("/settings/audit")
      expect([page.status, /aria-current="page"[^>]*>[\s\S]*?Changes/.test(page.text)]).toEqual([200, true])
      const rows = rowsOf(page.text)
      expect(rows[0]).toMatch(/now|ago/)
      expect(rows[0]).toMatch(/The management key[\s\S]*Customizer created\s+Mug\s[\s\S]*Title:[\s\S]*Mug/)
      expect(rows[1]).toMatch(/session [\w-]{6}[\s\S]*Token created[\s\S]*Name:[\s\S]*ERP/)
      expect(page.text).toMatch(/<time dateTime="[^"]+" title="\d+ \w+ \d{4}, [\d:]+ UTC"/i)
      const tokens = yield* browser.open("/settings/audit?subject=token&from=&to=")
      expect(rowsOf(tokens.text).map((row) => /Token \w+/.exec(row)?.[0])).toEqual(["Token created", "Token created"])
      expect(rowsOf((yield* browser.open("/settings/audit?subject=customizer:7")).text)).toHaveLength(1)
      const today = new Date().toISOString().slice(0, 10)
      expect(rowsOf((yield* browser.open(`/settings/audit?from=${today}&to=${today}`)).text)).toHaveLength(rows.length)
      expect((yield* browser.open("/settings/audit?to=2020-01-01")).read).toContain(english.audit.nothing)
      for (const query of ["subject=person", "from=soon", "to=2020-13-01", "after=x"]) {
        expect([query, (yield* browser.open(`/settings/audit?${query}`)).status]).toEqual([query, 400])
      }
      // Orders by their names, and the customizers of an endpoint by their titles.
      const order = makeOrder(shop.id, "A")
      yield* Context.get(ports, OrderStore).commit({ shop: shop.id, designs: [], order, events: [] })
      yield* Context.get(ports, AuditStore).add(makeEntry(shop.id, { subject: { type: "order", id: "A" } }))
      yield* manage(send, "POST", `/shops/${shop.id}/webhooks`, { url, events: ["design.ordered"], customizers: [7] })
      const { read } = yield* browser.open("/settings/audit")
      expect(read).toMatch(new RegExp(`#A .*${english.endpointOptions.customizers.changed}: +after +Mug `))
    }),
  )

  it.effect("MUST lead from page to page, each small however long the changes are, and harmless (D59)", () =>
    Effect.gen(function* () {
      const { browser, ports, shop } = yield* visitedShop
      const hostile = `<img src=x>\u202e${"€".repeat(2_000)}`
      for (let index = 0; index < 45; index++) {
        const fields = { url: hostile, description: hostile, standardWebhooks: true, events: ["design.ordered"] }
        yield* Context.get(ports, AuditStore).add(
          makeEntry(shop.id, { subject: { type: "order", id: hostile.slice(0, 255) }, before: fields, after: fields }),
        )
      }
      const found: Array<number> = []
      let path = "/settings/audit?subject=order"
      for (;;) {
        const page = yield* browser.open(path)
        expect(Buffer.byteLength(page.text)).toBeLessThan(40 * 1024)
        expect(page.text).not.toContain("<img src=x>")
        found.push(rowsOf(page.text).length)
        const [, next] = /href="([^"]*)" rel="next"/.exec(page.text) ?? []
        if (next === undefined) break
        path = `/settings/audit${next.replaceAll("&amp;", "&")}`
      }
      expect(found).toEqual([15, 15, 15])
    }),
  )

  it.effect("MUST tell on the page of an endpoint what happened to it, newest first, and who did it (D59)", () =>
    Effect.gen(function* () {
      const { browser, ports, send, shop } = yield* visitedShop
      const added = yield* browser.submit(yield* browser.open("/settings/webhooks/new"), "", {
        url,
        events: ["design.ordered"],
      })
      const id = /webhooks\/(whe_\w+)/.exec(added.path)?.[1] ?? ""
      yield* manage(send, "PATCH", `/shops/${shop.id}/webhooks/${id}`, { description: "Shop", customizers: [101] })
      const body = JSON.stringify({ notice: "endpoint.switched_off", endpoint: { id, url, consecutiveFailures: 20 } })
      const off = { shop: shop.id, id: "ntc_1o", createdAt: Date.now() + 1_000, body }
      for (const entry of entriesOf([off])) yield* Context.get(ports, AuditStore).add(entry)
      const items = historyOf((yield* browser.open(`/settings/webhooks/${id}`)).text)
      expect(items[0]).toMatch(
        /Endpoint switched off .*State: .*active .*switched off .*Failed in a row: .*20 .*The service/,
      )
      expect(items[1]).toMatch(/Endpoint edited Description: .*empty .*→.*Shop .*→.*Signet ring .*The management key/)
      expect(items[2]).not.toMatch(/none|empty|Active/)
      expect(items[2]).toMatch(/Endpoint added .*URL: .*93\.184\.216\.34.*session [\w-]{6}/)
      for (const remains of [true, false]) {
        const { text } = yield* browser.open(`/settings/audit?subject=endpoint:${id}`)
        expect(rowsOf(text).at(-1)).toMatch(/Endpoint added\s+Shop\s/)
        if (remains) yield* manage(send, "DELETE", `/shops/${shop.id}/webhooks/${id}`)
      }
    }),
  )
})
