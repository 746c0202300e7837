/** Problems of pages in a browser: for people who see them badly, on narrow screens, and without scripts. */
import { readFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { Browser } from "playwright-core"
import { axe, excess, violations } from "../../../conformance/testkit/browsers/Axe.ts"
import { openChromium } from "../../../conformance/testkit/browsers/Chromium.ts"
import { headingsOf, plain } from "../pages/Markdown.ts"
import { fileOf } from "./Built.ts"

/** A page of each kind. */
const sample = [
  "/",
  "/hosts/receiver/",
  "/hosts/cli/operating/",
  "/reference/embed/",
  "/reference/embed/createdesignwire/",
  "/reference/client/",
  "/openapi/manage/",
  "/openapi/manage/webhooks/",
  "/openapi/rest/schemas/",
  "/events/",
  "/conformance/requirements/",
  "/conformance/requirements/section-2-1/",
  "/conformance/cases/service/",
  "/conformance/bench/",
  "/changelog/",
  "/files/hosts/embed/examples/express.mts/",
]

const types: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  css: "text/css",
  js: "text/javascript",
  svg: "image/svg+xml",
  json: "application/json",
}

/** Serves the built site on a free port. */
const serve = async () => {
  const server = createServer((request, response) => {
    const file = fileOf(new URL(request.url ?? "/", "http://localhost").pathname)
    if (file === undefined) return response.writeHead(404).end()
    const type = types[file.split(".").at(-1) ?? ""] ?? "application/octet-stream"
    return readFile(file).then(
      (content) => response.writeHead(200, { "content-type": type }).end(content),
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

const shownProblems = async (browser: Browser, base: string, colorScheme: "dark" | "light", width: number) => {
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } })
  const problems: Array<string> = []
  const page = await context.newPage()
  page.on("pageerror", ({ message }) => problems.push(`${page.url()}: ${message}`))
  for (const address of sample) {
    await page.goto(base + address)
    await page.evaluate(await axe)
    const wide = await excess(page)
    for (const violation of await violations(page)) problems.push(`${address}, ${colorScheme}, ${width}: ${violation}`)
    if (wide > 0) problems.push(`${address}: ${wide} pixels wider than a window of ${width}`)
  }
  await context.close()
  return problems
}

/** Without scripts, every heading of a page's Markdown is shown, and every tab opens. */
const scriptlessProblems = async (browser: Browser, base: string) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  const problems: Array<string> = []
  for (const address of sample) {
    await page.goto(base + address)
    const shown = plain((await page.locator("main").textContent()) ?? "")
    const markdown = await readFile(fileOf(address === "/" ? "/index.md" : address.replace(/\/$/, ".md")) ?? "", "utf8")
    const missing = headingsOf(markdown).filter(({ text }) => !shown.includes(plain(text)))
    problems.push(...missing.map(({ text }) => `${address}: without scripts it lacks the heading ${text}`))
  }
  await page.goto(`${base}/hosts/receiver/`)
  await page.locator(".tabs summary", { hasText: "Ruby" }).click()
  if (!(await page.getByText("OpenSSL.secure_compare").isVisible())) problems.push("Without scripts a tab stays closed")
  await context.close()
  return problems
}

/** The search finds a page by a word in its text. */
const searchProblems = async (browser: Browser, base: string) => {
  const page = await browser.newPage()
  await page.goto(base)
  await page.locator("button[data-open-modal]").click()
  await page.locator("#starlight__search input").fill("DesignwirePoolExhausted")
  const found = page.locator('#starlight__search a[href*="/hosts/cli/runbook/"]').first()
  const isFound = await found.waitFor({ timeout: 20_000 }).then(
    () => true,
    () => false,
  )
  await page.close()
  return isFound ? [] : ["The search does not find DesignwirePoolExhausted in the runbook"]
}

/** Everything that is wrong with a page of each kind. */
export const browserProblems = async (): Promise<ReadonlyArray<string>> => {
  const { base, server } = await serve()
  const browser = await openChromium()
  try {
    return [
      ...(await shownProblems(browser, base, "light", 1280)),
      ...(await shownProblems(browser, base, "dark", 375)),
      ...(await scriptlessProblems(browser, base)),
      ...(await searchProblems(browser, base)),
    ]
  } finally {
    await browser.close()
    server.close()
  }
}
