/** The ends and scopes of tokens in the settings app (D77). */
import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { makeToken } from "../../conformance/suites/storage/support/Fixtures.ts"
import { signedIn } from "../../conformance/testkit/browsers/Browser.ts"
import { inProcess, type Json, manage, memory, newShop } from "../../conformance/testkit/hosts/TestHost.ts"
import type { TokenRecord } from "../../core/model/access/Token.ts"
import { TokenStore } from "../../core/ports/TokenStore.ts"

const day = 86_400_000

/** A store in memory, a browser that is signed in to it, and its tokens over the management API. */
const site = Effect.gen(function* () {
  const { ports } = yield* memory.open
  const built = yield* Layer.build(ports)
  const send = yield* inProcess(Layer.succeedContext(built))
  const shop = yield* newShop(send)
  const browser = yield* signedIn(send, shop.id)
  const page = browser.open("/settings/tokens")
  const tokens = Effect.map(
    manage(send, "GET", `/shops/${shop.id}/tokens`),
    ({ json }) => (json as { readonly data: ReadonlyArray<Json> }).data,
  )
  const add = (fields: Partial<TokenRecord>) =>
    Context.get(built, TokenStore).add(makeToken(shop.id, { createdAt: 0, ...fields }), 100)
  return { add, browser, page, tokens, send, shop }
})

describe("The tokens of the settings app", () => {
  it.effect("MUST get the chosen end and scopes, and show them and whether they have ended (D77)", () =>
    Effect.gen(function* () {
      const { add, browser, page, send, tokens } = yield* site
      const made = yield* browser.submit(yield* page, "", { name: "ERP", expiresAt: "30", scopes: ["orders:read"] })
      expect(made.read).toContain("“ERP” is ready")
      const end = new Date(30 * day).toISOString().replace("Z", "+00:00")
      expect((yield* tokens).find(({ name }) => name === "ERP")).toMatchObject({
        expiresAt: end,
        scopes: ["orders:read"],
      })
      const [token = ""] = /cmz_[0-9A-Za-z]{49}/.exec(made.text) ?? []
      const statuses = Effect.forEach(["/orders", "/designs/d"], (path) =>
        Effect.map(
          send("GET", `/api/v1${path}`, { headers: { authorization: `Bearer ${token}` } }),
          ({ status }) => status,
        ),
      )
      expect(yield* statuses).toEqual([200, 403])
      expect((yield* page).read).toMatch(/ERP orders:read cmz_\S+ .* in 30 days/)
      yield* add({ name: "Old", expiresAt: 60_000 })
      expect((yield* page).read).toMatch(/Old All scopes cmz_\S+ .* in 1 minute/)
      yield* TestClock.adjust("1 minute")
      expect((yield* page).read).toMatch(/Old All scopes cmz_\S+ .* Ended now/)
    }),
  )

  it.effect("MUST be refused with other ends and without scopes, and keep what was entered", () =>
    Effect.gen(function* () {
      const { browser, page, tokens } = yield* site
      const before = yield* tokens
      const form = yield* page
      const none = yield* browser.submit(form, "", { name: "ERP", expiresAt: "90", scopes: [] })
      expect([none.status, none.read.includes("Choose at least one scope.")]).toEqual([400, true])
      expect(none.text).toContain('value="ERP"')
      expect(none.text).toMatch(/<option value="90" selected/)
      expect(none.text).not.toMatch(/name="scopes"[^>]* checked/)
      for (const expiresAt of ["-30", "31", "2999-01-01T00:00:00", "1969-01-01T00:00:00Z"]) {
        const refused = yield* browser.submit(form, "", { name: "ERP", expiresAt })
        expect([expiresAt, refused.status]).toEqual([expiresAt, 400])
        expect(refused.read).toContain("Choose when the token ends.")
      }
      expect(yield* tokens).toEqual(before)
    }),
  )

  it.effect("MUST be named by a notice of the overview from seven days before their end on", () =>
    Effect.gen(function* () {
      const { add, browser } = yield* site
      yield* add({ name: "<ERP>", hint: "x7Gq", expiresAt: 7 * day + 60_000 })
      const overview = browser.open("/settings/")
      expect((yield* overview).read).not.toContain("ends soon")
      yield* TestClock.adjust("1 minute")
      const { read, text } = yield* overview
      expect(read).toMatch(/Notices The API token “<ERP>” ends soon cmz_…x7Gq Ends in 7 days now/)
      expect(text).toContain('<a href="./tokens"><bdi>')
    }),
  )
})
