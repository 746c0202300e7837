/** Actions lead back to the page they were made on, with its filter and its place. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { shopInput } from "../../conformance/suites/service/Samples.ts"
import type { Browser, Shown } from "../../conformance/testkit/browsers/Browser.ts"
import { signedIn } from "../../conformance/testkit/browsers/Browser.ts"
import { busyShop } from "../../conformance/testkit/browsers/BusyShop.ts"
import { receiveShopify } from "../../conformance/testkit/hosts/PlatformEvents.ts"
import { inProcess, manage, memory } from "../../conformance/testkit/hosts/TestHost.ts"

const urls = {
  healthy: "https://93.184.216.34/erp",
  failing: "https://93.184.216.34/planning",
  off: "https://93.184.216.34/analytics",
  quiet: "https://93.184.216.34/quiet",
}

const world = Effect.gen(function* () {
  const ports = yield* Layer.build((yield* memory.open).ports)
  const send = yield* inProcess(Layer.succeedContext(ports))
  const { endpoints } = yield* busyShop(send, ports, { id: "busy", urls })
  return { ports, send, endpoints, browser: yield* signedIn(send, "busy") }
})

/** Sends the first form of a page whose address ends in an action. */
const press = (browser: Pick<Browser, "submit">, page: Shown, action: RegExp, entered = {}) => {
  const form = page.forms.find((one) => action.test(one.action))
  if (form === undefined) return Effect.die(new Error(`No form for ${action} on ${page.path}: ${page.read}`))
  return browser.submit(page, form.action, entered)
}

describe("The way back from an action", () => {
  it.live("MUST keep the filter and the place of a list of the platform's events", () =>
    Effect.gen(function* () {
      const { browser, ports } = yield* world
      for (let order = 1; order <= 17; order++) yield* receiveShopify(ports, "busy", order, ["missing"])
      const first = yield* browser.open("/settings/inbox?state=waiting")
      const [, next = ""] = /href="([^"]*after=[^"]*)"/.exec(first.text) ?? []
      const second = yield* browser.open(`/settings/inbox${next.replaceAll("&amp;", "&")}`)
      expect(second.path).toContain("state=waiting&after=")
      const tried = yield* press(browser, second, /\/apply$/)
      expect([tried.path, tried.read]).toEqual([second.path, expect.stringContaining("still waits")])
    }),
  )

  it.live("MUST keep the filter of an endpoint's log and the range of its figures, whatever is done", () =>
    Effect.gen(function* () {
      const { browser, endpoints, send } = yield* world
      const query = "?state=failed&event=design.ordered&range=30d"
      yield* manage(send, "POST", `/shops/busy/webhooks/${endpoints.failing}/secret/rotate`)
      const path = `/settings/busy/webhooks/${endpoints.failing}${query}`
      const page = yield* browser.open(path)
      expect(page.text).toContain('href="?state=failed&amp;event=design.ordered&amp;range=7d"')
      expect(page.text).toContain('<input type="hidden" name="range" value="30d"/>')
      for (const action of [/\/promote$/, /\/pause$/, /\/enable$/]) {
        expect((yield* press(browser, yield* browser.open(path), action)).path).toBe(path)
      }
      const pending = yield* browser.open(path.replace("failed", "pending"))
      const [, id = ""] = /formaction="[^"]*(dlv_\w+)\/try"/i.exec(pending.text) ?? []
      const [, form = ""] = pending.forms[0]?.fields.find(([name]) => name === "form") ?? []
      const trying = (from: string) =>
        browser.post(
          `/settings/busy/webhooks/${endpoints.failing}/deliveries/${id}/try`,
          new URLSearchParams({ form, page: from }).toString(),
        )
      const tried = yield* trying(pending.path.replace("/settings", ""))
      expect([tried.path, tried.read]).toEqual([pending.path, expect.stringContaining(`design.ordered, ${id}: `)])
      const own = `/settings/busy/webhooks/${endpoints.failing}/deliveries/${id}`
      for (const elsewhere of ["", "//evil.example/", "/other/webhooks", `/busy/webhooks/${endpoints.healthy}?x=1`]) {
        expect((yield* trying(elsewhere)).path).toBe(own)
      }
      const there = yield* trying(`${own.replace("/settings", "")}?from=log`)
      expect(there.path).toBe(`${own}?from=log`)
      // The delivery's own page does not name it again.
      expect(there.read).not.toContain(`design.ordered, ${id}: `)
    }),
  )

  it.live("MUST keep the filter when deliveries are sent again, by name or all, and refuse an empty selection", () =>
    Effect.gen(function* () {
      const { browser, endpoints } = yield* world
      const path = `/settings/busy/webhooks/${endpoints.failing}?state=failed&event=design.ordered`
      const page = yield* browser.open(path)
      const [form = ""] = /<form method="get"[^>]*id="selection"[\s\S]*?<\/form>/.exec(page.text) ?? []
      const hidden = new URLSearchParams(
        [...form.matchAll(/name="([^"]*)" value="([^"]*)"/g)].map(([, name = "", value = ""]) => [name, value]),
      )
      const resend = `/settings/busy/webhooks/${endpoints.failing}/resend`
      const back = `href="../../webhooks/${endpoints.failing}?state=failed&amp;event=design.ordered"`
      const none = yield* browser.open(`${resend}?${hidden}`)
      expect([none.status, none.read]).toEqual([400, expect.stringContaining("Nothing is selected")])
      expect(none.text).toContain(back)
      expect(none.forms.filter(({ action }) => action === "resend")).toEqual([])
      const all = yield* browser.open(`${resend}?state=failed&kind=design.ordered`)
      expect(all.text).toContain(back)
      const key = all.forms.find(({ action }) => action === "resend")?.fields ?? []
      const kept = key.filter(([name]) => ["form", "next"].includes(name)).map(([name, value]) => [name, value])
      const forged = yield* browser.post(resend, `${new URLSearchParams([...kept, ...hidden])}`)
      expect([forged.status, forged.read]).toEqual([400, expect.stringContaining("Nothing is selected")])
      const [, id = ""] = /name="id" value="(dlv_\w+)"/.exec(page.text) ?? []
      const one = yield* browser.open(`${resend}?${hidden}&id=${id}`)
      expect([one.read, one.text]).toEqual([
        expect.stringContaining("Send 1 delivery again?"),
        expect.stringContaining(back),
      ])
      expect((yield* press(browser, one, /^resend$/)).path).toBe(path)
      expect((yield* press(browser, all, /^resend$/)).path).toBe(path)
    }),
  )

  it.live("MUST keep the search and the place of the list of tokens, and the range of the overview", () =>
    Effect.gen(function* () {
      const { browser, send } = yield* world
      for (let number = 0; number < 22; number++) {
        yield* manage(send, "POST", "/shops/busy/tokens", { name: `System ${number}` })
      }
      const first = yield* browser.open("/settings/tokens?q=system")
      const [, next = ""] = /href="(\?q=system&amp;after=[^"]*)"/.exec(first.text) ?? []
      const page = yield* browser.open(`/settings/tokens${next.replaceAll("&amp;", "&")}`)
      const made = yield* press(browser, page, /^$/, { name: "System 99" })
      expect([made.path, made.read]).toEqual([page.path, expect.stringContaining("“System 99” is ready")])
      expect(made.text).toContain(`<a class="button" href="${next}">I have stored it`)
      const [, deletion = ""] = /href="[^"]*(tokens\/tok_\w+\/delete[^"]*)"/.exec(page.text) ?? []
      const question = yield* browser.open(`/settings/${deletion.replaceAll("&amp;", "&")}`)
      expect(question.text).toContain(`href="../../tokens${next}"`)
      expect((yield* press(browser, question, /^delete/)).path).toBe(page.path)
      yield* manage(send, "PUT", "/shops/new", shopInput)
      const other = yield* signedIn(send, "new")
      const overview = yield* other.open("/settings/?range=30d")
      expect((yield* press(other, overview, /first-run\/hide$/)).path).toBe("/settings/new/?range=30d")
    }),
  )
})
