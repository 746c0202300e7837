/** The checklist of a new store: each step is done when the store says so, and the list goes away at the end. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { shopInput } from "../../conformance/suites/service/Samples.ts"
import { signedIn } from "../../conformance/testkit/browsers/Browser.ts"
import { inProcess, manage, memory } from "../../conformance/testkit/hosts/TestHost.ts"
import { attempted } from "../../conformance/testkit/workers/Attempted.ts"

describe("The checklist of a new store", () => {
  it.live("MUST lead from a token to a test event, and go away after the first delivery", () =>
    Effect.gen(function* () {
      const ports = yield* Layer.build((yield* memory.open).ports)
      const send = yield* inProcess(Layer.succeedContext(ports))
      yield* manage(send, "PUT", "/shops/new", shopInput)
      const browser = yield* signedIn(send, "new")
      const overview = (query = "") => browser.open(`/settings/${query}`)
      expect((yield* overview()).read).toMatch(/Set up this store 0 of 5 done .*Create an API token : To do/)

      const created = yield* browser.submit(yield* browser.open("/settings/tokens"), "", { name: "ERP" })
      const token = /cmz_\w{20,}/.exec(created.text)?.[0] ?? ""
      expect(created.read).toContain(`curl -H "Authorization: Bearer ${token}" "http://`)
      const one = yield* overview()
      expect(one.read).toContain("1 of 5 done")
      expect(one.read).toContain(`Bearer cmz_…${token.slice(-4)}`)

      yield* send("GET", "/api/v1/orders", { headers: { authorization: `Bearer ${token}` } })
      expect((yield* overview()).read).toMatch(/2 of 5 done .*Read the orders with it : Done/)

      const form = yield* browser.open("/settings/webhooks/new")
      const added = yield* browser.submit(form, "", { url: "https://93.184.216.34/hook", events: "design.ordered" })
      const [, id = ""] = /\/webhooks\/(whe_\w+)\/secret$/.exec(added.path) ?? []
      const three = yield* overview()
      expect(three.read).toContain("3 of 5 done")
      expect(three.read).toContain("verifyWebhook")
      const ruby = yield* overview("?language=Ruby")
      expect(ruby.text).toMatch(/<a href="\?language=Ruby#snippet" aria-current="true">/)
      expect(ruby.read).toContain("def genuine?")
      expect(ruby.forms.map(({ action }) => action)).toContain(`./webhooks/${id}/test`)

      yield* manage(send, "POST", `/shops/new/webhooks/${id}/test`)
      yield* attempted(ports, "new", { statusCode: 200, responseStart: "", error: null })
      expect((yield* overview()).read).not.toContain("Set up this store")
    }),
  )

  it.live("MUST NOT be shown to a store whose plan includes neither tokens nor webhooks", () =>
    Effect.gen(function* () {
      const ports = yield* Layer.build((yield* memory.open).ports)
      const send = yield* inProcess(Layer.succeedContext(ports))
      yield* manage(send, "PUT", "/shops/free", { ...shopInput, plan: "free" })
      const page = yield* (yield* signedIn(send, "free")).open("/settings/")
      expect(page.read).not.toContain("Set up this store")
      expect(page.read).toContain("This store is on the free plan")
    }),
  )
})
