/** Links to the settings app of an embedded service (D58). */

import { Effect } from "effect"
import { afterEach, describe, expect, it, vi } from "vitest"
import { shopInput } from "../../conformance/suites/service/Samples.ts"
import { type Browser, makeBrowser } from "../../conformance/testkit/browsers/Browser.ts"
import { through } from "../../conformance/testkit/hosts/EmbeddedHandler.ts"
import { embed, fill } from "../../conformance/testkit/hosts/EmbedWorld.ts"
import { type Designwire, DesignwireError, type SettingsApp } from "./index.ts"

const path = "/back-office/designs"

const run = <A>(effect: Effect.Effect<A>) => Effect.runPromise(effect)

/** A service whose settings app knows one person, by a header: `jo` of the store acme. */
const started = async (settings: Partial<SettingsApp> = {}) => {
  const authorize: SettingsApp["authorize"] = ({ headers }) =>
    headers.get("x-user") === "jo" ? { shop: "acme", actor: "jo" } : undefined
  const designwire = await embed({ settings: { path, authorize, ...settings } })
  await fill(designwire)
  return designwire
}

/** Opens a link and presses its button. */
const come = async (browser: Browser, url: string) => run(browser.submit(await run(browser.open(url)), "./link"))

/** A browser without a session of the application. */
const stranger = (designwire: Designwire) => makeBrowser(through(designwire))

const failureOf = async (call: Promise<unknown>) => {
  const error = await call.then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(error).toBeInstanceOf(DesignwireError)
  return error as DesignwireError
}

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

describe("settings.link", () => {
  it("MUST return a link that lets its person in once, at the page it names, as the actor of their changes (D58)", async () => {
    const designwire = await started()
    const { expires, url } = await designwire.settings.link("acme", { actor: "sam", next: "tokens" })
    expect(url).toMatch(new RegExp(`^${path}/acme/link\\?sig=[\\w.-]+$`))
    expect(Date.parse(expires)).toBeGreaterThan(Date.now())
    const browser = stranger(designwire)
    const tokens = await come(browser, url)
    expect([tokens.status, tokens.path]).toEqual([200, `${path}/acme/tokens`])
    expect((await run(browser.submit(tokens, "", { name: "ERP" }))).read).toContain("“ERP” is ready")
    const { data } = await designwire.audit.list("acme", { subject: "token" })
    expect(data).toMatchObject([{ actor: { type: "person", name: "sam" }, action: "token.created" }])
    for (const late of [browser, stranger(designwire)]) expect((await come(late, url)).status).toBe(410)
  })

  it("MUST return a complete URL if the service knows its address", async () => {
    const designwire = await started({ url: "https://www.example.com/designs/" })
    const { url } = await designwire.settings.link("acme", { actor: "sam" })
    expect(url).toMatch(/^https:\/\/www\.example\.com\/designs\/acme\/link\?sig=/)
  })

  it("MUST return the URL of the shop if the address of the service names it", async () => {
    const designwire = await started({ url: "https://{shop}.example.com/designs" })
    const { url } = await designwire.settings.link("acme", { actor: "sam" })
    expect(url).toMatch(/^https:\/\/acme\.example\.com\/designs\/acme\/link\?sig=/)
  })

  it("MUST end after 24 hours at most, whose maker's clock may be a minute ahead", async () => {
    const designwire = await started()
    const now = Date.now()
    const longest = 24 * 60 * 60 * 1000
    const { expires } = await designwire.settings.link("acme", {
      actor: "sam",
      expires: new Date(now + longest + 55_000).toISOString(),
    })
    expect(Date.parse(expires) - now).toBeGreaterThan(longest - 5_000)
    expect(Date.parse(expires) - Date.now()).toBeLessThanOrEqual(longest)
    const late = new Date(Date.now() + longest + 65_000).toISOString()
    const failure = await failureOf(designwire.settings.link("acme", { actor: "sam", expires: late }))
    expect(failure).toMatchObject({ problems: [{ path: "expires" }] })
  })

  it("MUST open the pages of its store alone, alongside authorize, to a browser that authorize does not know (D58)", async () => {
    const designwire = await started()
    await designwire.shops.put("other", shopInput)
    const browser = stranger(designwire)
    const statusOf = async (below: string) => (await run(browser.open(path + below))).status
    expect([await statusOf("/acme/"), await statusOf("/other/")]).toEqual([403, 403])
    const { url } = await designwire.settings.link("other", { actor: "sam" })
    const first = await come(browser, url)
    expect([first.status, first.path]).toEqual([200, `${path}/other/`])
    for (const below of ["/other/tokens", "/other/webhooks", "/other/orders"])
      expect([below, await statusOf(below)]).toEqual([below, 200])
    for (const below of ["/acme/", "/acme/tokens", "/acme/orders"])
      expect([below, await statusOf(below)]).toEqual([below, 403])
    const jo = makeBrowser(through(designwire), { "x-user": "jo" })
    expect((await run(jo.open(`${path}/acme/tokens`))).status).toBe(200)
    expect((await run(jo.open(`${path}/other/tokens`))).status).toBe(403)
  })

  it("MUST fail with Conflict without the option settings, NotFound without the shop, InvalidInput for its input (D58)", async () => {
    const without = await embed()
    await without.shops.put("acme", shopInput)
    const conflict = await failureOf(without.settings.link("acme", { actor: "sam" }))
    expect([conflict.code, conflict.message]).toEqual(["Conflict", expect.stringContaining("option settings")])
    const designwire = await started()
    expect((await failureOf(designwire.settings.link("nobody", { actor: "sam" }))).code).toBe("NotFound")
    const later = new Date(Date.now() + 25 * 60 * 60 * 1000).toISOString()
    for (const [field, input] of [
      ["actor", {}],
      ["actor", { actor: "" }],
      ["expires", { actor: "sam", expires: "2026-01-01T00:00:00Z" }],
      ["expires", { actor: "sam", expires: later }],
      ["next", { actor: "sam", next: "//evil.example" }],
      ["readonly", { actor: "sam", readonly: true }],
    ] as const) {
      const failure = await failureOf(designwire.settings.link("acme", input as never))
      expect([field, failure]).toEqual([
        field,
        expect.objectContaining({ code: expect.stringMatching(/InvalidInput|Refused/) }),
      ])
      expect(failure).toMatchObject({ problems: [{ path: field }] })
    }
  })
})
