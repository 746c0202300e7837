/** Webhooks of Shopify and WooCommerce through a server (D57). */

import { createHmac } from "node:crypto"
import { expect, layer as testLayer } from "@effect/vitest"
import { Context, Effect, Layer, Option, Redacted, Ref } from "effect"
import {
  keptAlive,
  memory,
  newDesign,
  newShop,
  postgres,
  read,
  type Send,
  type Sent,
  type StoreKind,
  sender,
  serve,
  type TestShop,
} from "../../conformance/testkit/hosts/TestHost.ts"
import type { IngestSource } from "../../core/model/ingest/InboxItem.ts"
import { Inbox } from "../../core/ports/Inbox.ts"
import { OrderStore } from "../../core/ports/OrderStore.ts"
import { StorageError } from "../../core/ports/StorageError.ts"
import type { StoragePorts } from "../../core/ports/StoragePorts.ts"
import { defaultProperty } from "../../core/usecases/ingest/ReceiveEvent.ts"
import { type SampleOrder, shopifyOrder } from "./samples/ShopifyOrder.ts"
import { signedHeaders } from "./samples/SignedWebhook.ts"
import { wooCommerceOrder } from "./samples/WooCommerceOrder.ts"

const secrets = { shopify: "shpss_0123456789abcdef", woocommerce: "a-woo-secret-of-24-letters" } as const
const older = "shpss_an-older-secret-0123"

const ingest = {
  shopify: [Redacted.make(secrets.shopify), Redacted.make(older)],
  woocommerce: [Redacted.make(secrets.woocommerce)],
}

const lines = (...designs: ReadonlyArray<string>) =>
  designs.map((design, index) => ({ id: index + 1, properties: { [defaultProperty]: design } }))

/** A host on a store; `changed` is a second one, whose inbox and orders the test can break. */
class Hosts extends Context.Service<
  Hosts,
  {
    readonly send: Send
    readonly broken: Send
    /** A third host, for which every shop's events take all their room. */
    readonly full: Send
    readonly ports: Context.Context<StoragePorts>
    readonly failure: Ref.Ref<Effect.Effect<never, StorageError> | undefined>
  }
>()("designwire/test/IngestHosts") {
  static layer(kind: StoreKind) {
    return Layer.effect(
      Hosts,
      Effect.gen(function* () {
        const ports = yield* Layer.build((yield* kind.open).ports)
        const inbox = Context.get(ports, Inbox)
        const orders = Context.get(ports, OrderStore)
        const failure = yield* Ref.make<Effect.Effect<never, StorageError> | undefined>(undefined)
        const unless = <A, E>(effect: Effect.Effect<A, E>) =>
          Effect.flatMap(Ref.get(failure), (failing): Effect.Effect<A, E | StorageError> => failing ?? effect)
        const breakable = ports.pipe(
          Context.add(Inbox, Inbox.of({ ...inbox, put: (item) => unless(inbox.put(item)) })),
          Context.add(OrderStore, OrderStore.of({ ...orders, commit: (change) => unless(orders.commit(change)) })),
        )
        const open = (context: typeof ports) =>
          Effect.flatMap(serve(context, { ingest }), (port) => Effect.map(keptAlive, (agent) => sender(port, agent)))
        const filled = Inbox.of({ ...inbox, size: () => Effect.succeed({ events: 5_000_000, bytes: 0 }) })
        const full = yield* open(Context.add(ports, Inbox, filled))
        return { ports, failure, send: yield* open(ports), broken: yield* open(breakable), full }
      }),
    )
  }
}

const post = (send: Send, source: IngestSource, shop: string, topic: string, json: unknown, id?: string) => {
  const body = typeof json === "string" ? json : JSON.stringify(json)
  const webhook = { topic, body, secret: secrets[source], ...(id === undefined ? {} : { id }) }
  return send("POST", `/ingest/${source}/${shop}`, { body, headers: signedHeaders[source](webhook) })
}

const shopifyWith = (designs: ReadonlyArray<string>, fields: Partial<SampleOrder> = {}) =>
  shopifyOrder({ id: 1, lines: lines(...designs), ...fields })

const statusOf = (send: Send, { token }: TestShop, id = "1") =>
  Effect.map(read(send, token, `/orders/${id}`), ({ json, status }) =>
    status === 404 ? "none" : (json as { readonly status: string }).status,
  )

const inboxOf = (ports: Context.Context<StoragePorts>, shop: string) =>
  Context.get(ports, Inbox).list({ shop, state: null, after: null, limit: 100 })

for (const kind of [memory, postgres]) {
  testLayer(Hosts.layer(kind), { excludeTestServices: true })(`Webhooks of platforms, on ${kind.name}`, (it) => {
    it.effect.each([
      ["shopify", "orders/create", shopifyWith(["a"])],
      ["woocommerce", "order.created", wooCommerceOrder({ id: 1, lines: lines("a") })],
    ] as const)(
      "MUST place the order of %s that they are about, and say what became of them",
      ([source, topic, json]) =>
        Effect.gen(function* () {
          const { send } = yield* Hosts
          const shop = yield* newShop(send)
          yield* newDesign(send, shop, "a")
          const answer = yield* post(send, source, shop.id, topic, json)
          expect([answer.status, answer.json]).toEqual([
            200,
            { id: expect.stringMatching(/^inb_/), state: "applied", reason: null },
          ])
          expect(yield* statusOf(send, shop)).toBe("ordered")
          expect((yield* post(send, source, shop.id, topic, json)).json).toEqual(answer.json)
        }),
    )

    it.effect("MUST be refused with 400 and the reason if their JSON has too many values, and not be kept (D38a)", () =>
      Effect.gen(function* () {
        const { ports, send } = yield* Hosts
        const shop = yield* newShop(send)
        const order = JSON.stringify(shopifyWith(["a"])).slice(0, -1)
        for (const [json, message] of [
          [Array(700_000).fill("[]").join(","), "The JSON has more than 600000 values"],
          ["[".repeat(1_000_000), "The JSON is nested more than 128 levels deep"],
        ] as const) {
          const refused = yield* post(send, "shopify", shop.id, "orders/create", `${order},"more":[${json}]}`)
          expect([refused.status, refused.json]).toEqual([400, { message }])
        }
        expect(yield* inboxOf(ports, shop.id)).toEqual([])
      }),
    )

    it.effect("MUST NOT be acknowledged unless they are kept (D57)", () =>
      Effect.gen(function* () {
        const { broken, failure, ports, send } = yield* Hosts
        const shop = yield* newShop(send)
        yield* newDesign(send, shop, "a")
        const down = new StorageError({ message: "down", cause: undefined, isRetryable: true })
        yield* Ref.set(failure, Effect.fail(down))
        const refused = yield* post(broken, "shopify", shop.id, "orders/create", shopifyWith(["a"]), "once")
        expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "1"])
        yield* Ref.set(failure, Effect.never)
        const late = yield* post(broken, "shopify", shop.id, "orders/create", shopifyWith(["a"]), "once")
        expect([late.status, late.headers["retry-after"]]).toEqual([503, "1"])
        expect(yield* inboxOf(ports, shop.id)).toEqual([])
        yield* Ref.set(failure, undefined)
        const again = yield* post(broken, "shopify", shop.id, "orders/create", shopifyWith(["a"]), "once")
        expect([again.status, again.json]).toMatchObject([200, { state: "applied" }])
      }),
    )

    it.effect(
      "MUST be answered 429 with Retry-After if the shop's events take all their room, and not be kept (D57)",
      () =>
        Effect.gen(function* () {
          const { full, ports, send } = yield* Hosts
          const shop = yield* newShop(send, { domain: "full.myshopify.com" })
          const refused = yield* post(full, "shopify", shop.id, "orders/create", shopifyWith(["a"]))
          expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "60"])
          expect(refused.json).toEqual({ message: expect.stringContaining("The shop's inbox is full") })
          expect(yield* inboxOf(ports, shop.id)).toEqual([])
          const removal = { shop_id: 1, shop_domain: "full.myshopify.com" }
          expect((yield* post(full, "shopify", shop.id, "shop/redact", removal)).status).toBe(204)
        }),
    )

    it.effect("MUST break ties of one second by the time at which Shopify's message was triggered (D57)", () =>
      Effect.gen(function* () {
        const { send } = yield* Hosts
        const shop = yield* newShop(send)
        for (const id of ["a", "b", "c"]) yield* newDesign(send, shop, id)
        const states: Array<unknown> = []
        for (const [designs, triggered] of [
          [["a"], "2026-10-05T14:50:00.200000000Z"],
          [["a", "b"], "2026-10-05T14:50:00.100000000Z"],
          [["a", "c"], "2026-10-05T14:50:00.300000000Z"],
        ] as const) {
          const body = JSON.stringify(shopifyWith(designs))
          const headers = {
            ...signedHeaders.shopify({ topic: "orders/updated", body, secret: secrets.shopify }),
            "x-shopify-triggered-at": triggered,
          }
          const answer = yield* send("POST", `/ingest/shopify/${shop.id}`, { body, headers })
          states.push((answer.json as { readonly state: string }).state)
        }
        expect(states).toEqual(["applied", "ignored", "applied"])
      }),
    )

    it.effect("MUST be refused with 401 without a signature of their body, whether or not the shop exists (D57)", () =>
      Effect.gen(function* () {
        const { ports, send } = yield* Hosts
        const shop = yield* newShop(send)
        const body = JSON.stringify(shopifyWith(["a"]))
        const headers = signedHeaders.shopify({ topic: "orders/create", body, secret: secrets.shopify })
        const hex = createHmac("sha256", secrets.shopify).update(body).digest("hex")
        const cases: ReadonlyArray<Sent> = [
          { headers: { ...headers, "x-shopify-hmac-sha256": "" }, body },
          { headers: { ...headers, "x-shopify-hmac-sha256": hex }, body },
          { headers: signedHeaders.shopify({ topic: "orders/create", body, secret: "another-secret-01" }), body },
          { headers, body: body.replace("EUR", "USD") },
          { headers: { "x-shopify-topic": "orders/create" }, body },
          { headers: { "shopify-topic": "orders/create", "shopify-hmac-sha256": "A".repeat(44) }, body },
          { headers, body: "" },
        ]
        const answers = new Set<string>()
        for (const sent of cases) {
          for (const id of [shop.id, "nobody", "No-Shop", "%00"]) {
            const { status, text } = yield* send("POST", `/ingest/shopify/${id}`, sent)
            answers.add(`${status} ${text}`)
          }
        }
        expect([...answers]).toEqual([
          '401 {"message":"The signature is missing, or does not fit the body under the configured secret"}',
        ])
        const woo = { body, headers: signedHeaders.woocommerce({ topic: "order.created", body, secret: older }) }
        expect((yield* send("POST", `/ingest/woocommerce/${shop.id}`, woo)).status).toBe(401)
        expect(yield* inboxOf(ports, shop.id)).toEqual([])
      }),
    )

    it.effect("MUST be taken under either of two secrets, and with headers without x- (D57)", () =>
      Effect.gen(function* () {
        const { ports, send } = yield* Hosts
        const shop = yield* newShop(send)
        const body = JSON.stringify(shopifyWith(["a"]))
        const headers = signedHeaders.shopify({ topic: "orders/create", body, secret: older, id: "d-1" })
        const short = Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [name.replace("x-", ""), value]),
        )
        expect((yield* send("POST", `/ingest/shopify/${shop.id}`, { body, headers: short })).status).toBe(200)
        expect(yield* inboxOf(ports, shop.id)).toMatchObject([{ topic: "orders/create", eventId: "d-1" }])
        expect((yield* send("POST", `/ingest/shopify/${shop.id}`, { body, headers })).status).toBe(200)
      }),
    )

    it.effect("WooCommerce's unsigned form MUST be answered 200 and nothing kept; Shopify has none", () =>
      Effect.gen(function* () {
        const { ports, send } = yield* Hosts
        const shop = yield* newShop(send)
        const form = { "content-type": "application/x-www-form-urlencoded" }
        const ping = (source: string, body: string, id = shop.id) =>
          Effect.map(send("POST", `/ingest/${source}/${id}`, { body, headers: form }), ({ status }) => status)
        expect(yield* ping("woocommerce", "webhook_id=12")).toBe(200)
        expect(yield* ping("woocommerce", "webhook_id=12", "nobody")).toBe(200)
        expect(yield* ping("woocommerce", "webhook_id=12&id=1")).toBe(401)
        expect(yield* ping("shopify", "webhook_id=12")).toBe(401)
        expect(yield* inboxOf(ports, shop.id)).toEqual([])
      }),
    )

    it.effect("MUST be refused with a status of 4xx and a message if they make no sense, and not be kept", () =>
      Effect.gen(function* () {
        const { ports, send } = yield* Hosts
        const shop = yield* newShop(send)
        const sign = (body: string | Uint8Array, topic: string | undefined = "orders/create"): Sent => {
          const digest = createHmac("sha256", secrets.shopify).update(body).digest("base64")
          const named = topic === undefined ? {} : { "x-shopify-topic": topic }
          return { body, headers: { ...named, "x-shopify-hmac-sha256": digest } }
        }
        const to = (path: string, sent: Sent, method = "POST") =>
          Effect.map(send(method, path, sent), ({ headers, json, status }) => {
            expect(json).toEqual({ message: expect.stringMatching(/\w/) })
            return headers["allow"] === undefined ? status : [status, headers["allow"]]
          })
        const here = `/ingest/shopify/${shop.id}`
        const order = JSON.stringify(shopifyWith(["a"]))
        for (const body of ["", "{", "[]", '"x"', "null", Buffer.from([0x7b, 0xff, 0x7d])]) {
          expect(yield* to(here, sign(body))).toBe(400)
        }
        expect(yield* to(here, { ...sign(order), headers: { ...sign(order).headers, "x-shopify-topic": "" } })).toBe(
          400,
        )
        const { "x-shopify-topic": _, ...untitled } = sign(order).headers ?? {}
        expect(yield* to(here, { body: order, headers: untitled })).toBe(400)
        expect(yield* to(here, sign(order, "t".repeat(256)))).toBe(400)
        const large = " ".repeat(8 * 1024 * 1024 - order.length) + order
        expect((yield* send("POST", here, sign(large))).status).toBe(200)
        expect(yield* to(here, sign(` ${large}`))).toBe(413)
        expect(yield* to(here, { ...sign(` ${large}`), chunked: true })).toBe(413)
        for (const method of ["GET", "PUT", "DELETE"]) expect(yield* to(here, {}, method)).toEqual([405, "POST"])
        expect(yield* to("/ingest/shopify/nobody", sign(order))).toBe(404)
        for (const path of [
          "/ingest",
          "/ingest/",
          "/ingest/etsy/x",
          "/ingest/shopify",
          "/ingest/shopify/",
          `${here}/`,
        ]) {
          expect([path, yield* to(path, sign(order))]).toEqual([path, 404])
        }
        expect(yield* inboxOf(ports, shop.id)).toHaveLength(1)
      }),
    )

    it.effect("MUST be refused without a secret, and take the design from the configured property", () =>
      Effect.gen(function* () {
        const { ports } = yield* Hosts
        const agent = yield* keptAlive
        const { woocommerce } = ingest
        const send = sender(yield* serve(ports, { ingest: { woocommerce, property: "design" } }), agent)
        const shop = yield* newShop(send)
        yield* newDesign(send, shop, "a")
        expect((yield* post(send, "shopify", shop.id, "orders/create", shopifyWith(["a"]))).status).toBe(401)
        const json = wooCommerceOrder({ id: 1, lines: [{ id: 1, properties: { design: "a" } }] })
        expect((yield* post(send, "woocommerce", shop.id, "order.created", json)).json).toMatchObject({
          state: "applied",
        })
        const none = sender(yield* serve(ports), agent)
        const managing = sender(yield* serve(ports, { ingest, serves: "manage" }), agent)
        for (const host of [none, managing]) {
          expect((yield* post(host, "woocommerce", shop.id, "order.created", json)).status).toBe(404)
        }
      }),
    )

    it.effect("MUST be counted by the route and not by the shop that they name", () =>
      Effect.gen(function* () {
        const { send } = yield* Hosts
        for (const shop of ["metrics-a", "metrics-b"]) yield* post(send, "shopify", shop, "orders/create", {})
        const { text } = yield* send("GET", "/metrics", {
          headers: { authorization: "Bearer test-manage-key-0123456789" },
        })
        expect(text).toMatch(
          /^designwire_http_requests_total\{(?=.*route="\/ingest\/shopify\/:shop")(?=.*status="404").*\} [1-9]/m,
        )
        expect(text).not.toContain("metrics-a")
      }),
    )
  })
}

testLayer(Hosts.layer(memory), { excludeTestServices: true })("An event that waits", (it) => {
  it.effect("MUST be applied by the server once its design exists", () =>
    Effect.gen(function* () {
      const { ports, send } = yield* Hosts
      const shop = yield* newShop(send)
      const { json } = yield* post(send, "shopify", shop.id, "orders/create", shopifyWith(["later"]))
      const { id } = json as { readonly id: string }
      yield* newDesign(send, shop, "later")
      const found = Effect.map(Context.get(ports, Inbox).find(shop.id, id), Option.getOrThrow)
      yield* Effect.repeat(Effect.delay(found, "100 millis"), { until: ({ state }) => state === "applied" })
      expect(yield* statusOf(send, shop)).toBe("ordered")
    }),
  )
})
