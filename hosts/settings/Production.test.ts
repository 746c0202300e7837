/** The list of lines to make, and the job ticket of an order (D69). */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { signedIn } from "../../conformance/testkit/browsers/Browser.ts"
import { hrefs, mug, order, withMug } from "../../conformance/testkit/browsers/MugShop.ts"
import { manage, memory, onHosts, postgres, TestHost } from "../../conformance/testkit/hosts/TestHost.ts"

/** The cells of the rows of a page's tables, without their tags. */
const rowsOf = ({ text }: { readonly text: string }): ReadonlyArray<string> =>
  [...text.matchAll(/<tr>(?:(?!<\/tr>).)*<td.*?<\/tr>/gs)].map(([row]) =>
    row
      .replaceAll(/<[^>]*>/g, " ")
      .replaceAll(/\s+/g, " ")
      .trim(),
  )

const long = { ...mug, questions: mug.questions.map((one) => ({ ...one, maxLength: one.maxLength && 200 })) }

onHosts("The pages of production", [memory, postgres], (it) => {
  it.effect("MUST list each line that is ordered and not cancelled, with quantity and codes, and no other (D69)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* withMug(send)
      yield* order(send, shop, { id: "1", designs: 3, more: { quantity: 12 } })
      yield* order(send, shop, { id: "2", orderedAt: "2026-10-06T00:00:00Z" })
      yield* order(send, shop, { id: "3", orderedAt: "2026-10-04T23:59:59Z", selection: { colour: "white" } })
      yield* order(send, shop, { id: "4" })
      yield* manage(send, "POST", `/shops/${shop}/orders/4/cancel`)
      yield* manage(send, "POST", `/shops/${shop}/orders/1/lines/line%201/cancel`)
      yield* manage(send, "PUT", `/shops/${shop}/designs/draft`, {
        customizerId: 7,
        selection: { colour: "white" },
        basePrice: 1,
      })
      const browser = yield* signedIn(send, shop)
      const rows = (query: string) => Effect.map(browser.open(`/settings/production${query}`), rowsOf)
      const [newest, of1, rest, oldest] = [
        "#2 Job ticket line 0 1 C-RED Ada",
        "#1 Job ticket line 0 12 C-RED Ada",
        "#1 Job ticket line 2 1 C-RED Ada",
        "#3 Job ticket line 0 1 C-WHITE",
      ]
      expect(yield* rows("")).toEqual([newest, of1, rest, oldest])
      expect(yield* rows("?customizer=7&from=2026-10-05&to=2026-10-05")).toEqual([of1, rest])
      expect(yield* rows("?to=2026-10-04")).toEqual([oldest])
      expect(yield* rows("?customizer=8")).toEqual([])
      const page = yield* browser.open("/settings/production")
      expect(page.read).toMatch(/6 Oct 2026 · Mug.*5 Oct 2026 · Mug 13 pieces.*4 Oct 2026 · Mug/)
      expect(page.headers["content-security-policy"]).toMatch(/img-src 'self' https?:/)
      const [csv = ""] = hrefs((yield* browser.open("/settings/production?to=2026-10-05")).text, "./production/csv")
      const table = yield* browser.open(`/settings/${csv.slice(2)}`)
      expect(table.headers["content-type"]).toBe("text/csv; charset=utf-8")
      const [heading = "", ...lines] = table.text.trimEnd().split("\r\n")
      const columns = heading.replace("\ufeff", "").split(",")
      const wanted = ["order_name", "line_item_id", "quantity", "production.colour", "production.name"]
      expect(lines.map((line) => wanted.map((name) => line.split(",")[columns.indexOf(name)]))).toEqual([
        ["#1", "line 0", "12", "C-RED", "Ada"],
        ["#1", "line 2", "1", "C-RED", "Ada"],
        ["#3", "line 0", "1", "C-WHITE", ""],
      ])
      for (const query of ["customizer=x", "from=soon", "to=2026-02-30", "after=x", "after=1~1~%00"]) {
        expect([query, (yield* browser.open(`/settings/production?${query}`)).status]).toEqual([query, 400])
      }
      expect((yield* browser.open("/settings/production/csv?from=soon")).status).toBe(400)
    }),
  )

  it.effect("MUST show each line on exactly one page, however many an order has (D69)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* withMug(send)
      const orderedAt = "2026-10-05T12:00:00Z"
      for (const id of ["a", "b"]) yield* order(send, shop, { id, designs: 45, orderedAt })
      const browser = yield* signedIn(send, shop)
      const found: Array<string> = []
      let path: string | undefined = "/settings/production?customizer=7"
      let pages = 0
      while (path !== undefined) {
        const page: Effect.Success<ReturnType<typeof browser.open>> = yield* browser.open(path)
        found.push(...rowsOf(page))
        expect(Buffer.byteLength(page.text)).toBeLessThan(30 * 1024)
        const next: string | undefined = hrefs(page.text, "?").find((href) => href.includes("after="))
        path = next === undefined ? undefined : `/settings/production${next}`
        pages += 1
      }
      expect(pages).toBeGreaterThan(2)
      const lines = Array.from({ length: 45 }, (_, at) => `line ${at}`)
      expect(found).toEqual(["b", "a"].flatMap((id) => lines.map((line) => `#${id} Job ticket ${line} 1 C-RED Ada`)))
    }),
  )

  it.effect("MUST have a job ticket with pictures, codes, quantity and the buyer's text as it was entered (D69)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* withMug(send, long)
      const text = "Für  Ada\u200b & <b>\u202eBo\n2"
      const selection = { colour: "red", name: { text }, extras: ["box", "lid"] }
      yield* order(send, shop, { id: "a/b", designs: 2, selection, more: { quantity: 4 } })
      const browser = yield* signedIn(send, shop)
      const [link = ""] = hrefs((yield* browser.open("/settings/orders/a%2Fb")).text, "../orders/")
      expect(link).toBe("../orders/a%2Fb/ticket")
      const page = yield* browser.open("/settings/orders/a%2Fb/ticket")
      expect(page.read).toMatch(/Job ticket #a\/b .*4 × .*Name Für ␣ ␣ Ada U\+200B & <b> U\+202E Bo ↵ 2 .*1 × /s)
      expect(page.text).not.toContain("\u202e")
      expect(rowsOf(page)).toEqual([
        ...["colour C-RED", "name Für ␣ ␣ Ada U+200B &amp; &lt;b> U+202E Bo ↵ 2", "extras E-BOX, E-LID"],
        ...["colour C-RED", "name Für ␣ ␣ Ada U+200B &amp; &lt;b> U+202E Bo ↵ 2", "extras E-BOX, E-LID"],
      ])
      expect(page.text).toMatch(/<img src="https:[^"]*front[^"]*" alt="Mug, view “front”"/)
      expect(page.text.match(/<svg role="img" aria-label="QR code of the design’s id"/g)).toHaveLength(2)
      yield* manage(send, "POST", `/shops/${shop}/orders/a%2Fb/lines/line%200/cancel`)
      expect((yield* browser.open("/settings/orders/a%2Fb/ticket")).read).not.toContain("4 ×")
      yield* manage(send, "POST", `/shops/${shop}/orders/a%2Fb/cancel`)
      expect((yield* browser.open("/settings/orders/a%2Fb/ticket")).read).toContain(
        "Nothing of this order has to be made",
      )
      expect((yield* browser.open("/settings/orders/none/ticket")).status).toBe(404)
      yield* order(send, shop, { id: "~", selection })
      expect((yield* browser.open("/settings/orders/~/ticket?id=~")).read).toContain("1 ×")
    }),
  )

  it.effect("MUST have a ticket that says what has no room on it, and never part of a text (D69)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const huge = { ...mug, questions: mug.questions.map((one) => ({ ...one, maxLength: one.maxLength && 9_000 })) }
      const shop = yield* withMug(send, huge)
      const selection = { colour: "red", name: { text: `begin ${"\u200b".repeat(6_000)}` } }
      yield* order(send, shop, { id: "1", designs: 20, selection })
      const browser = yield* signedIn(send, shop)
      const page = yield* browser.open("/settings/orders/1/ticket")
      expect(Buffer.byteLength(page.text)).toBeLessThan(30 * 1024)
      expect(page.read).toContain("Not everything fits on this ticket")
      expect(page.text).not.toContain("begin")
      expect(hrefs(page.text, "?").some((href) => href.includes("at="))).toBe(true)
    }),
  )
})
