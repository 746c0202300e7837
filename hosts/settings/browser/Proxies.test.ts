/** The settings app behind reverse proxies that change paths, in a real browser. All its links must be relative. */
import { createServer, request as httpRequest, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { BusyShop } from "../../../conformance/testkit/browsers/BusyShop.ts"
import { openChromium } from "../../../conformance/testkit/browsers/Chromium.ts"
import { openSite, type SettingsSite } from "../../../conformance/testkit/browsers/SettingsSite.ts"
import { manageKey } from "../../../conformance/testkit/hosts/TestHost.ts"

let browser: Browser
let site: SettingsSite
let shop: BusyShop

beforeAll(async () => {
  site = await openSite()
  shop = await site.fill()
  await site.startWorker()
  browser = await openChromium()
})

afterAll(async () => {
  await browser?.close()
  await site?.close()
})

interface Proxy {
  readonly server: Server
  readonly origin: string
  /** The requested paths that do not belong to the app. */
  readonly strays: ReadonlyArray<string>
}

/** A proxy that forwards all requests below a prefix, to a rewritten path. */
const openProxy = async (prefix: string, rewritten: (path: string) => string): Promise<Proxy> => {
  const strays: Array<string> = []
  const server = createServer((request, response) => {
    const { headers, method, url = "" } = request
    if (!url.startsWith(`${prefix}/`)) {
      strays.push(url)
      return response.writeHead(404).end()
    }
    const path = rewritten(url)
    const forwarded = httpRequest({ host: "127.0.0.1", port: site.port, method, path, headers }, (incoming) => {
      response.writeHead(incoming.statusCode ?? 502, incoming.headers)
      incoming.pipe(response)
    })
    return request.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return { server, strays, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

for (const { base, name, prefix, rewritten } of [
  {
    name: "keeps the path",
    prefix: "/settings",
    base: "/settings",
    rewritten: (path: string) => path,
  },
  {
    name: "strips its prefix",
    prefix: "/back-office",
    base: "/back-office/settings",
    rewritten: (path: string) => path.slice("/back-office".length),
  },
  {
    name: "replaces its path",
    prefix: "/a/b/hooks",
    base: "/a/b/hooks",
    rewritten: (path: string) => path.replace("/a/b/hooks", "/settings"),
  },
]) {
  describe(`The settings app behind a proxy that ${name}`, () => {
    it("MUST load its files, follow its links, send its forms and ask in place", async () => {
      const proxy = await openProxy(prefix, rewritten)
      const context = await browser.newContext()
      await context.route(
        (url) => url.hostname !== "127.0.0.1",
        (route) => route.fulfill({ status: 204 }),
      )
      const page = await context.newPage()
      const failed: Array<string> = []
      page.on("response", (response) => response.status() >= 400 && failed.push(response.url()))
      const path = () => new URL(page.url()).pathname
      await page.goto(`${proxy.origin}${base}/`)
      expect(path()).toBe(`${base}/sign-in`)
      await page.fill("#key", manageKey)
      await page.click("main button[type=submit]")
      const store = `${base}/${shop.id}`
      expect(path()).toBe(`${store}/`)
      await page.waitForLoadState()
      expect(await page.evaluate("getComputedStyle(document.body).marginTop")).toBe("0px")
      await page.click("nav >> text=Webhooks")
      await page.click(`main tbody a[href$="webhooks/${shop.endpoints.healthy}"]`)
      await page.click("text=Send test event")
      await page.waitForSelector("section[aria-labelledby=tested]")
      expect(path()).toBe(`${store}/webhooks/${shop.endpoints.healthy}`)
      await page.click("[data-live=log] tbody a")
      expect(path()).toMatch(new RegExp(`^${store}/webhooks/whe_\\w+/deliveries/dlv_\\w+$`))
      await page.click("text=Redeliver")
      await page.waitForSelector("main >> text=with the same event id")
      const [download] = await Promise.all([page.waitForEvent("download"), page.click("text=Download body")])
      expect(await download.failure()).toBeNull()
      await page.click("nav >> text=API tokens")
      await page.fill("#name", `Behind ${prefix}`)
      await page.click("main form button")
      const remove = page.locator(`[aria-label="Delete the token Behind ${prefix}"]`)
      await remove.waitFor()
      // The dialog opens only after the script of the page has run.
      await page.waitForLoadState()
      await remove.click()
      await page.click("dialog button:has-text('Delete token')")
      expect(await page.locator("main").innerText()).toContain(`“Behind ${prefix}” is deleted`)
      await page.goto(`${proxy.origin}${base}/nothing/at/all`)
      await page.click("text=Go to the first page")
      expect(path()).toBe(`${store}/`)
      await page.click("text=Sign out")
      expect(path()).toBe(`${base}/sign-in`)
      expect(failed.map((url) => new URL(url).pathname)).toEqual([`${base}/nothing/at/all`])
      expect(proxy.strays.filter((stray) => stray !== "/favicon.ico")).toEqual([])
      await context.close()
      proxy.server.close()
    })
  })
}
