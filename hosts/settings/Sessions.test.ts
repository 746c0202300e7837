/** The lifetime of sessions and links, and the log. Time is virtual. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Logger, Redacted, References } from "effect"
import { TestClock } from "effect/testing"
import { makeBrowser, signedIn } from "../../conformance/testkit/browsers/Browser.ts"
import {
  inProcess,
  type Json,
  keyRing,
  manage,
  manageKey,
  memory,
  newShop,
  type StoreKind,
} from "../../conformance/testkit/hosts/TestHost.ts"
import { storeTroubles, troubles } from "../../conformance/testkit/hosts/Troubled.ts"

const oneTimeKey = "one-time-key-of-the-test"

const link = `/settings/sign-in?once=${oneTimeKey}`

const hostOn = Effect.fnUntraced(function* (kind: StoreKind) {
  const store = yield* kind.open
  const send = yield* inProcess(store.ports, { settings: { oneTimeKey: Redacted.make(oneTimeKey) } })
  return { send, store, shop: yield* newShop(send) }
})

describe.each([memory, ...troubles(memory, "faltering", "restarted")])(
  "Sessions of the settings app, on $name",
  (kind) => {
    const host = hostOn(kind)

    it.effect("MUST end after twelve hours", () =>
      Effect.gen(function* () {
        const { send, shop } = yield* host
        const browser = yield* signedIn(send, shop.id)
        const page = yield* browser.open("/settings/tokens")
        yield* TestClock.adjust("11 hours")
        expect((yield* browser.open("/settings/tokens")).path).toBe(page.path)
        yield* TestClock.adjust("1 hour")
        expect((yield* browser.open("/settings/tokens")).path).toBe(`/settings/sign-in?next=${shop.id}%2Ftokens`)
        expect((yield* browser.submit(page, "", { name: "ERP" })).read).toContain("Your session has ended")
      }),
    )

    it.effect("MUST end when the keys that sealed them are gone", () =>
      Effect.gen(function* () {
        const { send, shop, store } = yield* host
        const browser = yield* signedIn(send, shop.id)
        const rotated = { keys: [Redacted.make(new Uint8Array(32).fill(8)), ...keyRing.keys] as const }
        const other = yield* inProcess(store.ports, { keyRing: { keys: [Redacted.make(new Uint8Array(32).fill(8))] } })
        for (const [send, path] of [
          [yield* inProcess(store.ports, { keyRing: rotated }), `/settings/${shop.id}/tokens`],
          [other, `/settings/sign-in?next=${shop.id}%2Ftokens`],
        ] as const) {
          const elsewhere = makeBrowser(send)
          for (const [name, value] of browser.cookies) elsewhere.cookies.set(name, value)
          expect((yield* elsewhere.open(`/settings/${shop.id}/tokens`)).path).toBe(path)
        }
      }),
    )

    it.effect("MUST survive a restart, and end in every process when they are signed out (D58)", () =>
      Effect.gen(function* () {
        const { send, shop, store } = yield* host
        const browser = yield* signedIn(send, shop.id)
        const second = makeBrowser(yield* inProcess(store.ports))
        for (const [name, value] of browser.cookies) second.cookies.set(name, value)
        const path = `/settings/${shop.id}/tokens`
        const page = yield* second.open(path)
        expect(page.path).toBe(path)
        yield* browser.submit(yield* browser.open(path), "./sign-out")
        expect((yield* second.open(path)).path).toContain("/sign-in")
        expect((yield* second.submit(page, "", { name: "ERP" })).read).toContain("Your session has ended")
      }),
    )

    it.effect("MUST all end in every process when their owner signs out everywhere, and new ones begin", () =>
      Effect.gen(function* () {
        const { send, shop, store } = yield* host
        const other = yield* inProcess(store.ports)
        const browsers = [
          yield* signedIn(send, shop.id),
          yield* signedIn(other, shop.id),
          yield* signedIn(send, shop.id),
        ]
        const path = `/settings/${shop.id}/sign-out`
        const [first] = browsers
        const question = yield* (first as (typeof browsers)[number]).open(path)
        expect((yield* (first as (typeof browsers)[number]).submit(question, "./sign-out-everywhere")).path).toBe(
          "/settings/sign-in",
        )
        for (const browser of browsers) expect((yield* browser.open(path)).path).toContain("/sign-in")
        for (const host of [send, other]) {
          expect((yield* (yield* signedIn(host, shop.id)).open(path)).path).toBe(path)
        }
      }),
    )

    it.effect("MUST say what has ended when their owner signs out, and what continues in the same browser", () =>
      Effect.gen(function* () {
        const { send, shop } = yield* host
        const browser = yield* signedIn(send, shop.id)
        const question = yield* browser.open("/settings/tokens")
        expect((yield* browser.open(`/settings/${shop.id}/sign-out`)).read).toContain(
          "Ends all sessions that the management key has begun",
        )
        const comeByLink = Effect.fnUntraced(function* (to: Pick<typeof browser, "open" | "submit">, id = shop.id) {
          const { json } = yield* manage(send, "POST", `/shops/${id}/settings-link`, { actor: "jo" })
          yield* to.submit(yield* to.open(String((json as Json)["url"])), "./link")
        })
        yield* comeByLink(browser)
        const own = yield* browser.open(`/settings/${shop.id}/sign-out`)
        expect(own.read).toContain("Ends all sessions of jo in this shop")
        expect((yield* browser.submit(own, "")).read).toContain("In this browser you are still signed in otherwise")
        const key = yield* browser.submit(question, "./sign-out")
        expect(key.read).toContain(
          "You are signed out in this browser. Others who signed in with the management key stay",
        )
        // Those of links are named if there are any.
        const left = "Sessions of single shops that links have begun in this browser stay"
        expect(key.read).not.toContain(left)
        const both = makeBrowser(send)
        yield* both.submit(yield* both.open("/settings/sign-in"), "", { key: manageKey })
        const before = yield* both.open(`/settings/${shop.id}/tokens`)
        yield* comeByLink(both, (yield* newShop(send)).id)
        expect((yield* both.submit(before, "./sign-out")).read).toContain(left)
        const [one, two] = [yield* signedIn(send, shop.id), yield* signedIn(send, shop.id)]
        const page = yield* one.open(`/settings/${shop.id}/sign-out`)
        expect((yield* one.submit(page, "./sign-out-everywhere")).read).toContain("Everybody who had signed in")
        expect((yield* two.open(`/settings/${shop.id}/sign-out`)).path).toContain("/sign-in")
      }),
    )

    it.effect("MUST NOT let a form be sent that is older than twelve hours, and say so", () =>
      Effect.gen(function* () {
        const { send, shop } = yield* host
        const browser = yield* signedIn(send, shop.id)
        const [early, late] = [yield* browser.open("/settings/tokens"), yield* browser.open("/settings/tokens")]
        yield* TestClock.adjust("11 hours")
        expect((yield* browser.submit(early, "", { name: "ERP" })).read).toContain("“ERP” is ready")
        yield* TestClock.adjust("1 hours")
        const again = yield* signedIn(send, shop.id)
        const answer = yield* again.submit(late, "", { name: "WMS" })
        expect([answer.status, answer.read]).toEqual([403, expect.stringContaining("another person")])
        // The sign-in page belongs to nobody.
        const page = yield* makeBrowser(send).open("/settings/sign-in")
        yield* TestClock.adjust("12 hours")
        const old = yield* makeBrowser(send).submit(page, "", { key: manageKey })
        expect([old.status, old.read]).toEqual([403, expect.stringContaining("more than twelve hours ago")])
      }),
    )
  },
)

// Both are known to a process, and another one knows nothing of them.
describe.each([memory, ...storeTroubles(memory)])("The beginning of a session, on $name", (kind) => {
  const host = hostOn(kind)

  it.effect("MUST be possible with the one-time link, once, within five minutes of the start", () =>
    Effect.gen(function* () {
      const { send, shop } = yield* host
      const browser = makeBrowser(send)
      yield* TestClock.adjust("299 seconds")
      expect((yield* makeBrowser(send).open("/settings/sign-in?once=wrong")).status).toBe(403)
      const home = yield* browser.open(link)
      expect([home.status, home.path]).toEqual([200, `/settings/${shop.id}/`])
      const again = yield* makeBrowser(send).open(link)
      expect([again.status, again.read]).toEqual([403, expect.stringContaining("was used before")])
      const late = (yield* host).send
      yield* TestClock.adjust("5 minutes")
      expect((yield* makeBrowser(late).open(link)).status).toBe(403)
    }),
  )

  it.effect("MUST NOT be possible for a client that has tried too many keys", () =>
    Effect.gen(function* () {
      const { send } = yield* host
      const browser = makeBrowser(send)
      const tried = (key: string) =>
        Effect.flatMap(browser.open("/settings/sign-in"), (page) => browser.submit(page, "", { key }))
      for (let count = 0; count < 10; count++) expect((yield* tried(`wrong-${count}`)).status).toBe(403)
      for (const key of ["wrong", manageKey]) {
        const page = yield* tried(key)
        expect([page.status, page.headers["retry-after"]]).toEqual([429, "60"])
      }
      yield* TestClock.adjust("1 minute")
      expect((yield* tried(manageKey)).status).toBe(200)
    }),
  )
})

describe("The log of the settings app", () => {
  const host = hostOn(memory)

  it.effect("MUST have one line for a change, with the person, the change and the store, and no secrets", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const collect = Logger.make(({ message }) => void lines.push(String(message)))
      yield* Effect.gen(function* () {
        const { send, shop } = yield* host
        const browser = yield* signedIn(send, shop.id)
        lines.length = 0
        const token = yield* browser.submit(yield* browser.open("/settings/tokens"), "", { name: "line\nbreak" })
        const added = yield* browser.submit(yield* browser.open("/settings/webhooks/new"), "", {
          url: "https://93.184.216.34/",
          events: "design.ordered",
        })
        const [secret = "no secret"] = /whsec_[\w+/=]+/.exec(added.text) ?? []
        const [text = "no token"] = /cmz_[0-9A-Za-z]{49}/.exec(token.text) ?? []
        const path = added.path.replace("/secret", "")
        const [, form = ""] = added.forms[0]?.fields.find(([name]) => name === "form") ?? []
        const body = new URLSearchParams({ form }).toString()
        const testing = yield* Effect.forkChild(browser.post(`${path}/test`, body))
        // The page of a test event waits for its attempt, but no worker is running.
        while (testing.pollUnsafe() === undefined) yield* TestClock.adjust("1 second")
        yield* browser.submit(yield* browser.open("/settings/tokens"), "./sign-out")
        const changes = lines.filter((line) => line.startsWith("Settings"))
        const who = /^Settings of the shop (\S+): "the management key, session [\w-]{6}" /
        expect(
          changes.map((line) => [who.exec(line)?.[1], line.replace(who, "").replace(/(tok|whe|dlv)_[\w-]+/g, "id")]),
        ).toEqual(
          [
            "created the API token id",
            "created the webhook endpoint id",
            "sent a test event to the webhook endpoint id",
          ]
            .map((what): [string | undefined, string] => [shop.id, what])
            .concat([[undefined, expect.stringMatching(/^Settings: "the management key, session .{6}" signed out$/)]]),
        )
        for (const hidden of [secret, text, manageKey, oneTimeKey, ...browser.cookies.values()]) {
          expect(lines.join("\n")).not.toContain(hidden)
        }
      }).pipe(Effect.provide(Logger.layer([collect])), Effect.provideService(References.MinimumLogLevel, "Trace"))
    }),
  )
})
