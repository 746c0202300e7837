/** Secrets that the settings app shows once, also to a client that keeps the cookie they come in. Time is virtual. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { type Browser, makeBrowser, signedIn } from "../../conformance/testkit/browsers/Browser.ts"
import { inProcess, memory, newShop, type Send, type StoreKind } from "../../conformance/testkit/hosts/TestHost.ts"
import { troubles } from "../../conformance/testkit/hosts/Troubled.ts"

const hostOn = Effect.fnUntraced(function* (kind: StoreKind) {
  const send = yield* inProcess((yield* kind.open).ports)
  const shop = yield* newShop(send)
  return { send, shop, browser: yield* signedIn(send, shop.id) }
})

const notice = "designwire_settings_notice_of_"

/** A second client with the same cookies. */
const copyOf = (send: Send, { cookies }: Browser): Browser => {
  const copy = makeBrowser(send)
  for (const [name, value] of cookies) copy.cookies.set(name, value)
  return copy
}

/** Sends a form of the app, and returns a client whose next page is the first one after it. */
const sent = Effect.fnUntraced(function* (
  send: Send,
  browser: Browser,
  path: string,
  entered: Readonly<Record<string, string>>,
) {
  const page = yield* browser.open(path)
  const [, form = ""] = page.forms.at(-1)?.fields.find(([name]) => name === "form") ?? []
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ")
  const { headers, status } = yield* send("POST", page.path, {
    headers: { cookie, "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ form, ...entered }).toString(),
  })
  expect(status).toBe(303)
  expect(headers["set-cookie"]).toContain("Max-Age=60;")
  const [, name = "", kept = "none"] = new RegExp(`(${notice}[\\w-]+)=([^;]+)`).exec(headers["set-cookie"] ?? "") ?? []
  const waiting = copyOf(send, browser)
  waiting.cookies.set(name, kept)
  return { waiting, name, location: new URL(headers["location"] ?? "", `http://host.test${page.path}`).pathname }
})

const forms = [
  { path: "/settings/tokens", entered: { name: "ERP", scopes: "orders:read" }, secret: /cmz_[0-9A-Za-z]{49}/ },
  {
    path: "/settings/webhooks/new",
    entered: { url: "https://93.184.216.34/", events: "design.ordered" },
    secret: /whsec_[\w+/=]{40,}/,
  },
] as const

describe.each([memory, ...troubles(memory, "faltering", "restarted")])(
  "A new token or signing secret in the settings app, on $name",
  (kind) => {
    const host = hostOn(kind)

    for (const { entered, path, secret } of forms) {
      it.effect(`MUST be shown once to a client that keeps its cookie, by any process: ${path} (§5, §5-1, §5-6)`, () =>
        Effect.gen(function* () {
          const { browser, send } = yield* host
          const { location, name, waiting } = yield* sent(send, browser, path, entered)
          const again = copyOf(send, waiting)
          expect((yield* waiting.open(location)).text).toMatch(secret)
          expect(waiting.cookies.has(name)).toBe(false)
          expect((yield* again.open(location)).text).not.toMatch(secret)
        }),
      )

      it.effect(`MUST wait while the page of before brings itself up to date: ${path} (§5)`, () =>
        Effect.gen(function* () {
          const { browser, send } = yield* host
          const { location, name, waiting } = yield* sent(send, browser, path, entered)
          const cookie = [...waiting.cookies].map(([name, value]) => `${name}=${value}`).join("; ")
          const read = yield* send("GET", location, { headers: { cookie, "sec-fetch-mode": "cors" } })
          expect([read.status, secret.test(read.text)]).toEqual([200, false])
          expect(read.headers["set-cookie"] ?? "").not.toContain(name)
          expect((yield* waiting.open(location)).text).toMatch(secret)
        }),
      )

      it.effect(`MUST be shown once by a page that does not exist: ${path} (§5)`, () =>
        Effect.gen(function* () {
          const { browser, send, shop } = yield* host
          const { waiting } = yield* sent(send, browser, path, entered)
          expect((yield* waiting.open(`/settings/${shop.id}/nothing`)).text).toMatch(secret)
          expect((yield* waiting.open(`/settings/${shop.id}/nothing`)).text).not.toMatch(secret)
        }),
      )

      it.effect(`MUST be shown within 60 seconds: ${path} (§5)`, () =>
        Effect.gen(function* () {
          const { browser, send } = yield* host
          const soon = yield* sent(send, browser, path, entered)
          yield* TestClock.adjust("59 seconds")
          expect((yield* soon.waiting.open(soon.location)).text).toMatch(secret)
          const late = yield* sent(send, browser, path, entered)
          yield* TestClock.adjust("60 seconds")
          expect((yield* late.waiting.open(late.location)).text).not.toMatch(secret)
        }),
      )

      it.effect(`MUST NOT be shown on a page of another shop: ${path} (§5, §5-1)`, () =>
        Effect.gen(function* () {
          const { browser, send, shop } = yield* host
          const other = yield* newShop(send)
          const { name, waiting } = yield* sent(send, browser, path, entered)
          const kept = waiting.cookies.get(name) ?? ""
          // Also if somebody gives the cookie the other store's name.
          waiting.cookies.set(name.replace(shop.id, other.id), kept)
          const elsewhere = yield* waiting.open(`/settings/${other.id}/tokens`)
          expect([elsewhere.status, secret.test(elsewhere.text)]).toEqual([200, false])
          expect((yield* waiting.open(`/settings/${shop.id}/`)).text).toMatch(secret)
        }),
      )
    }
  },
)
