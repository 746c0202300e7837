/** Connections of shops to platforms: managed, and found by webhooks at one address (D87). */
import { expect, layer as testLayer } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import {
  keptAlive,
  manage,
  memory,
  newDesign,
  newShop,
  postgres,
  type Send,
  type StoreKind,
  sender,
  serve,
} from "../../conformance/testkit/hosts/TestHost.ts"
import type { IngestSource } from "../../core/model/ingest/InboxItem.ts"
import { Inbox } from "../../core/ports/Inbox.ts"
import { NoticeStore } from "../../core/ports/NoticeStore.ts"
import type { StoragePorts } from "../../core/ports/StoragePorts.ts"
import { defaultProperty } from "../../core/usecases/ingest/ReceiveEvent.ts"
import { shopifyOrder, shopifyRedaction } from "./samples/ShopifyOrder.ts"
import { signedHeaders } from "./samples/SignedWebhook.ts"
import { wooCommerceOrder } from "./samples/WooCommerceOrder.ts"

const ofApp = "shpss_secret-of-the-app"
const ofSites = "a-secret-of-several-sites"
const own = "a secret, of this shop's own"

class Host extends Context.Service<
  Host,
  { readonly send: Send; readonly ports: Context.Context<StoragePorts>; readonly without: Send }
>()("designwire/test/PlatformsHost") {
  static layer(kind: StoreKind) {
    return Layer.effect(
      Host,
      Effect.gen(function* () {
        const ports = yield* Layer.build((yield* kind.open).ports)
        const ingest = { shopify: [Redacted.make(ofApp)], woocommerce: [Redacted.make(ofSites)] }
        const send = sender(yield* serve(ports, { ingest }), yield* keptAlive)
        return { ports, send, without: sender(yield* serve(ports, { ingest: {} }), yield* keptAlive) }
      }),
    )
  }
}

let made = 0
/** A domain that no other test has. */
const newDomain = () => `shop-${++made}-${process.pid}.myshopify.com`

interface Webhook {
  readonly source?: IngestSource
  readonly to?: string
  readonly topic?: string
  readonly secret?: string
  readonly domain?: string
  readonly json: unknown
  readonly triggeredAt?: string
}

const post = (
  send: Send,
  { domain, json, secret = ofApp, source = "shopify", to = "", topic, triggeredAt }: Webhook,
) => {
  const body = JSON.stringify(json)
  const usual = source === "shopify" ? "orders/create" : "order.created"
  const {
    "x-shopify-shop-domain": _a,
    "x-wc-webhook-source": _b,
    ...headers
  } = signedHeaders[source]({
    ...{ topic: topic ?? usual, body, secret },
  }) as Record<string, string>
  const header = source === "shopify" ? "x-shopify-shop-domain" : "x-wc-webhook-source"
  return send("POST", `/ingest/${source}${to}`, {
    body,
    headers: {
      ...headers,
      ...(domain === undefined ? {} : { [header]: domain }),
      ...(triggeredAt === undefined ? {} : { "x-shopify-triggered-at": triggeredAt }),
    },
  })
}

const order = (id: number, design = "a", property = defaultProperty, fields: object = {}) => ({
  ...shopifyOrder({ id, lines: [{ id: 1, properties: { [property]: design } }] }),
  ...fields,
})

const connect = (send: Send, shop: string, platform: IngestSource, input: object) =>
  manage(send, "PUT", `/shops/${shop}/platforms/${platform}`, input)

const shopWithDesign = Effect.fnUntraced(function* (send: Send, fields: object = {}) {
  const shop = yield* newShop(send, fields)
  yield* newDesign(send, shop, "a")
  return shop
})

for (const kind of [memory, postgres]) {
  testLayer(Host.layer(kind), { excludeTestServices: true })(`Platforms of shops, on ${kind.name}`, (it) => {
    it.effect("MUST be added, read, changed and removed, and never show a secret (D87)", () =>
      Effect.gen(function* () {
        const { send } = yield* Host
        const shop = yield* newShop(send)
        const domain = newDomain()
        const path = `/shops/${shop.id}/platforms`
        expect((yield* manage(send, "GET", path)).json).toEqual({ data: [] })
        expect((yield* manage(send, "GET", `${path}/shopify`)).status).toBe(404)
        const accessKey = "shpat_0123456789abcdef"
        const placed = [" Paid ", "Authorized", "paid"]
        const added = yield* connect(send, shop.id, "shopify", {
          ...{ domain: `https://${domain.toUpperCase()}/`, secret: own, accessKey, placed, reorderCopies: false },
        })
        const view = {
          ...{ platform: "shopify", domain, hasSecret: true, formerSecretUntil: null, hasAccessKey: true },
          ...{ property: null, placed: ["paid", "authorized"], payLater: null, tests: null, done: null },
          ...{ reorderCopies: false, createdAt: expect.any(String), changedAt: expect.any(String) },
          disconnectedAt: null,
          ...{ askedAt: null, trouble: null, missingWebhooks: [] },
        }
        expect([added.status, added.json]).toEqual([200, view])
        const changed = yield* connect(send, shop.id, "shopify", { domain, tests: true })
        expect(changed.json).toEqual({ ...view, placed: null, tests: true, reorderCopies: null })
        expect((yield* manage(send, "GET", path)).json).toEqual({ data: [changed.json] })
        const bare = yield* connect(send, shop.id, "shopify", { domain, secret: null, accessKey: null })
        expect(bare.json).toMatchObject({ hasSecret: false, hasAccessKey: false, formerSecretUntil: null })
        expect((yield* manage(send, "DELETE", `${path}/shopify`)).status).toBe(204)
        expect((yield* manage(send, "DELETE", `${path}/shopify`)).status).toBe(404)
        const { text } = yield* manage(send, "GET", `/shops/${shop.id}/audit?subject=platform`)
        for (const action of ["connected", "changed", "removed"]) expect(text).toContain(`platform.${action}`)
        for (const secret of [own, accessKey]) expect(added.text + changed.text + text).not.toContain(secret)
      }),
    )

    it.effect("MUST be refused with what is wrong, and a domain be one shop's alone (D87)", () =>
      Effect.gen(function* () {
        const { send } = yield* Host
        const [shop, other] = [yield* newShop(send), yield* newShop(send)]
        const domain = newDomain()
        const status = (platform: string, input: object) =>
          Effect.map(manage(send, "PUT", `/shops/${shop.id}/platforms/${platform}`, input), (answer) => answer.status)
        expect(yield* status("etsy", { domain })).toBe(404)
        expect(yield* status("shopify", { domain: "no domain" })).toBe(400)
        expect(yield* status("shopify", { domain, secret: "short" })).toBe(400)
        expect(yield* status("shopify", { domain, colour: "red" })).toBe(422)
        expect(yield* status("shopify", { domain, done: ["completed"] })).toBe(422)
        expect(yield* status("woocommerce", { domain, payLater: [] })).toBe(422)
        expect(yield* status("woocommerce", { domain, accessKey: "ck_0123456789abcdef" })).toBe(422)
        expect(yield* status("woocommerce", { domain, accessKey: "ck_0123456789abcdef:cs_0123456789abcdef" })).toBe(200)
        expect(yield* status("shopify", { domain })).toBe(200)
        const taken = yield* connect(send, other.id, "shopify", { domain })
        expect([taken.status, taken.json]).toMatchObject([409, { message: expect.stringContaining(domain) }])
        yield* manage(send, "DELETE", `/shops/${shop.id}`)
        expect((yield* connect(send, other.id, "shopify", { domain })).status).toBe(200)
      }),
    )

    it.effect("MUST choose the shop of a webhook at the address of all shops, by its domain (D87)", () =>
      Effect.gen(function* () {
        const { send } = yield* Host
        const [one, two] = [yield* shopWithDesign(send), yield* shopWithDesign(send)]
        const [first, second] = [newDomain(), newDomain()]
        yield* connect(send, one.id, "shopify", { domain: first })
        yield* connect(send, two.id, "shopify", { domain: second, secret: own, property: "design" })
        const inboxes = Effect.forEach([one, two], ({ id }) =>
          Effect.map(
            manage(send, "GET", `/shops/${id}/inbox`),
            ({ json }) => (json as { data: Array<unknown> }).data.length,
          ),
        )
        const ofFirst = yield* post(send, { domain: first.toUpperCase(), json: order(1) })
        expect([ofFirst.status, ofFirst.json]).toMatchObject([200, { state: "applied" }])
        expect(yield* inboxes).toEqual([1, 0])
        for (const [index, secret] of [ofApp, own].entries()) {
          const answer = yield* post(send, { domain: second, secret, json: order(index + 2, "a", "design") })
          expect([answer.status, index, answer.json]).toMatchObject([200, index, { state: "applied" }])
        }
        expect(yield* inboxes).toEqual([1, 2])
        expect((yield* post(send, { domain: first, secret: own, json: order(9) })).status).toBe(401)
      }),
    )

    it.effect("MUST be 401 before the signature is good, whatever the domain is, and 404 afterwards (D87)", () =>
      Effect.gen(function* () {
        const { send } = yield* Host
        const shop = yield* newShop(send)
        const domain = newDomain()
        yield* connect(send, shop.id, "shopify", { domain, secret: own })
        const refused = new Set<string>()
        for (const named of [domain, newDomain(), undefined, "no domain", "\t"]) {
          for (const secret of ["another-secret-01", ""]) {
            const bad = yield* post(send, { ...(named === undefined ? {} : { domain: named }), secret, json: order(1) })
            refused.add(`${bad.status} ${bad.text}`)
          }
        }
        expect([...refused]).toEqual([expect.stringMatching(/^401 /)])
        for (const named of [newDomain(), undefined, "no domain"]) {
          const unknown = yield* post(send, { ...(named === undefined ? {} : { domain: named }), json: order(1) })
          expect([unknown.status, unknown.json]).toEqual([404, { message: expect.stringContaining("No shop has a") }])
        }
      }),
    )

    it.effect("a webhook of another domain MUST be refused with 403 at the address of a connected shop (D87)", () =>
      Effect.gen(function* () {
        const { send } = yield* Host
        const shop = yield* shopWithDesign(send)
        const domain = newDomain()
        yield* connect(send, shop.id, "shopify", { domain })
        const to = `/${shop.id}`
        const other = yield* post(send, { to, domain: "other.myshopify.com", json: order(1) })
        expect([other.status, other.json]).toEqual([403, { message: expect.stringContaining("other.myshopify.com") }])
        expect((yield* post(send, { to, domain: "other.myshopify.com", secret: own, json: order(1) })).status).toBe(401)
        expect((yield* post(send, { to, domain, json: order(1) })).status).toBe(200)
        expect((yield* manage(send, "GET", `/shops/${shop.id}/inbox`)).json).toMatchObject({ data: [{}] })
      }),
    )

    it.effect("a site of WooCommerce with a secret of its own MUST NOT take that of others (D87)", () =>
      Effect.gen(function* () {
        const { send } = yield* Host
        const [mine, others] = [yield* shopWithDesign(send), yield* shopWithDesign(send)]
        const sites = [newDomain(), newDomain()].map((domain) => `https://${domain}/Store/`)
        const [site = "", other = ""] = sites
        yield* connect(send, mine.id, "woocommerce", { domain: site, secret: own })
        yield* connect(send, others.id, "woocommerce", { domain: other })
        const json = wooCommerceOrder({ id: 1, lines: [{ id: 1, properties: { [defaultProperty]: "a" } }] })
        const status = (fields: Partial<Webhook>) =>
          Effect.map(post(send, { source: "woocommerce", json, ...fields }), (answer) => answer.status)
        expect(yield* status({ domain: site, secret: own })).toBe(200)
        expect(yield* status({ domain: site, secret: ofSites })).toBe(401)
        expect(yield* status({ domain: site, secret: ofSites, to: `/${mine.id}` })).toBe(401)
        expect(yield* status({ domain: other, secret: own })).toBe(401)
        expect(yield* status({ domain: other, secret: ofSites })).toBe(200)
      }),
    )

    it.effect("MUST take a former secret until its overlap ends, and need no secret of the service (D87)", () =>
      Effect.gen(function* () {
        const { send, without } = yield* Host
        const shop = yield* shopWithDesign(send)
        const domain = newDomain()
        yield* connect(send, shop.id, "shopify", { domain, secret: own })
        const status = (secret: string) =>
          Effect.map(post(without, { domain, secret, json: order(1) }), (answer) => answer.status)
        expect([yield* status(own), yield* status(ofApp)]).toEqual([200, 401])
        const newer = "another secret of its own"
        const both = yield* connect(send, shop.id, "shopify", { domain, secret: newer, overlap: 3600 })
        expect(both.json).toMatchObject({ formerSecretUntil: expect.any(String) })
        expect([yield* status(own), yield* status(newer)]).toEqual([200, 200])
        // The same secret again replaces nothing.
        expect((yield* connect(send, shop.id, "shopify", { domain, secret: newer })).json).toMatchObject({
          formerSecretUntil: (both.json as { readonly formerSecretUntil: string }).formerSecretUntil,
        })
        expect([yield* status(own), yield* status(newer)]).toEqual([200, 200])
        yield* connect(send, shop.id, "shopify", { domain, secret: "a third secret of its own", overlap: 0 })
        expect([yield* status(own), yield* status(newer)]).toEqual([401, 401])
      }),
    )

    it.effect("MUST place orders by the states of their connection, also those that are tried again (D80, D87)", () =>
      Effect.gen(function* () {
        const { send } = yield* Host
        const shop = yield* shopWithDesign(send)
        const domain = newDomain()
        yield* connect(send, shop.id, "shopify", { domain })
        const json = order(1, "a", defaultProperty, { financial_status: "authorized" })
        const waiting = yield* post(send, { domain, json })
        expect(waiting.json).toMatchObject({ state: "unpaid" })
        yield* connect(send, shop.id, "shopify", { domain, placed: ["authorized"] })
        const { id } = waiting.json as { readonly id: string }
        const again = yield* manage(send, "POST", `/shops/${shop.id}/inbox/${id}/apply`)
        expect(again.json).toMatchObject({ state: "applied" })
        yield* newDesign(send, shop, "b")
        const at = yield* post(send, { domain, json: { ...json, ...order(2, "b"), financial_status: "authorized" } })
        expect(at.json).toMatchObject({ state: "applied" })
        const test = yield* post(send, { domain, json: order(3, "b", defaultProperty, { test: true }) })
        expect(test.json).toMatchObject({ state: "ignored" })
      }),
    )

    it.effect("privacy webhooks MUST come to the same address, and name the domain of the connection (D57, D87)", () =>
      Effect.gen(function* () {
        const { send } = yield* Host
        const shop = yield* shopWithDesign(send, { domain: "www.acme.example.com" })
        const domain = newDomain()
        yield* connect(send, shop.id, "shopify", { domain })
        yield* post(send, { domain, json: order(1) })
        const topic = "customers/redact"
        const redacted = yield* post(send, { domain, topic, json: shopifyRedaction([1], domain) })
        expect(redacted.json).toMatchObject({ state: "applied", reason: 'Redacted the orders "1"' })
        const other = yield* post(send, { domain, topic, json: shopifyRedaction([1], "www.acme.example.com") })
        expect(other.json).toMatchObject({ state: "failed" })
        const removal = { shop_id: 1, shop_domain: domain }
        expect((yield* post(send, { domain, topic: "shop/redact", json: removal })).status).toBe(204)
        expect((yield* manage(send, "GET", `/shops/${shop.id}`)).status).toBe(404)
        expect((yield* post(send, { domain, topic: "shop/redact", json: removal })).status).toBe(404)
      }),
    )

    it.effect("the end of a connection MUST be told once, and be over once orders come again (D85, D87)", () =>
      Effect.gen(function* () {
        const { ports, send } = yield* Host
        const shop = yield* shopWithDesign(send)
        const domain = newDomain()
        yield* connect(send, shop.id, "shopify", { domain })
        const topic = "app/uninstalled"
        const json = { id: 1, name: "Acme", domain: "www.acme.example.com", myshopify_domain: domain }
        const at = "2026-11-20T10:40:00.000+00:00"
        const view = Effect.map(manage(send, "GET", `/shops/${shop.id}/platforms/shopify`), (answer) => answer.json)
        const foreign = yield* post(send, { domain, topic, json: { ...json, myshopify_domain: "other.myshopify.com" } })
        expect([foreign.json, yield* view]).toMatchObject([{ state: "failed" }, { disconnectedAt: null }])
        const ended = yield* post(send, { domain, topic, json, triggeredAt: at })
        expect([ended.status, ended.json]).toMatchObject([200, { state: "applied" }])
        expect(yield* view).toMatchObject({ disconnectedAt: at })
        const notices = yield* Context.get(ports, NoticeStore).list(shop.id, 10, Date.parse(at))
        expect(notices.map(({ body }) => JSON.parse(body))).toMatchObject([
          { notice: "platform.disconnected", shop: shop.id, platform: { name: "shopify", domain } },
        ])
        yield* post(send, { domain, json: order(1), triggeredAt: "2026-11-20T10:39:00Z" })
        expect(yield* view).toMatchObject({ disconnectedAt: at })
        yield* post(send, { domain, json: order(2), triggeredAt: "2026-11-20T10:41:00Z" })
        expect(yield* view).toMatchObject({ disconnectedAt: null })
        const { json: audit } = yield* manage(send, "GET", `/shops/${shop.id}/audit?subject=platform`)
        const actions = (audit as { data: ReadonlyArray<{ action: string }> }).data.map(({ action }) => action)
        expect(actions.toSorted()).toEqual(["platform.connected", "platform.disconnected", "platform.reconnected"])
      }),
    )

    it.effect("the end of a platform without a connection MUST be an event that has failed (D85)", () =>
      Effect.gen(function* () {
        const { ports, send } = yield* Host
        const shop = yield* newShop(send)
        const json = { id: 1, name: "Acme", myshopify_domain: "acme.myshopify.com" }
        const ended = yield* post(send, { to: `/${shop.id}`, topic: "app/uninstalled", json })
        expect([ended.status, ended.json]).toMatchObject([
          ...[200, { state: "failed", reason: expect.stringContaining("no more orders") }],
        ])
        expect(yield* Context.get(ports, Inbox).trouble(shop.id, Date.now() + 1_000)).toMatchObject({ failed: 1 })
      }),
    )
  })
}
