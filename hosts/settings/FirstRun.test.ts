/** The checklist of a new store: each step is done when the store says so, and the list goes away at the end. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { shopInput } from "../../conformance/suites/service/Samples.ts"
import { makeBrowser, signedIn } from "../../conformance/testkit/browsers/Browser.ts"
import { inProcess, manage, memory, newDesign, newOrder, newShop } from "../../conformance/testkit/hosts/TestHost.ts"
import { attempted } from "../../conformance/testkit/workers/Attempted.ts"

/** A store in memory, a browser that is signed in to it, and its overview. */
const site = Effect.gen(function* () {
  const ports = yield* Layer.build((yield* memory.open).ports)
  const send = yield* inProcess(Layer.succeedContext(ports))
  const shop = yield* newShop(send)
  const browser = yield* signedIn(send, shop.id)
  const overview = (query = "") => browser.open(`/settings/${query}`)
  const addEndpoint = Effect.fnUntraced(function* () {
    const added = yield* manage(send, "POST", `/shops/${shop.id}/webhooks`, { url: "https://93.184.216.34/hook" })
    return (added.json as { readonly id: string }).id
  })
  const attempt = (statusCode: number) => attempted(ports, shop.id, { statusCode, responseStart: "", error: null })
  return { addEndpoint, attempt, browser, overview, send, shop }
})

describe("The checklist of a new store", () => {
  it.live("MUST stay when orders come, until the first is delivered", () =>
    Effect.gen(function* () {
      const { addEndpoint, attempt, overview, send, shop } = yield* site
      yield* addEndpoint()
      yield* newDesign(send, shop, "ring")
      yield* newOrder(send, shop, "1001", ["ring"])
      yield* attempt(503)
      expect((yield* overview()).read).toMatch(/2 of 5 done .*Send a test event : To do/)
      yield* newDesign(send, shop, "mug")
      yield* newOrder(send, shop, "1002", ["mug"])
      yield* attempt(200)
      expect((yield* overview()).read).not.toContain("Set up this shop")
    }),
  )

  it.live("MUST stay until somebody hides it, for everybody", () =>
    Effect.gen(function* () {
      const { addEndpoint, browser, overview, send, shop } = yield* site
      yield* addEndpoint()
      const page = yield* overview()
      expect(page.read).toMatch(/2 of 5 done .*Send a test event : To do/)
      const hidden = yield* browser.submit(page, "./first-run/hide")
      expect(hidden.read).toContain("The list is hidden")
      for (const other of [hidden, yield* overview(), yield* (yield* signedIn(send, shop.id)).open("/settings/")]) {
        expect([other.status, other.read]).toEqual([200, expect.not.stringContaining("Set up this shop")])
      }
      expect((yield* (yield* signedIn(send, (yield* newShop(send)).id)).open("/settings/")).read).toContain("Set up")
    }),
  )

  it.live("MUST NOT be hidden by a visitor who may change nothing", () =>
    Effect.gen(function* () {
      const { overview, send, shop } = yield* site
      const input = { actor: "jo", readOnly: true }
      const made = yield* manage(send, "POST", `/shops/${shop.id}/settings-link`, input)
      const visitor = makeBrowser(send)
      const link = yield* visitor.open((made.json as { readonly url: string }).url)
      const page = yield* visitor.submit(link, "./link")
      expect((yield* visitor.submit(page, "./first-run/hide")).status).toBe(403)
      expect((yield* overview()).read).toContain("Set up this shop")
    }),
  )

  it.live("MUST NOT be shown to a store whose plan includes neither tokens nor webhooks", () =>
    Effect.gen(function* () {
      const ports = yield* Layer.build((yield* memory.open).ports)
      const send = yield* inProcess(Layer.succeedContext(ports))
      yield* manage(send, "PUT", "/shops/free", { ...shopInput, plan: "free" })
      const page = yield* (yield* signedIn(send, "free")).open("/settings/")
      expect(page.read).not.toContain("Set up this shop")
      expect(page.read).toContain("This shop is on the free plan")
    }),
  )
})
