/** Links that let one person into one store's pages, once (D58). Time is virtual. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Logger, Redacted, References } from "effect"
import { UrlParams } from "effect/http"
import { TestClock } from "effect/testing"
import { type Browser, makeBrowser, type Shown, signedIn } from "../../conformance/testkit/browsers/Browser.ts"
import {
  inProcess,
  manage,
  memory,
  newShop,
  postgres,
  read,
  type Send,
  type StoreKind,
} from "../../conformance/testkit/hosts/TestHost.ts"
import { troubles } from "../../conformance/testkit/hosts/Troubled.ts"

const hostOn = Effect.fnUntraced(function* (kind: StoreKind) {
  const store = yield* kind.open
  const send = yield* inProcess(store.ports)
  return { send, store, shop: yield* newShop(send) }
})

const linkOf = (send: Send, shop: string, input: object = {}) =>
  Effect.map(
    manage(send, "POST", `/shops/${shop}/settings-link`, { actor: "jo@acme.example", ...input }),
    ({ json, status }) => {
      expect(status).toBe(201)
      return json as { readonly url: string; readonly expires: string }
    },
  )

/** Opens a link, and sends its button's form. */
const come = Effect.fnUntraced(function* (browser: Browser, url: string) {
  return yield* browser.submit(yield* browser.open(url), "./link")
})

const formOf = (page: Shown): string => {
  const form = page.forms.find(({ action }) => action === "./link")
  return new URLSearchParams((form?.fields ?? []).map(([name, value]): [string, string] => [name, value])).toString()
}

/** Lets the visitor of a link check a definition, try choices, and try to publish. */
const publishNothing = (kind: StoreKind, input: { readonly readOnly: boolean }) =>
  Effect.gen(function* () {
    const { send, shop } = yield* hostOn(kind)
    const browser = makeBrowser(send)
    yield* come(browser, (yield* linkOf(send, shop.id, input)).url)
    const base = `/settings/${shop.id}/customizers/101`
    expect((yield* browser.open(`${base}/evaluate`)).read).toContain("Result")
    const page = yield* browser.open(`${base}/publish`)
    expect(page.text).not.toMatch(/<fieldset [^>]*disabled[^>]*>(?:(?!<\/fieldset>)[\s\S])*name="definition"/)
    expect(page.text).not.toContain('value="publish"')
    const definition = JSON.stringify({
      ...{ schemaVersion: 1, questions: [], rules: [] },
      steps: [{ id: "s", title: "S", view: "front" }],
    })
    const sound = yield* browser.submit(page, "", { definition, action: "check" })
    expect([sound.status, sound.read]).toEqual([200, expect.stringContaining("No problems")])
    const wrong = yield* browser.submit(page, "", { definition: "{", action: "check" })
    expect([wrong.status, wrong.read]).toEqual([422, expect.stringContaining("1 problem")])
    const refused = yield* browser.submit(page, "", { definition, action: "publish" })
    expect(refused.status).toBe(403)
    const { json } = yield* read(send, shop.token, "/customizers/101")
    expect(json).toMatchObject({ version: 1 })
  })

describe.each([memory, ...troubles(memory, "faltering", "restarted")])(
  "A link to the settings app, on $name",
  (kind) => {
    const host = hostOn(kind)

    it.effect("MUST show a button, and begin a session for its store only, with its person and page (D58)", () =>
      Effect.gen(function* () {
        const { send, shop } = yield* host
        const other = yield* newShop(send)
        const browser = makeBrowser(send)
        const { url } = yield* linkOf(send, shop.id, { next: "webhooks/new?x=1" })
        expect(url).toMatch(new RegExp(`^/settings/${shop.id}/link\\?sig=[\\w.-]+$`))
        const question = yield* browser.open(url)
        expect([question.status, question.read]).toEqual([200, expect.stringContaining("made for jo@acme.example")])
        expect(question.headers["referrer-policy"]).toBe("strict-origin")
        expect(question.headers["cache-control"]).toBe("no-store")
        expect(browser.cookies.size).toBe(0)
        const began = yield* browser.submit(question, "./link")
        expect([began.status, began.path]).toEqual([200, `/settings/${shop.id}/webhooks/new?x=1`])
        expect((yield* browser.open("/settings/")).path).toBe(`/settings/${shop.id}/`)
        const made = yield* browser.submit(yield* browser.open(`/settings/${shop.id}/tokens`), "", { name: "ERP" })
        expect(made.read).toContain("“ERP” is ready")
        expect((yield* browser.open("/settings/stores")).path).toBe(`/settings/${shop.id}/`)
        for (const path of [`/settings/${other.id}/`, `/settings/${other.id}/tokens`, `/settings/${other.id}`]) {
          const page = yield* browser.open(path)
          expect([path, page.path.startsWith("/settings/sign-in") || page.status === 404]).toEqual([path, true])
        }
      }),
    )

    it.effect("MUST NOT be used up by programs that open it before a person does (D58)", () =>
      Effect.gen(function* () {
        const { send, shop } = yield* host
        const { url } = yield* linkOf(send, shop.id)
        for (const method of ["GET", "HEAD", "GET"]) expect((yield* send(method, url)).status).toBe(200)
        expect((yield* come(makeBrowser(send), url)).status).toBe(200)
      }),
    )

    it.effect("MUST open the settings once, and say where to get a new link afterwards (D58)", () =>
      Effect.gen(function* () {
        const { send, shop, store } = yield* host
        const other = yield* inProcess(store.ports)
        const { url } = yield* linkOf(send, shop.id)
        expect((yield* come(makeBrowser(send), url)).status).toBe(200)
        for (const process of [send, other]) {
          const browser = makeBrowser(process)
          const again = yield* come(browser, url)
          expect([again.status, again.read]).toEqual([410, expect.stringContaining("Ask for a new link")])
          expect(browser.cookies.size).toBe(0)
        }
      }),
    )

    it.effect("MUST end after fifteen minutes, or when its maker says (D58)", () =>
      Effect.gen(function* () {
        const { send, shop } = yield* host
        const usual = yield* linkOf(send, shop.id)
        const short = yield* linkOf(send, shop.id, { expires: "1970-01-01T00:00:30Z" })
        const long = yield* linkOf(send, shop.id, { expires: "1970-01-02T00:00:00Z" })
        expect([usual, short, long].map(({ expires }) => Date.parse(expires))).toEqual([900_000, 30_000, 86_400_000])
        yield* TestClock.adjust("29 seconds")
        const waiting = makeBrowser(send)
        const page = yield* waiting.open(short.url)
        expect(page.status).toBe(200)
        yield* TestClock.adjust("1 seconds")
        for (const late of [yield* waiting.submit(page, "./link"), yield* makeBrowser(send).open(short.url)]) {
          expect([late.status, late.read]).toEqual([410, expect.stringContaining("Its time has ended")])
        }
        yield* TestClock.adjust("869 seconds")
        expect((yield* makeBrowser(send).open(usual.url)).status).toBe(200)
        yield* TestClock.adjust("1 seconds")
        expect((yield* makeBrowser(send).open(usual.url)).status).toBe(410)
        expect((yield* come(makeBrowser(send), long.url)).status).toBe(200)
      }),
    )

    it.effect(
      "MUST be refused if it is forged, of another store, another installation or another management key (D58)",
      () =>
        Effect.gen(function* () {
          const { send, shop, store } = yield* host
          const other = yield* newShop(send)
          const { url } = yield* linkOf(send, shop.id)
          const keys = [Redacted.make(new Uint8Array(32).fill(8))] as const
          const foreign = yield* inProcess(store.ports, { keyRing: { keys } })
          const rekeyed = yield* inProcess(store.ports, {
            manageKey: Redacted.make("another-management-key-of-32-letters"),
          })
          const forged = [
            url.replace(shop.id, other.id),
            `${url.slice(0, -6)}AAAAAA`,
            url.replace(/sig=.*/, ""),
            url.replace(/sig=.*/, "sig=2.e30"),
            url.replace(/sig=.*/, "sig=%00%ff"),
          ]
          for (const [process, path] of [
            ...forged.map((path) => [send, path] as const),
            [foreign, url] as const,
            [rekeyed, url] as const,
          ]) {
            const browser = makeBrowser(process)
            const page = yield* browser.open(path)
            expect([path, page.status, page.read]).toEqual([
              path,
              403,
              expect.stringContaining("not complete, or not for"),
            ])
          }
          const browser = makeBrowser(send)
          const page = yield* browser.open(url)
          const body = formOf(page)
          expect((yield* browser.post(`/settings/${other.id}/link`, body)).status).toBe(403)
          expect((yield* browser.post(page.path, body.replace(/form=[^&]*/, "form=x"))).status).toBe(403)
          expect(browser.cookies.size).toBe(0)
          expect((yield* browser.submit(page, "./link")).status).toBe(200)
        }),
    )

    it.effect("MUST let a read-only visitor change nothing (D58)", () =>
      Effect.gen(function* () {
        const { send, shop } = yield* host
        const owner = yield* signedIn(send, shop.id)
        const added = yield* owner.submit(yield* owner.open("/settings/webhooks/new"), "", {
          url: "https://93.184.216.34/",
          events: "design.ordered",
        })
        const endpoint = added.path.replace(/\/secret$/, "")
        const browser = makeBrowser(send)
        const home = yield* come(browser, (yield* linkOf(send, shop.id, { readOnly: true })).url)
        expect(home.read).toContain("change nothing: the link that you came by is read-only")
        const base = `/settings/${shop.id}`
        const page = yield* browser.open(`${base}/tokens`)
        const form = page.forms[0]?.fields.find(([name]) => name === "form")?.[1] ?? ""
        const body = new URLSearchParams({ form, name: "ERP", url: "https://93.184.216.34/x" }).toString()
        for (const path of [
          `${base}/tokens`,
          `${base}/webhooks/new`,
          ...["update", "delete", "enable", "pause", "test", "recover", "rotate"].map(
            (action) => `${endpoint}/${action}`,
          ),
        ]) {
          const refused = yield* browser.post(path, body)
          expect([path, refused.status, refused.read]).toEqual([
            path,
            403,
            expect.stringContaining("Nothing was changed"),
          ])
        }
        const { json } = yield* manage(send, "GET", `/shops/${shop.id}/tokens`)
        expect(json).toMatchObject({ data: [{ name: "Test" }] })
        expect((yield* browser.submit(page, "./sign-out")).read).toContain(
          "You are signed out The session of jo@acme.example in this shop has ended in this browser, and nowhere else.",
        )
        expect((yield* browser.open(`${base}/tokens`)).path).toContain("/sign-in")
      }),
    )

    it.effect("MUST let a read-only visitor check a definition and try choices, and publish nothing (D58, D69)", () =>
      publishNothing(kind, { readOnly: true }),
    )

    it.effect("MUST let a visitor who may change the store publish nothing either (D69)", () =>
      publishNothing(kind, { readOnly: false }),
    )

    it.effect("MUST let one browser have sessions of several stores, the newest eight", () =>
      Effect.gen(function* () {
        const { send } = yield* host
        const browser = makeBrowser(send)
        const shops = yield* Effect.forEach(Array.from({ length: 9 }), () => newShop(send))
        for (const { id } of shops)
          expect((yield* come(browser, (yield* linkOf(send, id)).url)).path).toBe(`/settings/${id}/`)
        const [oldest, ...newest] = shops
        for (const { id } of newest) expect((yield* browser.open(`/settings/${id}/tokens`)).status).toBe(200)
        expect((yield* browser.open(`/settings/${oldest?.id}/tokens`)).path).toContain("/sign-in")
      }),
    )

    it.effect(
      "MUST end all sessions of its person in the store when they sign out everywhere, and nobody else's (D58)",
      () =>
        Effect.gen(function* () {
          const { send, shop, store } = yield* host
          const other = yield* inProcess(store.ports)
          const link = (input?: object) => Effect.map(linkOf(send, shop.id, input), ({ url }) => url)
          const [one, two, sam] = [makeBrowser(send), makeBrowser(other), makeBrowser(other)]
          for (const browser of [one, two]) yield* come(browser, yield* link())
          yield* come(sam, yield* link({ actor: "sam@acme.example" }))
          const path = `/settings/${shop.id}/sign-out`
          const done = yield* one.submit(yield* one.open(path), "./sign-out-everywhere")
          expect(done.read).toContain("You are signed out All sessions of jo@acme.example in this shop have ended")
          for (const browser of [one, two]) expect((yield* browser.open(path)).path).toContain("/sign-in")
          expect((yield* sam.open(path)).path).toBe(path)
          yield* come(two, yield* link())
          expect((yield* two.open(path)).path).toBe(path)
        }),
    )

    it.effect("MUST be logged with its person when it is made and used, and its secret never (D58)", () =>
      Effect.gen(function* () {
        const lines: Array<string> = []
        const collect = Logger.make(({ message }) => void lines.push(String(message)))
        yield* Effect.gen(function* () {
          const { send, shop } = yield* host
          const { url } = yield* linkOf(send, shop.id, { actor: "line\nbreak" })
          const browser = makeBrowser(send)
          yield* come(browser, url)
          yield* come(makeBrowser(send), url)
          const sealed = url.split("sig=")[1] ?? ""
          expect(lines.filter((line) => line.startsWith("Settings"))).toEqual([
            `Settings of the shop ${shop.id}: the management key made a link for "line\\nbreak"`,
            `Settings of the shop ${shop.id}: "line\\nbreak" came by a link`,
          ])
          for (const hidden of [sealed, ...browser.cookies.values()]) expect(lines.join("\n")).not.toContain(hidden)
          expect(UrlParams.CurrentRedactedNames.defaultValue()).toContain("sig")
        }).pipe(Effect.provide(Logger.layer([collect])), Effect.provideService(References.MinimumLogLevel, "Trace"))
      }),
    )
  },
)

describe("Requests that use a link at the same time", () => {
  for (const stored of [memory, postgres]) {
    it.live(`MUST begin one session, on any process: ${stored.name}`, () =>
      Effect.gen(function* () {
        const store = yield* stored.open
        const processes = [yield* inProcess(store.ports), yield* inProcess(store.ports)]
        const [send] = processes
        const shop = yield* newShop(send as Send)
        const { url } = yield* linkOf(send as Send, shop.id)
        const browsers = Array.from({ length: 8 }, (_, index) => makeBrowser(processes[index % 2] as Send))
        const pages = yield* Effect.forEach(browsers, (browser) => browser.open(url))
        const answers = yield* Effect.all(
          browsers.map((browser, index) => browser.submit(pages[index] as Shown, "./link")),
          { concurrency: "unbounded" },
        )
        expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 410)])
        expect(browsers.filter(({ cookies }) => cookies.size > 0)).toHaveLength(1)
      }),
    )
  }
})
