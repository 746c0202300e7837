/** The app in German: no page has a text in English, and numbers, amounts and times have German forms. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { shopInput } from "../../conformance/suites/service/Samples.ts"
import { type Shown, signedIn } from "../../conformance/testkit/browsers/Browser.ts"
import { busyShop } from "../../conformance/testkit/browsers/BusyShop.ts"
import { inProcess, manage, manageKey, memory } from "../../conformance/testkit/hosts/TestHost.ts"
import { english } from "./texts/English.ts"
import { german } from "./texts/German.ts"

/** An argument for functions of the table: it fits as a number and as a text. */
const samples = [7, 11, 13] as const

/** What functions of the table take first: numbers, figures, a list. */
const firsts = [
  ...samples.keys(),
  { succeeded: 7, failedAttempts: 7, givenUp: 7, _tag: "NotFound", message: "" },
  samples.map(String),
]

type TextFunction = (...given: ReadonlyArray<unknown>) => unknown

/** What a function of the table returns; nothing for what it does not take, e.g. a number for a list. */
const called = (value: TextFunction, first: unknown): ReadonlyArray<unknown> => {
  try {
    return [value(first, ...samples)]
  } catch {
    return []
  }
}

/** Every text of a table, and the fixed parts of those that are functions. */
const textsOf = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === "string") return value.split(/\b(?:7|11|13)\b/).map((part) => part.trim())
  if (typeof value === "function")
    return firsts.flatMap((first) => called(value as TextFunction, first)).flatMap(textsOf)
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : []
}

const germanTexts = new Set(textsOf(german.texts))

const englishTexts = [...new Set(textsOf(english))].filter((text) => /\p{L}{2}/u.test(text) && !germanTexts.has(text))

const entities: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"' }

/** The texts of a page: between tags, and in attributes that people read or hear. */
const shownTexts = (html: string): ReadonlyArray<string> => {
  const body = html.replaceAll(/<(?:code|bdi|pre|script)[^>]*>[\s\S]*?<\/(?:code|bdi|pre|script)>/g, "<i>")
  return [...body.matchAll(/>([^<]+)|(?:aria-label|title|data-label|alt)="([^"]+)"/g)].map(([, text, label]) =>
    (text ?? label ?? "").replaceAll(/&\w+;/g, (entity) => entities[entity] ?? entity).trim(),
  )
}

/** The texts of the English table that a page shows: short ones whole, long ones also within others. */
const englishOn = (html: string): ReadonlyArray<string> => {
  const shown = shownTexts(html)
  return englishTexts.filter((text) => shown.some((each) => each === text || (text.length > 12 && each.includes(text))))
}

const site = Effect.gen(function* () {
  const ports = yield* Layer.build((yield* memory.open).ports)
  const send = yield* inProcess(Layer.succeedContext(ports), { settings: { language: "de" } })
  const urls = {
    healthy: "https://93.184.216.34/erp",
    failing: "https://93.184.216.34/planning",
    off: "https://93.184.216.34/analytics",
    quiet: "https://93.184.216.34/quiet",
  }
  const shop = yield* busyShop(send, ports, { id: "busy", urls })
  return { send, shop, browser: yield* signedIn(send, shop.id) }
})

/** The paths of empty texts in a table. */
const emptyIn = (value: unknown, path = ""): ReadonlyArray<string> => {
  if (value === "") return [path]
  return typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => emptyIn(inner, `${path}.${name}`))
    : []
}

it("No text of a language MUST be empty", () => {
  expect([emptyIn(english), emptyIn(german.texts)]).toEqual([[], []])
})

const hasWords = (value: unknown): boolean => textsOf(value).some((text) => /\p{L}/u.test(text))

/** The paths of functions that return words in one language and none in the other, for the same arguments. */
const wordless = (one: unknown, other: unknown, path = ""): ReadonlyArray<string> => {
  if (typeof one === "function" && typeof other === "function") {
    const differs = firsts.some((first) => {
      const [mine, theirs] = [called(one as TextFunction, first), called(other as TextFunction, first)]
      // A message of the server may stand alone in its own language.
      if (mine[0] === first || mine.length !== theirs.length) return false
      return hasWords(mine) !== hasWords(theirs)
    })
    return differs ? [path] : []
  }
  if (typeof one !== "object" || one === null) return []
  return Object.entries(one).flatMap(([name, inner]) =>
    wordless(inner, (other as Readonly<Record<string, unknown>>)[name], `${path}.${name}`),
  )
}

it("What a text says of its values MUST be words in both languages, or in none", () => {
  // A failure without words of ours has those of the library, which are English.
  expect(wordless(english, german.texts)).toEqual([".failures.own"])
})

describe("The settings app in German", () => {
  it("MUST be judged by the texts of the table", () => {
    expect(englishOn(`<p>API tokens</p>`)).toEqual(["API tokens"])
    expect(englishOn(`<p>Die API tokens</p>`)).toEqual([])
    expect(englishOn(`<p>Nothing more is sent to it. Its signing secret, its log</p>`)).toEqual([])
    expect(englishOn(`<a aria-label="About this delivery"></a>`)).toEqual(["About this delivery"])
  })

  it.live("MUST have no text in English on any page", () =>
    Effect.gen(function* () {
      const { browser, send, shop } = yield* site
      const found: Array<string> = []
      const look = (page: Shown): Shown => {
        expect(page.text).toContain('<html lang="de"')
        for (const text of englishOn(page.text)) found.push(`${page.path}: ${text}`)
        return page
      }
      const open = (path: string) => Effect.map(browser.open(`/settings${path}`), look)
      const act = Effect.fnUntraced(function* (page: Shown, action: string, entered = {}) {
        const forms = page.forms.map((form) => form.action)
        const found = forms.find((each) => (action === "" ? each === "" : each.endsWith(action)))
        // Another form, e.g. the one to sign out, would leave nothing to look at.
        expect([page.path, action, forms, found]).toEqual([page.path, action, forms, expect.any(String)])
        return look(yield* browser.submit(page, found ?? "", entered))
      })
      const { failing, healthy, off, quiet } = shop.endpoints
      for (const path of ["", "/events", "/tokens", "/webhooks", "/webhooks/new", "/stores", "/nothing"]) {
        yield* open(path)
      }
      for (const id of [healthy, failing, off, quiet]) {
        for (const path of ["", "/update", "/delete", "/rotate", "/secret"]) yield* open(`/webhooks/${id}${path}`)
        const { text } = yield* open(`/webhooks/${id}?range=7d`)
        for (const delivery of new Set(text.match(/deliveries\/dlv_\w+/g))) yield* open(`/webhooks/${id}/${delivery}`)
      }
      yield* open("/webhooks/whe_none")
      // Forms that are refused, and the notices after those that are not.
      yield* act(yield* open("/webhooks/new"), "", { url: "https://10.0.0.1/", events: [] })
      yield* act(yield* open("/tokens"), "", { name: "" })
      const created = yield* act(yield* open("/tokens"), "", { name: "ERP" })
      const [, token = ""] = /href="[^"]*(\/tokens\/[^"]+\/delete)"/.exec(created.text) ?? []
      yield* act(yield* open(token), "delete")
      // Who did it, and what it was, in words of the language.
      for (const path of ["/audit", `/${shop.id}/sign-out`]) {
        const { read } = yield* open(path)
        expect([path, read]).toEqual([path, expect.stringMatching(/Verwaltungsschlüssel, Sitzung \S{6}/)])
        expect([path, read]).toEqual([path, expect.not.stringMatching(/management key|one-time|: (active|full)\b/)])
      }
      yield* act(yield* open(`/webhooks/${off}`), "enable")
      yield* act(yield* open(`/webhooks/${healthy}`), "pause")
      yield* act(yield* open(`/webhooks/${quiet}/rotate`), "", { overlap: "3600" })
      yield* act(yield* open(`/webhooks/${quiet}`), "promote")
      yield* act(yield* open(`/webhooks/${quiet}/delete`), "delete")
      for (const [id, plan] of [
        ["free", "free"],
        ["empty", "pro"],
      ] as const) {
        yield* manage(send, "PUT", `/shops/${id}`, { ...shopInput, plan })
        for (const path of ["/", "/webhooks", "/webhooks/new", "/tokens"]) yield* open(`/${id}${path}`)
      }
      const signIn = yield* act(yield* open("/stores"), "sign-out")
      yield* act(yield* act(signIn, "", { key: "wrong" }), "", { key: manageKey })
      expect(found).toEqual([])
    }),
  )

  it.live("MUST have no text in English on the pages of deliveries, changes, orders, designs and customizers", () =>
    Effect.gen(function* () {
      const { browser, shop } = yield* site
      const found: Array<string> = []
      const open = Effect.fnUntraced(function* (path: string) {
        const page = yield* browser.open(path)
        expect([path, page.status]).toEqual([path, 200])
        expect(page.text).toContain('<html lang="de"')
        for (const text of englishOn(page.text)) found.push(`${path}: ${text}`)
        return page
      })
      const { failing, healthy, off } = shop.endpoints
      const lists = ["deliveries", "deliveries?state=failed", "deliveries/waiting", "find", "find?q=none", "audit"]
      for (const path of [...lists, "audit?subject=endpoint", "orders", "customizers"]) yield* open(`/settings/${path}`)
      for (const id of [failing, healthy, off]) {
        for (const path of ["resend", "resend?state=failed", "recover"]) yield* open(`/settings/webhooks/${id}/${path}`)
      }
      const linked = Effect.fnUntraced(function* (list: string, kind: RegExp) {
        const [path] = kind.exec((yield* open(`/settings/${list}`)).text) ?? []
        if (path === undefined) throw new Error(`No ${kind} on ${list}`)
        return path
      })
      const order = yield* linked("orders", /orders\/[^"?/]+(?=")/)
      const design = yield* linked(order, /designs\/[^"?/]+(?=")/)
      const customizer = yield* linked("customizers", /customizers\/\d+(?=")/)
      for (const path of [order, design, customizer, `${customizer}/evaluate`, `${customizer}/publish`]) {
        yield* open(`/settings/${path}`)
      }
      yield* open(`/settings/find?q=${order.split("/")[1]}`)
      expect(found).toEqual([])
    }),
  )

  it.live("MUST have German forms of numbers, amounts and times", () =>
    Effect.gen(function* () {
      const { browser, shop } = yield* site
      const overview = yield* browser.open("/settings")
      expect(overview.read).toMatch(/\d,\d\d EUR/)
      expect(overview.read).toMatch(/vor \d+ (?:Sekunde|Minute|Stunde|Tag)/)
      const endpoint = yield* browser.open(`/settings/webhooks/${shop.endpoints.failing}`)
      expect(endpoint.text).toMatch(/\d\.\d{3} ms/)
    }),
  )
})
