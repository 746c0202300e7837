/** The pages of connections to shop platforms (D87). */
import { NodeCrypto } from "@effect/platform-node"
import { expect } from "@effect/vitest"
import { Context, Effect, Layer, Result } from "effect"
import { makeBrowser, visitedShop } from "../../conformance/testkit/browsers/Browser.ts"
import { bodyOf, manage, memory, onHosts } from "../../conformance/testkit/hosts/TestHost.ts"
import { neverAsked } from "../../core/model/ingest/PlatformConnection.ts"
import { Inbox } from "../../core/ports/Inbox.ts"
import { receiveEvent } from "../../core/usecases/ingest/ReceiveEvent.ts"
import { english } from "./texts/English.ts"

const texts = english.platforms

let made = 0
const newDomain = () => `page-${++made}.myshopify.com`

onHosts("The connections of a store", [memory], (it) => {
  it.effect("MUST be made, changed and removed without scripts, and show no secret (D87)", () =>
    Effect.gen(function* () {
      const { browser, send, shop } = yield* visitedShop
      expect((yield* browser.open("/settings/inbox")).text).toMatch(/href="[^"]*platforms"/)
      expect((yield* browser.open("/settings/platforms")).read).toContain(texts.states.none)
      const domain = newDomain()
      const secret = "a secret that nobody sees"
      const form = yield* browser.open("/settings/platforms/shopify")
      const bad = yield* browser.submit(form, "", { domain: "no domain", secret, placed: "paid" })
      expect([bad.status, bad.text.includes("no domain"), bad.text.includes(secret)]).toEqual([400, true, false])
      const saved = yield* browser.submit(bad, "", { domain, secret, placed: "Paid, Authorized", tests: "true" })
      expect(saved.read).toContain(texts.saved("Shopify"))
      expect(saved.read).toContain(domain)
      const view = Effect.map(manage(send, "GET", `/shops/${shop.id}/platforms/shopify`), (answer) => answer.json)
      const stored = { domain, hasSecret: true, placed: ["paid", "authorized"], tests: true, reorderCopies: null }
      expect(yield* view).toMatchObject(stored)
      const again = yield* browser.open("/settings/platforms/shopify")
      expect([again.read.includes(texts.secretKept), again.text.includes(secret)]).toEqual([true, false])
      // As it is: the secret stays.
      yield* browser.submit(again, "", { tests: "" })
      expect(yield* view).toMatchObject({ ...stored, tests: null })
      const question = yield* browser.open("/settings/platforms/shopify/delete")
      const gone = yield* browser.submit(question, "delete")
      expect(gone.read).toContain(texts.removed("Shopify"))
      expect((yield* manage(send, "GET", `/shops/${shop.id}/platforms/shopify`)).status).toBe(404)
      expect((yield* browser.open("/settings/platforms/etsy")).status).toBe(404)
      expect((yield* browser.open("/settings/platforms/shopify/delete")).status).toBe(404)
      const changes = yield* browser.open("/settings/audit?subject=platform")
      expect(changes.read).toContain(english.audit.actions["platform.removed"])
    }),
  )

  it.effect("MUST keep the domain that the operator chose if the owner of the store changes them (D87)", () =>
    Effect.gen(function* () {
      const { send, shop } = yield* visitedShop
      const link = yield* bodyOf(201, yield* manage(send, "POST", `/shops/${shop.id}/settings-link`, { actor: "Ada" }))
      const browser = makeBrowser(send)
      yield* browser.submit(yield* browser.open(link["url"] as string), "./link")
      const path = `/settings/${shop.id}/platforms/shopify`
      const none = yield* browser.open(path)
      expect([none.read.includes(texts.operatorOnly), none.forms.some(({ action }) => action === "")]).toEqual([
        ...[true, false],
      ])
      const domain = newDomain()
      yield* manage(send, "PUT", `/shops/${shop.id}/platforms/shopify`, { domain })
      const form = yield* browser.open(path)
      const saved = yield* browser.submit(form, "", { domain: "another.myshopify.com", placed: "paid" })
      expect(saved.read).toContain(texts.saved("Shopify"))
      expect((yield* manage(send, "GET", `/shops/${shop.id}/platforms/shopify`)).json).toMatchObject({
        ...{ domain, placed: ["paid"] },
      })
    }),
  )

  it.effect("the first page MUST say that a platform has ended its connection (D85)", () =>
    Effect.gen(function* () {
      const { browser, ports, send, shop } = yield* visitedShop
      const domain = newDomain()
      yield* manage(send, "PUT", `/shops/${shop.id}/platforms/shopify`, { domain })
      expect((yield* browser.open("/settings/")).text).not.toContain('id="platform"')
      const body = JSON.stringify({ id: 1, name: "Acme", myshopify_domain: domain })
      const event = { source: "shopify", topic: "app/uninstalled", eventId: null, body, property: "p" } as const
      yield* receiveEvent(shop.id, event).pipe(
        Effect.provide(Layer.merge(Layer.succeedContext(ports), NodeCrypto.layer)),
      )
      const { read, text } = yield* browser.open("/settings/")
      for (const said of [english.notices.platformEnded("Shopify"), texts.endedAt]) expect(read).toContain(said)
      expect(text).toMatch(/href="[^"]*platforms"/)
      expect((yield* browser.open("/settings/platforms")).read).toContain(texts.states.ended)
    }),
  )

  it.effect("MUST say that a key is refused or webhooks are gone, also on the first page (D85, D88)", () =>
    Effect.gen(function* () {
      const { browser, ports, send, shop } = yield* visitedShop
      const domain = newDomain()
      yield* manage(send, "PUT", `/shops/${shop.id}/platforms/shopify`, { domain })
      const inbox = Context.get(ports, Inbox)
      const reason = "The platform refuses the access key (401)"
      const askedAt = Date.now()
      const trouble = { kind: "key", reason, since: askedAt } as const
      const reconciling = { ...neverAsked, askedAt, trouble, webhooks: ["orders/create"], missing: ["orders/create"] }
      yield* inbox.updatePlatform(shop.id, "shopify", (record) => Result.succeed(record && { ...record, reconciling }))
      const { read, text } = yield* browser.open("/settings/")
      expect(read).toContain(texts.troubled)
      expect(read).toContain(reason)
      expect(read).not.toContain(english.notices.platformEnded("Shopify"))
      expect(text).toMatch(/href="[^"]*platforms"/)
      const page = yield* browser.open("/settings/platforms")
      for (const said of [texts.needsAttention, texts.keyRefused(reason), texts.webhooksMissing("orders/create")]) {
        expect(page.read).toContain(said)
      }
      expect((yield* manage(send, "GET", `/shops/${shop.id}/platforms/shopify`)).json).toMatchObject({
        ...{ trouble: reason, missingWebhooks: ["orders/create"] },
      })
    }),
  )
})
