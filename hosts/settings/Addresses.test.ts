/** The addresses of pages: the store is in the path, and signing in leads to the page that was asked for. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeBrowser, signedIn } from "../../conformance/testkit/browsers/Browser.ts"
import {
  inProcess,
  manageKey,
  memory,
  newShop,
  onHosts,
  postgres,
  TestHost,
} from "../../conformance/testkit/hosts/TestHost.ts"

onHosts("The addresses of the settings app", [memory, postgres], (it) => {
  it.effect("MUST let one browser work on two stores in two tabs, each with its own messages", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const [one, two] = [yield* newShop(send), yield* newShop(send)]
      const { anywhere: browser } = yield* signedIn(send, one.id)
      const tabs = yield* Effect.forEach([one, two], ({ id }) => browser.open(`/settings/${id}/tokens`))
      // Both forms are sent before either result is shown.
      const locations = yield* Effect.forEach(tabs, (tab, index) =>
        Effect.gen(function* () {
          const form = tab.forms.at(-1)?.fields.find(([name]) => name === "form")?.[1] ?? ""
          const { headers } = yield* send("POST", tab.path, {
            headers: {
              cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
              "content-type": "application/x-www-form-urlencoded",
            },
            body: new URLSearchParams({ form, name: `Tab ${index}`, scopes: "orders:read" }).toString(),
          })
          const [, name = "", value = ""] = /^([\w-]+)=([^;]+)/.exec(headers["set-cookie"] ?? "") ?? []
          browser.cookies.set(name, value)
          return new URL(headers["location"] ?? "", `http://host.test${tab.path}`).pathname
        }),
      )
      for (const [index, location] of locations.entries()) {
        const { read } = yield* browser.open(location)
        expect(read).toContain(`The token “Tab ${index}” is ready`)
        expect(read).not.toContain(`Tab ${1 - index}`)
      }
    }),
  )

  it.effect("MUST lead back to the page that was asked for after signing in, and nowhere else", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const { id } = yield* newShop(send)
      yield* newShop(send)
      const asked = `/settings/${id}/webhooks?x=1&y=/%20`
      const browser = makeBrowser(send)
      const signIn = yield* browser.open(asked)
      expect(signIn.path).toMatch(/^\/settings\/sign-in\?next=/)
      const refused = yield* browser.submit(signIn, "", { key: "wrong" })
      expect((yield* browser.submit(refused, "", { key: manageKey })).path).toBe(asked)
      expect((yield* browser.open(signIn.path)).path).toBe(asked)
      for (const next of ["https://evil.test/", "//evil.test", "/\\evil.test", "..%2f..", "../../x", "javascript:x"]) {
        const other = makeBrowser(send)
        const page = yield* other.open(`/settings/sign-in?next=${encodeURIComponent(next)}`)
        expect([next, (yield* other.submit(page, "", { key: manageKey })).path]).toEqual([next, "/settings/stores"])
        for (const path of other.visited) expect(path).not.toContain("evil.test/settings")
      }
    }),
  )

  it.effect("MUST keep the menu and the search on a page that does not exist in a shop, for who may see the shop", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      const browser = yield* signedIn(send, shop.id)
      const missing = yield* browser.open(`/settings/${shop.id}/orders/none`)
      expect([missing.status, missing.read]).toEqual([
        404,
        expect.stringMatching(/Find .*Platform orders .*There is nothing here/),
      ])
      const elsewhere = yield* makeBrowser(send).open(`/settings/${shop.id}/nothing`)
      expect([elsewhere.status, elsewhere.text]).toEqual([404, expect.not.stringContaining("Platform orders")])
    }),
  )

  it.effect("MUST answer 404 for a store that does not exist, and lead from a store's id to its first page", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const { id } = yield* newShop(send)
      const { anywhere: browser } = yield* signedIn(send, id)
      for (const path of ["/settings/none/", "/settings/none", "/settings/none/tokens", "/settings/NO/tokens"]) {
        expect([path, (yield* browser.open(path)).status]).toEqual([path, 404])
      }
      expect((yield* browser.open(`/settings/${id}`)).path).toBe(`/settings/${id}/`)
    }),
  )
})

const former = ["/webhooks", "/webhooks/new", "/tokens?x=1", "/events", "/webhooks/whe_0/deliveries/dlv_0/body"]

describe("Addresses from before the store was in the path", () => {
  it.effect("MUST lead to the only store, before and after signing in, or to the list of stores", () =>
    Effect.gen(function* () {
      const send = yield* inProcess((yield* memory.open).ports)
      const { id } = yield* newShop(send)
      const { anywhere: browser } = yield* signedIn(send, id)
      for (const path of former) {
        expect((yield* browser.open(`/settings${path}`)).path).toBe(`/settings/${id}${path}`)
        const stranger = makeBrowser(send)
        const page = yield* stranger.open(`/settings${path}`)
        expect((yield* stranger.submit(page, "", { key: manageKey })).path).toBe(`/settings/${id}${path}`)
      }
      yield* newShop(send)
      for (const path of former) expect((yield* browser.open(`/settings${path}`)).path).toBe("/settings/stores")
    }),
  )
})
