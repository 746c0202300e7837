/** The pages of orders, designs and customizers: reading, evaluating, checking and publishing (D69). */

import childProcess from "node:child_process"
import { promisify } from "node:util"
import { expect } from "@effect/vitest"
import { Context, Effect, Option } from "effect"
import { signedIn } from "../../conformance/testkit/browsers/Browser.ts"
import { hrefs, mug, order, product, red, withMug } from "../../conformance/testkit/browsers/MugShop.ts"
import {
  bodyOf,
  manage,
  memory,
  newShop,
  newToken,
  onHosts,
  postgres,
  TestHost,
} from "../../conformance/testkit/hosts/TestHost.ts"
import { DeliveryLog } from "../../core/ports/DeliveryLog.ts"
import { OrderStore } from "../../core/ports/OrderStore.ts"

/** The texts of a page that can be copied as blocks. */
const blocks = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/<pre><code>([\s\S]*?)<\/code>/g)].map(([, block = ""]) =>
    block.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&"),
  )

const urlOf = (path: string) => `https://93.184.216.34/${path}`

const execFile = promisify(childProcess.execFile)

const maximumPage = 30 * 1024

onHosts("The pages of orders and designs", [memory, postgres], (it) => {
  it.effect("MUST refuse searches and places that can't be read with a page that names them", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const browser = yield* signedIn(send, yield* withMug(send))
      const bad = [
        ["status=lost", "State"],
        ["from=tomorrow", "From"],
        ["from=2026-02-30", "From"],
        ["to=2026-10-05T00:00", "To"],
        ["customizer=mug", "Customizer"],
        ["status=x&from=y&to=z", "State, From, To"],
        ["after=5", "no place in the list"],
        ["after=999999999999999~1", "no place in the list"],
        ["after=5~%00", "no place in the list"],
      ] as const
      for (const [query, message] of bad) {
        const page = yield* browser.open(`/settings/orders?${query}`)
        expect([query, page.status, page.read]).toEqual([query, 400, expect.stringContaining(message)])
      }
    }),
  )

  it.effect("MUST list the orders of a customizer, with what they come to (D69)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* withMug(send)
      yield* manage(send, "PUT", `/shops/${shop}/customizers/8`, { title: "Cap", ...product })
      yield* manage(send, "POST", `/shops/${shop}/customizers/8/publish`, { definition: mug })
      yield* order(send, shop, { id: "1", designs: 2, more: { quantity: 12 } })
      yield* order(send, shop, { id: "2", orderedAt: "2026-10-06T12:00:00Z" })
      yield* manage(send, "PUT", `/shops/${shop}/designs/cap`, { customizerId: 8, selection: red, basePrice: 1 })
      yield* manage(send, "PUT", `/shops/${shop}/orders/3`, {
        ...{ name: "#3", orderedAt: "2026-10-07T12:00:00Z", lines: [{ designId: "cap", lineItemId: "1" }] },
      })
      const browser = yield* signedIn(send, shop)
      const listed = Effect.fnUntraced(function* (query: string) {
        const page = yield* browser.open(`/settings/orders${query}`)
        const totals = /\d+ orders?, \d+ designs?, \d+ pieces?/.exec(page.read)?.[0]
        return [hrefs(page.text, "./orders/").map((href) => href.slice(9)), totals]
      })
      expect(yield* listed("")).toEqual([["3", "2", "1"], undefined])
      expect(yield* listed("?customizer=7")).toEqual([["2", "1"], "2 orders, 3 designs, 14 pieces"])
      expect(yield* listed("?customizer=8&status=ordered")).toEqual([["3"], "1 order, 1 design, 1 piece"])
      expect(yield* listed("?to=2026-10-06")).toEqual([["2", "1"], "2 orders, 3 designs, 14 pieces"])
      expect(yield* listed("?customizer=9")).toEqual([[], "0 orders, 0 designs, 0 pieces"])
      expect(yield* listed("?customizer=8&text=%231")).toEqual([[], undefined])
    }),
  )

  it.effect("MUST show an order by any id that a platform can have, and each of its designs", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* withMug(send)
      const ids = [".", "..", "~", "a/b", "%2F", "?id=x&y", "#1", "\u05d0\u{1f600}", "a;b", "+ +", "'"]
      for (const id of ids) yield* order(send, shop, { id, name: `Name of ${id}` })
      const browser = yield* signedIn(send, shop)
      const list = yield* browser.open("/settings/orders")
      const links = hrefs(list.text, "../orders/").concat(hrefs(list.text, "./orders/"))
      expect(links.length).toBe(ids.length)
      for (const link of links) {
        const { pathname, search } = new URL(link, "http://host.test/settings/orders")
        const page = yield* browser.open(pathname + search)
        const id = ids.find((id) => page.read.includes(`Name of ${id} Ordered`))
        expect([link, page.status, id]).toEqual([link, 200, expect.any(String)])
        const [design = ""] = hrefs(page.text, "../designs/")
        const below = yield* browser.open(new URL(design, `http://host.test${page.path}`).pathname)
        expect(below.read).toContain(`${id} design 0`)
        expect(page.text).toContain(`find?q=${encodeURIComponent(id ?? "")}`)
      }
      for (const path of ["/orders/nothing", "/orders/~", "/designs/nothing", "/designs/nothing/json"]) {
        expect([path, (yield* browser.open(`/settings${path}`)).status]).toEqual([path, 404])
      }
    }),
  )

  it.effect("MUST show a design with its production data, references, price and JSON as the API gives it", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* withMug(send)
      yield* order(send, shop, { id: "1001", selection: { ...red, extras: ["box", "lid"] } })
      const browser = yield* signedIn(send, shop)
      const page = yield* browser.open("/settings/designs/1001%20design%200")
      for (const text of [
        "Colour Red",
        "colour C-RED colour → red",
        "extras E-BOX , E-LID extras → box, lid",
        "Colour red v1 EUR 2.50",
        "Name text EUR 5.00",
        "Total EUR 18.50",
        "line 0",
        "front",
        "/designs/1001%20design%200'",
      ]) {
        expect(page.read).toContain(text)
      }
      expect(page.headers["content-security-policy"]).toMatch(/img-src 'self' https?:/)
      expect(page.text).toMatch(/<img src="https:[^"]*front[^"]*" alt="Mug, view “front”"/)
      expect(hrefs(page.text, "../orders/")).toEqual(["../orders/1001", "../orders/1001"])
      const json = yield* browser.open("/settings/designs/1001%20design%200/json")
      expect(JSON.parse(json.text)).toMatchObject({ id: "1001 design 0", price: { total: 1850 } })
      expect(json.headers["content-disposition"]).toContain("attachment")
    }),
  )

  it.effect("MUST show the JSON of a design byte for byte as the API, and the command that it shows, return it", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* withMug(send)
      const { token } = yield* newToken(send, shop)
      const named = { ...red, name: { text: `"é'` } }
      // The second is longer than what a page shows.
      const long = { ...mug, questions: mug.questions.map((one) => ({ ...one, title: one.title.repeat(30) })) }
      yield* order(send, shop, { id: "it's", selection: named })
      yield* manage(send, "POST", `/shops/${shop}/customizers/7/publish`, { definition: long })
      yield* order(send, shop, { id: "long", selection: named })
      const browser = yield* signedIn(send, shop)
      for (const [id, isWhole] of [
        ["it's design 0", true],
        ["long design 0", false],
      ] as const) {
        const path = `/designs/${encodeURIComponent(id)}`
        const api = yield* send("GET", `/api/v1${path}`, { headers: { authorization: `Bearer ${token}` } })
        expect(api.status).toBe(200)
        const download = yield* browser.open(`/settings${path}/json`)
        expect(download.text).toBe(api.text)
        const page = yield* browser.open(`/settings${path}`)
        const [json = "", command = ""] = blocks(page.text)
        expect(json).toBe(isWhole ? api.text : `${api.text.slice(0, 1024)}…`)
        const run = yield* Effect.promise(() => execFile("sh", ["-c", command.replace("cmz_…", token)]))
        expect(run.stdout).toBe(api.text)
      }
    }),
  )

  it.effect("MUST lead from a design to each event about it and each delivery of these, and to no other", () =>
    Effect.gen(function* () {
      const { ports, send } = yield* TestHost
      const shop = yield* withMug(send)
      const events = ["design.created", "design.ordered", "order.cancelled"]
      for (const path of ["first", "second"]) {
        yield* bodyOf(201, yield* manage(send, "POST", `/shops/${shop}/webhooks`, { url: urlOf(path), events }))
      }
      yield* order(send, shop, { id: "1", designs: 2 })
      yield* order(send, shop, { id: "2" })
      yield* manage(send, "POST", `/shops/${shop}/orders/1/cancel`)
      const browser = yield* signedIn(send, shop)
      const page = yield* browser.open("/settings/designs/1%20design%200")
      const [link = "", ofOrder = ""] = hrefs(page.text, "../find?")
      const follow = (href: string) => {
        const { pathname, search } = new URL(href, `http://host.test${page.path}`)
        return browser.open(pathname + search)
      }
      const found = yield* follow(link)
      expect((yield* follow(ofOrder)).read).toMatch(/Results for 1 .*order\.cancelled/)
      const stored = yield* Context.get(ports, DeliveryLog).page({ shop, filter: {}, after: null, limit: 100 })
      const own = stored.deliveries.filter(({ subject }) => subject.design === "1 design 0")
      expect(own.map(({ event }) => event).toSorted()).toEqual([
        ...["design.created", "design.created", "design.ordered", "design.ordered"],
      ])
      const shown = (pattern: RegExp) => [...new Set([...found.text.matchAll(pattern)].map(([, id]) => id))].toSorted()
      expect(shown(/deliveries\/(dlv_\w+)"/g)).toEqual(own.map(({ id }) => id).toSorted())
      expect(shown(/\b(evt_\w+)</g)).toEqual([...new Set(own.map(({ eventId }) => eventId))].toSorted())
    }),
  )

  it.effect("MUST show the lines of an order with design, quantity and state (D81, D82)", () =>
    Effect.gen(function* () {
      const { ports, send } = yield* TestHost
      const shop = yield* withMug(send)
      yield* order(send, shop, { id: "7", designs: 3 })
      const browser = yield* signedIn(send, shop)
      const rows = (page: { readonly text: string }) =>
        [...page.text.matchAll(/<tr>(?:(?!<\/tr>).)*<td.*?<\/tr>/gs)].map(([row]) =>
          row
            .replaceAll(/<[^>]*>/g, " ")
            .replaceAll(/\s+/g, " ")
            .trim(),
        )
      expect(rows(yield* browser.open("/settings/orders/7"))).toEqual([0, 1, 2].map((at) => `line ${at} Mug 1 Ordered`))
      yield* manage(send, "POST", `/shops/${shop}/orders/7/lines/line%201/cancel`)
      const store = Context.get(ports, OrderStore)
      const found = Option.getOrThrow(yield* store.order(shop, "7"))
      const line = (at: number, more: object = {}) => ({
        ...{ lineItemId: `line ${at}`, designId: `7 design ${at}`, quantity: 1, copyOf: null, ...more },
      })
      const many = Array.from({ length: 200 }, (_, at) => line(2, { lineItemId: `many ${at}`, quantity: 0 }))
      const lines = [line(0, { quantity: 1200, copyOf: "first" }), line(1), line(2), ...many]
      yield* store.commit({
        ...{ shop, designs: [], events: [], lines: { order: "7", parent: null, lines } },
        order: { ...found.order, revision: found.order.revision + 1 },
      })
      const changed = yield* browser.open("/settings/orders/7")
      expect(rows(changed).slice(0, 4)).toEqual([
        "line 0 Mug copy of first 1,200 Ordered",
        "line 1 Mug 1 Cancelled",
        "line 2 Mug 1 Ordered",
        "many 0 Mug 0 Removed",
      ])
      expect(changed.read).toMatch(/\d+ more lines: the API returns all of them/)
      expect(Buffer.byteLength(changed.text)).toBeLessThan(maximumPage)
    }),
  )

  it.effect("MUST list drafts alone, by customizer and age, and page through them (D86)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* withMug(send)
      yield* order(send, shop, { id: "7", designs: 1 })
      for (let at = 1; at <= 53; at++) {
        const id = `draft-${String(at).padStart(2, "0")}`
        const input = { customizerId: 7, selection: red, basePrice: 1000 }
        yield* bodyOf(201, yield* manage(send, "PUT", `/shops/${shop}/designs/${id}`, input))
      }
      const browser = yield* signedIn(send, shop)
      expect(hrefs((yield* browser.open("/settings/orders")).text, "./drafts")).toEqual(["./drafts"])
      const seen: Array<string> = []
      let query: string | undefined = ""
      while (query !== undefined) {
        const shown: Effect.Success<ReturnType<typeof browser.open>> = yield* browser.open(`/settings/drafts${query}`)
        expect(Buffer.byteLength(shown.text)).toBeLessThan(maximumPage)
        seen.push(...hrefs(shown.text, "./designs/").map((href) => href.slice("./designs/".length)))
        query = hrefs(shown.text, "?").find((href) => href.includes("after="))
      }
      const all = Array.from({ length: 53 }, (_, index) => `draft-${String(index + 1).padStart(2, "0")}`)
      expect(seen.toSorted()).toEqual(all)
      expect((yield* browser.open("/settings/drafts?customizer=8")).read).toContain("No draft fits")
      expect((yield* browser.open("/settings/drafts?to=2020-01-01")).read).toContain("No draft fits")
      expect((yield* browser.open("/settings/drafts?from=today&customizer=7")).read).toContain("draft-53")
      expect((yield* browser.open("/settings/drafts?customizer=7")).read).toMatch(/Mug Colour : Red .* draft-53/)
      for (const wrong of ["?customizer=x", "?from=soon", "?after=x"]) {
        expect([wrong, (yield* browser.open(`/settings/drafts${wrong}`)).status]).toEqual([wrong, 400])
      }
    }),
  )

  it.effect("MUST page through an order of 100 designs, and cut a design of 200 KiB, saying so", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const long = (id: string) => ({ id, step: "s", title: id, type: "text", maxLength: 40_000 })
      const questions = Array.from({ length: 40 }, (_, index) => long(`question ${index}`))
      const shop = yield* withMug(send, { ...mug, questions: [long("first"), ...questions], rules: [] })
      yield* order(send, shop, { id: "many", designs: 100, selection: { first: { text: "x" } } })
      const selection = Object.fromEntries(questions.map(({ id }) => [id, { text: '"\u{1f600}'.repeat(120) }]))
      yield* order(send, shop, { id: "large", designs: 3, selection })
      const browser = yield* signedIn(send, shop)
      let page = yield* browser.open("/settings/orders/many")
      expect(page.read).toContain("of 100")
      const seen = new Set<string>()
      for (;;) {
        expect(page.text.length).toBeLessThan(maximumPage)
        for (const href of hrefs(page.text, "../designs/")) seen.add(href)
        const next = hrefs(page.text, "?at=").at(-1)
        if (next === undefined) break
        page = yield* browser.open(`/settings/orders/many${next}`)
      }
      expect(seen.size).toBe(100)
      for (const path of ["/orders", "/orders/large", "/designs/large%20design%200"]) {
        const shown = yield* browser.open(`/settings${path}`)
        expect([path, shown.status]).toEqual([path, 200])
        expect(Buffer.byteLength(shown.text)).toBeLessThan(maximumPage)
      }
      expect((yield* browser.open("/settings/orders/large")).read).toContain("Too large for a list")
      const design = yield* browser.open("/settings/designs/large%20design%200")
      expect(design.read).toContain("more rows are left out here")
      expect(design.read).toContain("This is only the beginning")
    }),
  )

  it.effect("MUST show nothing of another store", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const theirs = yield* withMug(send)
      yield* order(send, theirs, { id: "1001" })
      const browser = yield* signedIn(send, (yield* newShop(send)).id)
      expect((yield* browser.open("/settings/orders")).read).toContain("No orders with custom items yet")
      expect((yield* browser.open("/settings/customizers")).read).not.toContain("Mug")
      for (const path of ["orders/1001", "designs/1001%20design%200", "customizers/7", "customizers/7/evaluate"]) {
        expect([path, (yield* browser.open(`/settings/${path}`)).status]).toEqual([path, 404])
      }
    }),
  )
})

onHosts("The pages of customizers", [memory, postgres], (it) => {
  it.effect("MUST lead on from a list of customizers if and only if there are more (D69)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* withMug(send)
      const put = (id: number) => manage(send, "PUT", `/shops/${shop}/customizers/${id}`, { title: "T", ...product })
      for (let id = 100; id < 124; id++) yield* put(id)
      const browser = yield* signedIn(send, shop)
      expect((yield* browser.open("/settings/customizers")).text).not.toContain("after=")
      yield* put(124)
      expect((yield* browser.open("/settings/customizers")).text).toContain("?after=123")
    }),
  )

  it.effect("MUST list customizers, their versions, and a definition in words (D69)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* withMug(send)
      yield* manage(send, "PUT", `/shops/${shop}/customizers/8`, { title: "Draft", ...product })
      yield* manage(send, "POST", `/shops/${shop}/customizers/7/publish`, { definition: { ...mug, rules: [] } })
      const browser = yield* signedIn(send, shop)
      const list = yield* browser.open("/settings/customizers")
      expect(list.read).toContain("Mug 7 gid://acme/Product/1 Version 2 Draft 8 gid://acme/Product/1 Not published")
      const page = yield* browser.open("/settings/customizers/7?version=1")
      for (const text of [
        "Version 2",
        "Steps: 1, questions: 3, rules: 2.",
        "Step Look, view front",
        "Colour Required One answer · id colour · summary key Colour, production key colour",
        "Red red C-RED +EUR 2.50 v1",
        "A text of at most 5 characters, costs +EUR 5.00 if answered",
        "0 to 2 answers",
      ]) {
        expect(page.read).toContain(text)
      }
      const rules = yield* browser.open("/settings/customizers/7?version=1&part=rules")
      expect(rules.read).toContain("If “Colour” is “Red”: show “Name”. r1")
      expect(rules.read).toContain("If “Colour” is “White”: disable “Lid” of “Extras”. r2")
      expect((yield* browser.open("/settings/customizers/7")).read).toContain("rules: 0.")
      expect(JSON.parse((yield* browser.open("/settings/customizers/7/definition?version=1")).text)).toEqual(mug)
      expect((yield* browser.open("/settings/customizers/8")).read).toContain("Published version Not published")
      expect((yield* browser.open("/settings/customizers/8/evaluate")).path).toBe(`/settings/${shop}/customizers/8`)
      for (const path of ["9", "x", "0", "07", "7?version=3", "7?version=x", "9007199254740993"]) {
        expect([path, (yield* browser.open(`/settings/customizers/${path}`)).status]).toEqual([path, 404])
      }
    }),
  )

  it.effect("MUST page through a definition of 500 KB, each page within 30 KiB", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const answers = (count: number, from: string) =>
        Array.from({ length: count }, (_, index) => ({
          ...{ id: `${from}-${index}`, title: `Answer "${index}" of ${from}`, productionCode: `P-${index}` },
        }))
      const questions = [
        { id: "huge", step: "s", title: "Huge", type: "single", answers: answers(2000, "huge") },
        ...Array.from({ length: 150 }, (_, index) => ({
          ...{
            id: `q${index}`,
            step: "s",
            title: `Question ${index}`,
            type: "multiple",
            answers: answers(14, `q${index}`),
          },
        })),
      ]
      const rules = Array.from({ length: 400 }, (_, index) => ({
        id: `rule ${index}`,
        when: { any: Array.from({ length: 10 }, (_, at) => ({ question: "huge", is: `huge-${at}` })) },
        hide: [`q${index % 150}`],
      }))
      const definition = { ...mug, questions, rules }
      expect(JSON.stringify(definition).length).toBeGreaterThan(450 * 1024)
      const shop = yield* withMug(send, definition)
      const browser = yield* signedIn(send, shop)
      const walk = Effect.fnUntraced(function* (query: string, link: RegExp) {
        let [pages, next] = [0, query]
        let read = ""
        while (next !== "") {
          const page = yield* browser.open(`/settings/customizers/7${next}`)
          expect([next, page.status]).toEqual([next, 200])
          expect([next, Buffer.byteLength(page.text) < maximumPage]).toEqual([next, true])
          read += page.read
          pages++
          next =
            hrefs(page.text, "?version=1").findLast(
              (href) =>
                link.test(href) &&
                Number(new URLSearchParams(href).get("at")) > Number(new URLSearchParams(next).get("at") ?? 0),
            ) ?? ""
        }
        return { pages, read }
      })
      const all = yield* walk("?version=1", /^\?version=1&at=\d+$/)
      for (const { title } of questions) expect(all.read).toContain(title)
      const huge = yield* walk("?version=1&question=0", /&question=0&at=\d+$/)
      expect(huge.read).toContain('Answer "1999" of huge')
      const sentences = yield* walk("?version=1&part=rules", /&part=rules&at=\d+$/)
      expect(sentences.read).toContain("rule 399")
      const form = yield* browser.open("/settings/customizers/7/evaluate?q0=huge-1999&q1=3&part=1")
      expect(Buffer.byteLength(form.text)).toBeLessThan(maximumPage)
      // Choices in another part are sent with this one.
      expect(form.text).toContain('type="hidden" name="q0" value="huge-1999"')
      expect(form.read).toContain("huge P-1999 huge → huge-1999")
    }),
  )
})

onHosts("The page that evaluates choices", [memory], (it) => {
  const evaluated = Effect.fnUntraced(function* (query: string, definition: object = mug) {
    const { send } = yield* TestHost
    const browser = yield* signedIn(send, yield* withMug(send, definition))
    return yield* browser.open(`/settings/customizers/7/evaluate${query}`)
  })

  it.effect("MUST show validity, price, summary and production data of the choices in a form (D69)", () =>
    Effect.gen(function* () {
      const page = yield* evaluated("?base=10.00&q0=1&q1=Ada&q2=0&q2=1")
      for (const text of [
        "Allowed. Total EUR 18.50",
        "Colour Red Name Ada Extras Box , Lid",
        "extras E-BOX , E-LID extras → box, lid",
        '{"colour":"red","name":{"text":"Ada"},"extras":["box","lid"]}',
      ]) {
        expect(page.read).toContain(text)
      }
      expect(page.text).toMatch(/id="q0-1" name="q0" value="1" checked/)
      expect(page.text).toContain(">Ada</textarea>")
    }),
  )

  it.effect(
    "MUST show the problems at their questions, which questions are visible, and which answers are disabled (D69)",
    () =>
      Effect.gen(function* () {
        const white = yield* evaluated("?q0=0&q2=1")
        expect(white.read).toContain("Not allowed: 1 problem")
        expect(white.read).toContain("Lid (disabled by other answers)")
        expect(white.text).toMatch(/<fieldset id="q1" hidden/)
        expect(white.text).toMatch(/id="q2-problem"/)
        const long = yield* evaluated("?q0=1&q1=Augusta")
        expect(long.text).not.toMatch(/<fieldset id="q1" hidden/)
        expect(long.text).toMatch(/aria-invalid="true"[^>]*>Augusta</)
        const odd = yield* evaluated("?base=-1&q0=99&q1=&q2=x&q7=1&part=99")
        expect([odd.status, odd.read]).toEqual([200, expect.stringContaining("must be an amount")])
      }),
  )

  it.effect("MUST open with the first answers of what must be answered, and call nothing a problem yet (D69)", () =>
    Effect.gen(function* () {
      const fresh = yield* evaluated("")
      expect(fresh.read).toContain("Allowed. Total EUR 0.00")
      expect(fresh.read).toContain('{"colour":"white"}')
      expect(fresh.text).toMatch(/id="q0-0" name="q0" value="0" checked/)
      const shown = { ...mug, questions: mug.questions.map((one) => ({ ...one, hidden: false })), rules: [] }
      const asking = yield* evaluated("", shown)
      expect(asking.read).toContain("1 question still to be answered")
      expect(asking.text).not.toMatch(/class="problem"|badge bad/)
      expect((yield* evaluated("?q0=0", shown)).text).toMatch(/class="problem"[\s\S]*badge bad/)
    }),
  )
})

onHosts("The page that checks and publishes a definition", [memory], (it) => {
  it.effect("MUST take a definition of 512 KiB, and answer a larger form with 413", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const browser = yield* signedIn(send, yield* withMug(send))
      const page = yield* browser.open("/settings/customizers/7/publish")
      const padded = (bytes: number) => {
        const note = bytes - JSON.stringify({ ...mug, note: "" }).length
        return JSON.stringify({ ...mug, note: '"'.repeat(note >> 1) })
      }
      const large = yield* browser.submit(page, "", { definition: padded(512 * 1024), action: "check" })
      expect([large.status, large.read]).toEqual([200, expect.stringContaining("too long to be shown here again")])
      expect(Buffer.byteLength(large.text)).toBeLessThan(maximumPage)
      const over = yield* browser.submit(page, "", { definition: padded(513 * 1024), action: "check" })
      expect([over.status, over.read]).toEqual([422, expect.stringContaining("at most 512 KiB")])
      const refused = yield* browser.submit(page, "", { definition: "x".repeat(2049 * 1024), action: "check" })
      expect(refused.status).toBe(413)
    }),
  )
})
