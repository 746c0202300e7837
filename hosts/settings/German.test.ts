/** The app in German: no page has a text in English, and numbers, amounts and times have German forms. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Shown } from "../../conformance/testkit/browsers/Browser.ts"
import { recorderOf, visitedSite, visits } from "../../conformance/testkit/browsers/SettingsVisits.ts"
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

  it.live.each(Object.entries(visits))("MUST have no text in English on any page: %s", ([, visit]) =>
    Effect.gen(function* () {
      const world = yield* visitedSite("de")
      const found: Array<string> = []
      const look = (name: string, page: Shown): Shown => {
        // A path that is none of the app's is answered with a sentence.
        if (!page.text.includes("<html")) return page
        expect(page.text).toContain('<html lang="de"')
        for (const text of englishOn(page.text)) found.push(`${name}, ${page.path}: ${text}`)
        return page
      }
      yield* visit(recorderOf(world.browser, look), world)
      expect(found).toEqual([])
    }),
  )

  it.live("MUST say who did it, and what it was, in words of the language", () =>
    Effect.gen(function* () {
      const { browser, shop } = yield* visitedSite("de")
      yield* browser.submit(yield* browser.open("/settings/busy/tokens"), "", { name: "ERP" })
      const rotate = yield* browser.open(`/settings/busy/webhooks/${shop.endpoints.quiet}/rotate`)
      yield* browser.submit(rotate, "", { overlap: "3600" })
      for (const path of ["/audit", "/sign-out"]) {
        const { read } = yield* browser.open(`/settings/busy${path}`)
        expect([path, read]).toEqual([path, expect.stringMatching(/Verwaltungsschlüssel, Sitzung \S{6}/)])
        const foreign = /management key|one-time|nachher (active|full|rotated)\b|\d-\d\dT\d/
        expect([path, read]).toEqual([path, expect.not.stringMatching(foreign)])
      }
      const unreadable = yield* browser.open("/settings/busy/deliveries?from=yesterday&state=lost")
      const { filters } = german.texts.deliveryList
      expect(unreadable.read).toContain(filters.wrong([filters.state, filters.from]))
      const { events, platforms, tokens } = german.texts
      for (const [path, text] of [
        ["tokens/tok_none/delete", tokens.missing],
        ["platforms/none", platforms.missing],
        ["events/none.schema.json", events.unknownKind],
      ] as const) {
        const { read, status } = yield* browser.open(`/settings/busy/${path}`)
        expect([path, status, read]).toEqual([path, 404, expect.stringContaining(text)])
      }
    }),
  )

  it.live("MUST have no text in English on the pages of deliveries, orders, designs and customizers", () =>
    Effect.gen(function* () {
      const { browser, shop } = yield* visitedSite("de")
      const found: Array<string> = []
      const open = Effect.fnUntraced(function* (path: string) {
        const page = yield* browser.open(`/settings/busy/${path}`)
        expect([path, page.status]).toEqual([path, 200])
        for (const text of englishOn(page.text)) found.push(`${path}: ${text}`)
        return page.text
      })
      for (const id of Object.values(shop.endpoints)) {
        const deliveries = new Set((yield* open(`webhooks/${id}?range=7d`)).match(/deliveries\/dlv_\w+/g))
        for (const path of [...deliveries, "resend", "recover"]) yield* open(`webhooks/${id}/${path}`)
      }
      for (const list of ["deliveries", "deliveries/waiting", "find", "find?q=none", "audit?subject=endpoint"]) {
        yield* open(list)
      }
      const linked = Effect.fnUntraced(function* (list: string, kind: RegExp) {
        const [path] = kind.exec(yield* open(list)) ?? []
        if (path === undefined) throw new Error(`No ${kind} on ${list}`)
        return path
      })
      const order = yield* linked("orders", /orders\/[^"?/]+(?=")/)
      const customizer = yield* linked("customizers", /customizers\/\d+(?=")/)
      const pages = [yield* linked(order, /designs\/[^"?/]+(?=")/), `find?q=${order.split("/")[1]}`, customizer]
      for (const path of [...pages, `${customizer}/evaluate`, `${customizer}/publish`]) yield* open(path)
      expect(found).toEqual([])
    }),
  )

  it.live("MUST have German forms of numbers, amounts and times", () =>
    Effect.gen(function* () {
      const { browser, shop } = yield* visitedSite("de")
      const overview = yield* browser.open("/settings/busy/")
      expect(overview.read).toMatch(/\d,\d\d EUR/)
      expect(overview.read).toMatch(/vor \d+ (?:Sekunde|Minute|Stunde|Tag)/)
      const endpoint = yield* browser.open(`/settings/busy/webhooks/${shop.endpoints.failing}`)
      expect(endpoint.text).toMatch(/\d\.\d{3} ms/)
    }),
  )
})
