/** Access to the settings app, rules for all of its pages and forms, and tokens. */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { makeBrowser, signedIn } from "../../conformance/testkit/browsers/Browser.ts"
import {
  manage,
  manageKey,
  memory,
  newShop,
  onHosts,
  postgres,
  TestHost,
} from "../../conformance/testkit/hosts/TestHost.ts"
import { troubles } from "../../conformance/testkit/hosts/Troubled.ts"

onHosts("The settings app", [memory, postgres, ...troubles(memory)], (it) => {
  it.effect("MUST say why a store with a hundred tokens gets no other (D56)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      const browser = yield* signedIn(send, shop.id)
      const before = yield* browser.open("/settings/tokens")
      for (let count = 1; count < 100; count++) {
        yield* manage(send, "POST", `/shops/${shop.id}/tokens`, { name: "N" })
      }
      const full = yield* browser.open("/settings/tokens")
      expect([full.forms, full.read]).toEqual([
        [expect.objectContaining({ action: expect.stringContaining("sign-out") })],
        expect.stringContaining("A shop can have 100 tokens, and this one has them all"),
      ])
      const page = yield* browser.submit(before, "", { name: "One more" })
      expect([page.status, page.read]).toEqual([409, expect.stringContaining("this one has them all")])
    }),
  )

  it.effect("MUST answer 403 to a form with no form key or another session's, and change nothing", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      const browser = yield* signedIn(send, shop.id)
      const other = yield* signedIn(send, shop.id)
      const page = yield* other.open("/settings/tokens")
      const [, foreign = ""] = page.forms[0]?.fields.find(([name]) => name === "form") ?? []
      for (const key of ["", "x", foreign]) {
        for (const path of [
          "sign-in",
          "sign-out",
          "tokens",
          "tokens/x/delete",
          "webhooks/new",
          ...["update", "delete", "enable", "test", "recover"].map((action) => `webhooks/x/${action}`),
          ...["resend", "resend/stop", "deliveries/y/try", "deliveries/y/redeliver"].map(
            (path) => `webhooks/x/${path}`,
          ),
        ]) {
          const answer = yield* browser.post(
            `/settings/${path}`,
            new URLSearchParams({ form: key, name: "N" }).toString(),
          )
          expect([path, answer.status]).toEqual([path, 403])
        }
      }
      expect((yield* browser.post("/settings/tokens", "name=N")).status).toBe(403)
      expect((yield* browser.open("/settings/tokens")).text.match(/<tr>/g)).toHaveLength(2)
    }),
  )

  it.effect("MUST answer 403 to a form that another site's page sends, although it has the right key", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      const browser = yield* signedIn(send, shop.id)
      const [, form = ""] =
        (yield* browser.open("/settings/tokens")).forms.at(-1)?.fields.find(([name]) => name === "form") ?? []
      const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ")
      const statusWith = (headers: Readonly<Record<string, string>>) =>
        Effect.map(
          send("POST", `/settings/${shop.id}/tokens`, {
            headers: { host: "own.test:8443", cookie, "content-type": "application/x-www-form-urlencoded", ...headers },
            body: new URLSearchParams({ form, name: "ERP", scopes: "orders:read" }).toString(),
          }),
          ({ status }) => status,
        )
      for (const origin of ["https://evil.test", "https://own.test:8443.evil.test", "https://own.test", "null", "x"]) {
        expect([origin, yield* statusWith({ origin })]).toEqual([origin, 403])
        expect([origin, yield* statusWith({ origin, "sec-fetch-site": "cross-site" })]).toEqual([origin, 403])
      }
      const { json } = yield* manage(send, "GET", `/shops/${shop.id}/tokens`)
      expect(json).toMatchObject({ data: [{ name: "Test" }] })
      for (const headers of [
        { origin: "https://own.test:8443" },
        { origin: "https://seen.test", "x-forwarded-host": "seen.test, own.test" },
        { origin: "https://seen.test", "x-forwarded-host": "seen.test:443" },
        { origin: "https://seen.test", "sec-fetch-site": "same-origin" },
      ] as const) {
        expect([headers, yield* statusWith(headers)]).toEqual([headers, 303])
      }
    }),
  )

  it.effect("MUST accept a form only for the store that it was made for", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const [first, second] = [yield* newShop(send), yield* newShop(send)]
      const browser = yield* signedIn(send, first.id)
      const page = yield* browser.open("/settings/tokens")
      const [, form = ""] = page.forms.at(-1)?.fields.find(([name]) => name === "form") ?? []
      const body = new URLSearchParams({ form, name: "ERP", scopes: "orders:read" }).toString()
      const tab = makeBrowser(send)
      for (const [name, value] of browser.cookies) tab.cookies.set(name, value)
      expect((yield* tab.open(`/settings/${second.id}/tokens`)).status).toBe(200)
      expect((yield* tab.post(`/settings/${second.id}/tokens`, body)).status).toBe(403)
      expect((yield* tab.post(`/settings/${first.id}/tokens`, body)).status).toBe(200)
    }),
  )

  it.effect("MUST ignore a forged or altered session", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      const browser = yield* signedIn(send, shop.id)
      const [[name, value] = ["", ""]] = [...browser.cookies]
      const forged = Buffer.from(JSON.stringify({ id: "x", actor: "x", shop: shop.id, expires: 9e15 })).toString(
        "base64",
      )
      for (const session of [`2.${forged}`, forged, `${value.slice(0, -6)}AAAAAA`, "", "1.x"]) {
        const intruder = makeBrowser(send)
        intruder.cookies.set(name, session)
        expect((yield* intruder.open(`/settings/${shop.id}/`)).path).toBe(`/settings/sign-in?next=${shop.id}%2F`)
      }
    }),
  )

  it.effect("MUST send strict headers with every response, and cookies that scripts can't read", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      for (const path of ["", "/", "/sign-in", "/nothing", "/style.css", "/script.js", "/acme/tokens", "/a/b/c"]) {
        const { headers } = yield* send("GET", `/settings${path}`)
        expect(headers["content-security-policy"]).toMatch(/default-src 'none'.*frame-ancestors 'none'/)
        expect(headers["content-security-policy"]).not.toContain("unsafe")
        expect(headers).toMatchObject({
          "x-content-type-options": "nosniff",
          "cross-origin-opener-policy": "same-origin",
          "cross-origin-resource-policy": "same-origin",
          "permissions-policy": expect.stringMatching(/^clipboard-write=\(self\), .*camera=\(\).*usb=\(\)/),
        })
      }
      const key = { key: manageKey }
      for (const [scheme, cookie] of [
        ["http", /^designwire_settings=[^;]+; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/],
        ["https", /^__Host-designwire_settings=[^;]+; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/],
      ] as const) {
        const browser = makeBrowser(send, { "x-forwarded-proto": scheme })
        const page = yield* browser.open("/settings/sign-in")
        const form = page.forms[0]?.fields.find(([name]) => name === "form")?.[1] ?? ""
        const { headers } = yield* send("POST", "/settings/sign-in", {
          headers: { "x-forwarded-proto": scheme, "content-type": "application/x-www-form-urlencoded" },
          body: new URLSearchParams({ form, ...key }).toString(),
        })
        expect(headers["set-cookie"]).toMatch(cookie)
      }
    }),
  )

  it.effect("MUST answer 404 and 405 with a page, but HEAD with no body", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const missing = yield* send("GET", "/settings/acme/nothing")
      expect([missing.status, missing.headers["content-type"]]).toEqual([404, "text/html; charset=utf-8"])
      const wrong = yield* send("DELETE", "/settings/acme/tokens")
      expect([wrong.status, wrong.headers["allow"]]).toEqual([405, "GET, HEAD, POST"])
      const head = yield* send("HEAD", "/settings/sign-in")
      expect([head.status, head.text]).toEqual([200, ""])
    }),
  )

  it.effect("MUST answer 404 in at most 1 KiB to a path of many segments", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      for (const path of [
        `/settings/${"/".repeat(14_000)}`,
        `/settings${"/a".repeat(7_000)}`,
        `/settings${"/a".repeat(11)}`,
      ]) {
        const { headers, length, status } = yield* send("GET", path)
        expect([path.length, status, length <= 1_024]).toEqual([path.length, 404, true])
        expect(headers["content-security-policy"]).toContain("default-src 'none'")
        expect(headers["cache-control"]).toBe("no-store")
      }
    }),
  )
})
