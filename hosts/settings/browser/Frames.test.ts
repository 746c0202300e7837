/** The settings app in a frame of another site, over https, in a real browser: forms work and cookies arrive. */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import type { RequestListener } from "node:http"
import { createServer } from "node:https"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Browser } from "playwright-core"
import { beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { openChromium } from "../../../conformance/testkit/browsers/Chromium.ts"
import { embed, fill } from "../../../conformance/testkit/hosts/EmbedWorld.ts"
import { toNodeHandler } from "../../embed/index.ts"

let certificate: { readonly key: Buffer; readonly cert: Buffer }

beforeAll(() => {
  const directory = mkdtempSync(join(tmpdir(), "designwire-certificate-"))
  const [key, cert] = [join(directory, "key.pem"), join(directory, "cert.pem")]
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
  const made = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout", key, "-out", cert]
  execFileSync("openssl", ["req", ...made, ...names], { stdio: "ignore" })
  certificate = { key: readFileSync(key), cert: readFileSync(cert) }
  rmSync(directory, { recursive: true })
})

const serving = async (listener: RequestListener): Promise<number> => {
  const server = createServer(certificate, listener)
  onTestFinished(() => void server.close().closeAllConnections())
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return (server.address() as AddressInfo).port
}

/** An application with the app, and the page of another site with a frame that shows an address of the app. */
const open = async (browser: Browser) => {
  let frame = ""
  const outer = await serving((_request, response) => {
    response.setHeader("content-type", "text/html")
    response.end(`<!doctype html><title>Back office</title><iframe src="${frame}" width="1000" height="700"></iframe>`)
  })
  const site = `https://127.0.0.1:${outer}`
  const designwire = await embed({
    settings: { path: "/designs", authorize: () => undefined, frameAncestors: [site] },
  })
  await fill(designwire)
  const inner = await serving(toNodeHandler(designwire))
  const context = await browser.newContext({ ignoreHTTPSErrors: true })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const show = async (path: string) => {
    frame = `https://localhost:${inner}${path}`
    await page.goto(site)
    return page.frameLocator("iframe")
  }
  return { context, designwire, show }
}

for (const [name, args] of [
  ["that takes cookies of other sites", []],
  ["that blocks cookies of other sites", ["--test-third-party-cookie-phaseout"]],
] as const) {
  describe(`The settings app in a frame of another site, in a browser ${name}`, () => {
    it("MUST begin a session by a link, send forms and show their results", async () => {
      const browser = await openChromium(args)
      onTestFinished(() => browser.close())
      const { context, designwire, show } = await open(browser)
      const { url } = await designwire.settings.link("acme", { actor: "jo@acme.example", next: "tokens" })
      const app = await show(url)
      await app.getByRole("button", { name: "Open the settings" }).click()
      await app.locator("#name").fill("ERP")
      await app.getByRole("button", { name: "Create token" }).click()
      await app.getByText("The token “ERP” is ready").waitFor()
      const cookies = await context.cookies()
      expect(
        cookies
          .map(({ httpOnly, name, path, sameSite, secure }) => [name, path, httpOnly, secure, sameSite])
          .toSorted(),
      ).toEqual([
        ["__Host-designwire_settings_of_acme", "/", true, true, "None"],
        ["designwire_zone", expect.stringMatching(/\/$/), false, true, "None"],
      ])
      expect(await designwire.tokens.list("acme")).toMatchObject([{ name: "ERP" }])
      await app.getByRole("button", { name: "Sign out" }).click()
      await app.getByText("You are signed out").waitFor()
      expect((await context.cookies()).map(({ name }) => name)).toEqual(["designwire_zone"])
    })
  })
}
