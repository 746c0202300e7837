/** The settings app embedded in an application that authorizes its own people, at a custom path, and behind proxies. */
import { Effect } from "effect"
import express from "express"
import { describe, expect, it, vi } from "vitest"
import { makeBrowser } from "../../conformance/testkit/browsers/Browser.ts"
import { listening } from "../../conformance/testkit/hosts/Embedded.ts"
import { through } from "../../conformance/testkit/hosts/EmbeddedHandler.ts"
import { embed, fill } from "../../conformance/testkit/hosts/EmbedWorld.ts"
import { keptAlive, sender } from "../../conformance/testkit/hosts/TestHost.ts"
import { type SettingsApp, toNodeHandler } from "../embed/index.ts"
import { english } from "./texts/English.ts"
import type { Language } from "./texts/Language.ts"

const path = "/back-office/designs"

/** The header of requests from Jo, who manages the store acme. */
const jo = { "x-user": "jo@acme.example" }

const authorize: SettingsApp["authorize"] = async ({ headers }) => {
  const actor = headers.get("x-user")
  return actor === null ? undefined : { shop: "acme", actor }
}

const started = async (settings: Partial<SettingsApp> = {}) => {
  const designwire = await embed({ settings: { path, authorize, ...settings } })
  await fill(designwire)
  return designwire
}

describe("The embedded settings app", () => {
  it("MUST answer 403 to every page and form of a person whom the application does not authorize", async () => {
    const designwire = await started()
    const send = through(designwire)
    for (const below of [
      "/",
      "/tokens",
      "/webhooks",
      "/webhooks/new",
      "/events",
      "/nothing",
      "/sign-in",
      "/stores",
      "/acme/",
      "/acme/tokens",
      "/acme/nothing",
    ]) {
      for (const method of ["GET", "POST"]) {
        const { status, text } = await Effect.runPromise(
          send(method, path + below, method === "POST" ? { body: "x=y" } : {}),
        )
        expect([below, method, status]).toEqual([below, method, 403])
        expect(text).not.toContain("acme")
      }
    }
    expect((await Effect.runPromise(send("GET", "/api/v1/orders"))).status).toBe(401)
  })

  it("MUST answer 403 if authorize returns null, and log no failure", async () => {
    const lines: Array<unknown> = []
    const log = vi.spyOn(console, "error").mockImplementation((...line) => void lines.push(line))
    const shown = vi.spyOn(console, "log").mockImplementation((...line) => void lines.push(line))
    try {
      const send = through(await started({ authorize: async () => null }))
      for (const below of ["/", "/tokens"]) {
        expect((await Effect.runPromise(send("GET", path + below))).status).toBe(403)
      }
      expect(lines).toEqual([])
    } finally {
      log.mockRestore()
      shown.mockRestore()
    }
  })

  it("MUST let those publish for whom authorize returns publish, and others only check (D69)", async () => {
    const definition = JSON.stringify({
      schemaVersion: 1,
      steps: [{ id: "s", title: "S", view: "front" }],
      questions: [],
      rules: [],
    })
    for (const [publish, published] of [
      [true, true],
      [false, false],
      [undefined, false],
    ] as const) {
      const designwire = await started({
        authorize: () => ({ shop: "acme", actor: "jo", ...(publish === undefined ? {} : { publish }) }),
      })
      const browser = makeBrowser(through(designwire))
      const { id = 0, version = 0 } = (await designwire.customizers.get("acme", 101)) ?? {}
      const page = await Effect.runPromise(browser.open(`${path}/customizers/${id}/publish`))
      expect(page.text.includes('value="publish"')).toBe(published)
      const checked = await Effect.runPromise(browser.submit(page, "", { definition, action: "check" }))
      expect(checked.read).toContain("No problems")
      const answered = await Effect.runPromise(browser.submit(page, "", { definition, action: "publish" }))
      expect(answered.status).toBe(published ? 200 : 403)
      const after = await designwire.customizers.get("acme", 101)
      expect(after?.version).toBe((version ?? 0) + (published ? 1 : 0))
    }
  })

  it("MUST answer 500 if authorize returns something else as publish, and log it", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined)
    const shown = vi.spyOn(console, "log").mockImplementation(() => undefined)
    try {
      const send = through(await started({ authorize: () => ({ shop: "acme", actor: "jo", publish: "yes" as never }) }))
      expect((await Effect.runPromise(send("GET", `${path}/`))).status).toBe(500)
    } finally {
      log.mockRestore()
      shown.mockRestore()
    }
  })

  it("MUST refuse a form behind a body parser by name, also JSON of 5,000 levels (D57a)", async () => {
    const designwire = await started()
    const application = express().use(express.json({ limit: "1mb" }), toNodeHandler(designwire))
    const asking = Effect.gen(function* () {
      const send = sender(yield* listening(application), yield* keptAlive)
      const headers = { ...jo, "content-type": "application/json" }
      return yield* send("POST", `${path}/acme/tokens`, {
        headers,
        body: `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`,
      })
    })
    const { status, text } = await Effect.runPromise(Effect.scoped(asking))
    expect([status, text]).toEqual([500, expect.stringContaining("mount designwire before express.json()")])
  })

  for (const [name, at, rewritten] of [
    ["without a proxy, or behind one that keeps paths", path, (path: string) => path],
    ["behind a proxy that strips a prefix", `/shop${path}`, (path: string) => path.replace(/^\/shop/, "")],
    ["behind a proxy that replaces its path", "/hooks", (url: string) => url.replace(/^\/hooks/, path)],
  ] as const) {
    it(`MUST reach all pages through its own links, ${name}`, async () => {
      const browser = makeBrowser(through(await started(), rewritten), jo)
      const run = <A>(effect: Effect.Effect<A>) => Effect.runPromise(effect)
      const home = await run(browser.open(`${at}/`))
      expect(home.status).toBe(200)
      const made = await run(
        browser.submit(await run(browser.open(`${at}/acme/webhooks/new`)), "", { url: "https://93.184.216.34/" }),
      )
      expect([made.status, made.path]).toEqual([
        200,
        expect.stringMatching(new RegExp(`^${at}/acme/webhooks/whe_\\w+/secret$`)),
      ])
      const seen = new Set<string>([`${at}/`, made.path])
      const links = [home, made].map((page) => ({ page, depth: 0 }))
      for (let next = links.pop(); next !== undefined; next = links.pop()) {
        for (const [, href = ""] of next.page.text.matchAll(/(?:href|src)="([^"]*)"/g)) {
          expect(href).not.toMatch(/^(\/|https?:)/)
          const { pathname } = new URL(href, `http://host.test${next.page.path}`)
          if (seen.has(pathname)) continue
          seen.add(pathname)
          const page = await run(browser.open(pathname))
          expect([pathname, page.status]).toEqual([pathname, 200])
          if (next.depth < 3) links.push({ page, depth: next.depth + 1 })
        }
      }
      expect([...seen]).toEqual(
        expect.arrayContaining([`${at}/acme/tokens`, `${at}/acme/webhooks`, `${at}/acme/events`, `${at}/style.css`]),
      )
    })
  }

  it("MUST redirect the bare path to the first page", async () => {
    const browser = makeBrowser(through(await started()), jo)
    expect((await Effect.runPromise(browser.open(path))).status).toBe(200)
  })

  it("MUST accept a form only from the person for whom it was made", async () => {
    const designwire = await started()
    const browser = makeBrowser(through(designwire), jo)
    const page = await Effect.runPromise(browser.open(`${path}/tokens`))
    const other = makeBrowser(through(designwire), { "x-user": "sam@acme.example" })
    for (const [name, value] of browser.cookies) other.cookies.set(name, value)
    expect((await Effect.runPromise(other.submit(page, "", { name: "ERP" }))).status).toBe(403)
    expect((await Effect.runPromise(browser.submit(page, "", { name: "ERP" }))).read).toContain("“ERP” is ready")
    expect(await designwire.tokens.list("acme")).toHaveLength(1)
  })

  it("MUST have the configured look and language, and allow frames only from the configured origins", async () => {
    const designwire = await started({
      name: `Acme <b>"Prints"</b>`,
      logo: "https://cdn.acme.example/logo.svg",
      colours: { accent: "#aa0055" },
      radius: "2px",
      font: "Inter, 1942 Report, serif",
      language: "de",
      frameAncestors: ["https://admin.acme.example"],
    })
    const browser = makeBrowser(through(designwire), jo)
    const page = await Effect.runPromise(browser.open(`${path}/tokens`))
    expect(page.read).toContain(`Acme <b>"Prints"</b>`)
    expect(page.text).toContain('src="https://cdn.acme.example/logo.svg"')
    expect(page.headers["content-security-policy"]).toMatch(
      /img-src 'self' https:\/\/cdn\.acme\.example; .*frame-ancestors https:\/\/admin\.acme\.example$/,
    )
    expect(page.headers["x-frame-options"]).toBeUndefined()
    const { text } = await Effect.runPromise(browser.open(`${path}/style.css`))
    expect(text).toMatch(
      /}:root\{--accent:light-dark\(#aa0055,#aa0055\);--radius:2px;--font:"Inter","1942 Report",serif\}$/,
    )
    expect(page.text).toContain('<html lang="de"')
  })

  it("MUST have the texts of a language of one's own, which must be complete", async () => {
    const overview = { ...english.overview, title: "Oersicht" }
    const language = { tag: "gsw", texts: { ...english, overview } }
    const browser = makeBrowser(through(await started({ language })), jo)
    const page = await Effect.runPromise(browser.open(`${path}/tokens`))
    expect(page.text).toContain('<html lang="gsw"')
    expect(page.read).toContain("Oersicht")
    for (const wrong of [
      { ...language, tag: "no such tag" },
      { ...language, texts: { ...english, overview: {} } },
    ]) {
      await expect(
        embed({ settings: { path, authorize, language: wrong as unknown as Language } }),
      ).rejects.toMatchObject({
        problems: [expect.objectContaining({ path: "settings.language" })],
      })
    }
  })

  it("MUST be refused with all problems of its options", async () => {
    const settings = {
      path: "designs/",
      logo: "javascript:x",
      colours: { accent: "red}" },
      radius: "9",
      font: "a;b",
      language: "fr",
      frameAncestors: ["*"],
    }
    await expect(embed({ settings: settings as unknown as SettingsApp })).rejects.toMatchObject({
      code: "InvalidInput",
      problems: expect.arrayContaining(
        ["path", "authorize", "logo", "colours.accent", "radius", "font", "language", "frameAncestors"].map((name) =>
          expect.objectContaining({ path: `settings.${name}` }),
        ),
      ),
    })
    await expect(embed({ settings: { path: "/api/v1", authorize } })).rejects.toMatchObject({ code: "InvalidInput" })
  })

  it("MUST answer 500 without details if the application fails to authorize a request", async () => {
    const designwire = await started({ authorize: () => Promise.reject(new Error("secret reason")) })
    const { status, text } = await Effect.runPromise(through(designwire)("GET", `${path}/tokens`))
    expect([status, text.includes("secret reason")]).toEqual([500, false])
  })
})
