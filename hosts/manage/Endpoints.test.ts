/**
 * How webhook endpoints are added, read, changed and removed over the management API (hosts/manage/README.md; §8, D28,
 * D31, D34–D36).
 */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import {
  add,
  endpointKeys,
  expectError,
  listOf,
  paths,
  rows,
  timestamp,
  url,
  webhooks,
  without,
} from "../../conformance/testkit/hosts/ManagedWebhooks.ts"
import {
  bodyOf,
  type Json,
  manage,
  memory,
  newShop,
  onHosts,
  postgres,
  TestHost,
} from "../../conformance/testkit/hosts/TestHost.ts"

/** URLs that no endpoint may have, by reason. */
const refusedUrls = {
  "another scheme": [
    ...["http://93.184.216.34/", "ftp://93.184.216.34/", "file:///etc/passwd", "javascript:alert(1)", "data:,x"],
    "wss://a.b/",
  ],
  "not a valid absolute URL": [
    ...["93.184.216.34", "//93.184.216.34/", "/hook", "https://", "https:///", "https://?", "not a url"],
    ...["https://[::1", "https://a b.com/", "https://a..b.com/", "https://.com/", "https://93.184.216.34:65536/"],
  ],
  "a local name": [
    ...["https://localhost/", "https://LOCALHOST/", "https://localhost./", "https://a.localhost/", "https://foo/"],
    ...["https://printer.local/", "https://x.LOCAL./", "https://db.internal/", "https://x.home.arpa/"],
    ...["https://nas.lan/", "https://a.test/", "https://a.invalid/", "https://a.example/", "https://abc.onion/"],
    "https://4.3.2.1.in-addr.arpa/",
  ],
  "the loopback address": [
    ...["https://127.0.0.1/", "https://127.1/", "https://2130706433/", "https://0x7f.1/", "https://0177.0.0.1/"],
    ...["https://0/", "https://127。0。0。1/", "https://①②⑦.0.0.1/", "https://127.0.0.1./"],
    ...["https://%31%32%37.0.0.1/", "https://[::1]/", "https://[::]/"],
  ],
  "a private or reserved address": [
    ...["https://10.0.0.1/", "https://172.16.0.1/", "https://192.168.1.1/", "https://100.64.0.1/"],
    ...["https://169.254.169.254/", "https://224.0.0.1/", "https://255.255.255.255/", "https://192.0.2.1/"],
    ...["https://198.51.100.7/", "https://168.63.129.16/"],
    ...["https://[fe80::1]/", "https://[fd00::1]/", "https://[ff02::1]/", "https://[2001:db8::1]/"],
  ],
  "a private address within another": [
    ...["https://[::ffff:10.0.0.1]/", "https://[::ffff:a00:1]/", "https://[64:ff9b::a00:1]/"],
    ...["https://[2002:a00:1::]/", "https://[2606:2800:220:1:0:5efe:a00:1]/"],
  ],
  credentials: ["https://user@93.184.216.34/", "https://user:pw@93.184.216.34/", "https://:pw@93.184.216.34/"],
  "a fragment": ["https://93.184.216.34/#x", "https://93.184.216.34/#"],
  "a port of another protocol": [
    ...["https://93.184.216.34:0/", "https://93.184.216.34:22/", "https://93.184.216.34:6667/"],
  ],
}

onHosts("Webhook endpoints over the management API", [memory, postgres], (it) => {
  it.effect("MUST create an endpoint: 201 Endpoint with its secret, the fields in order, the defaults of D31", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      const made = yield* manage(send, "POST", webhooks(shop), { url })
      const body = yield* bodyOf(201, made)
      expect(Object.keys(body)).toEqual([...endpointKeys, "secret"])
      expect(body).toEqual({
        id: expect.stringMatching(/^whe_[0-9A-Za-z]+$/),
        url,
        description: "",
        events: ["design.ordered", "order.cancelled"],
        status: "active",
        consecutiveFailures: 0,
        switchedOffAt: null,
        createdAt: timestamp,
        standardWebhooks: false,
        customizers: null,
        heedRetryAfter: false,
        payload: "full",
        ordering: "none",
        maxPerSecond: null,
        maxConcurrent: null,
        headers: [],
        oauth: null,
        clientCertificate: null,
        rotation: null,
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      })
      const all = yield* add(send, shop, {
        description: "ERP ✓",
        events: ["design.created", "order.cancelled", "design.ordered"],
      })
      expect(all).toMatchObject({
        description: "ERP ✓",
        events: ["design.created", "order.cancelled", "design.ordered"],
      })
      expect(all.secret).not.toBe(body["secret"])
    }),
  )

  it.effect("MUST list, read and delete endpoints: {data: Endpoint[]} oldest first, Endpoint, 204 and then 404", () =>
    Effect.gen(function* () {
      const { other, send } = yield* TestHost
      const shop = yield* newShop(send)
      expect((yield* manage(send, "GET", webhooks(shop))).text).toBe('{"data":[]}')
      const first = yield* add(send, shop, { description: "first" })
      const second = yield* add(send, shop, { description: "second" })
      const listed = yield* manage(other, "GET", webhooks(shop))
      expect([listed.status, listed.json]).toEqual([
        200,
        { data: [without(first, "secret"), without(second, "secret")] },
      ])
      for (const endpoint of listOf(listed)) expect(Object.keys(endpoint)).toEqual(endpointKeys)
      const one = yield* manage(other, "GET", webhooks(shop, `/${first.id}`))
      expect([one.status, one.json]).toEqual([200, without(first, "secret")])
      const gone = yield* manage(send, "DELETE", webhooks(shop, `/${first.id}`))
      expect([gone.status, gone.text]).toEqual([204, ""])
      for (const [method, path, body] of rows(first.id, "dlv_1").slice(2)) {
        expectError(yield* manage(other, method, webhooks(shop, path), body), 404, `${method} ${path}`)
      }
      expect(listOf(yield* manage(other, "GET", webhooks(shop))).map((endpoint) => endpoint["id"])).toEqual([second.id])
    }),
  )

  it.effect("MUST change only the fields of a PATCH, check a new URL, and refuse invalid fields (D24, D31, D36)", () =>
    Effect.gen(function* () {
      const { other, send } = yield* TestHost
      const shop = yield* newShop(send)
      const made = yield* add(send, shop, { description: "before" })
      let expected: Json = without(made, "secret")
      const patch = (body: unknown) => manage(send, "PATCH", webhooks(shop, `/${made.id}`), body)
      for (const change of [
        {},
        { description: "after" },
        { standardWebhooks: true },
        { events: ["design.created"] },
        { url: "https://93.184.216.35:8443/other?a=b" },
        { description: "", events: ["order.cancelled", "design.ordered"], url },
      ]) {
        expected = { ...expected, ...change }
        const answer = yield* patch(change)
        expect([answer.status, answer.json]).toEqual([200, expected])
        expect(Object.keys(answer.json as Json)).toEqual(endpointKeys)
        expect((yield* manage(other, "GET", webhooks(shop, `/${made.id}`))).json).toEqual(expected)
      }
      for (const [body, status, path] of [
        [{ url: "https://10.0.0.1/" }, 422, "url"],
        [{ url: "http://93.184.216.34/" }, 422, "url"],
        [{ url: "" }, 400, "url"],
        [{ url: null }, 400, "url"],
        [{ events: [] }, 400, "events"],
        [{ events: ["ping"] }, 400, "events[0]"],
        [{ description: 1 }, 400, "description"],
        [{ status: "active" }, 422, "status"],
        [{ description: "no", secret: "whsec_mine" }, 422, "secret"],
        [[], 400, ""],
        [null, 400, ""],
      ] as const) {
        const answer = yield* patch(body)
        expectError(answer, status, JSON.stringify(body))
        expect(paths(answer)).toEqual([path])
      }
      // Refused together with a valid change: nothing is changed.
      expectError(yield* patch({ description: "no", url: "https://127.0.0.1/" }), 422, "both")
      expect((yield* manage(send, "GET", webhooks(shop, `/${made.id}`))).json).toEqual(expected)
    }),
  )

  it.effect("MUST refuse every invalid field by its name with 400, and store nothing", () =>
    Effect.gen(function* () {
      const { send, store } = yield* TestHost
      const shop = yield* newShop(send)
      const before = yield* store.dump
      for (const [field, values] of Object.entries({
        url: [undefined, null, 1, "", {}, [url], "\0", "\ud800", `https://93.184.216.34/${"a".repeat(2048)}`],
        events: [
          null,
          "design.ordered",
          [],
          {},
          [["design.ordered"]],
          ["ping"],
          ["*"],
          ["design.ordered", "design.ordered"],
        ],
        description: [null, 1, ["x"], "a\0b", "\udfff", "x".repeat(256)],
        standardWebhooks: [null, 1, "true", "", {}, []],
      })) {
        for (const value of values) {
          const what = `${field} = ${JSON.stringify(value)?.slice(0, 60)}`
          const answer = yield* manage(send, "POST", webhooks(shop), { url, [field]: value })
          expectError(answer, 400, what)
          expect([what, paths(answer).map((path) => String(path).replace(/\[.*/, ""))]).toEqual([what, [field]])
        }
      }
      for (const body of ["", "{", "[]", "null", "1", '"x"', "true", "{'url': 1}", '{"url":', "\0"]) {
        expectError(yield* manage(send, "POST", webhooks(shop), body), 400, JSON.stringify(body))
      }
      expect(yield* store.dump).toBe(before)
      // Characters are counted, not units: 255 of four bytes are fine.
      expect((yield* add(send, shop, { description: "\u{1f600}".repeat(255) })).id).toMatch(/^whe_/)
    }),
  )

  it.effect(
    "MUST refuse with 422 and the path url every URL that is not a public https one, in any notation (§6, D34, D35)",
    () =>
      Effect.gen(function* () {
        const { send, store } = yield* TestHost
        const shop = yield* newShop(send)
        const before = yield* store.dump
        for (const refused of Object.values(refusedUrls).flat()) {
          const answer = yield* manage(send, "POST", webhooks(shop), { url: refused })
          expectError(answer, 422, refused)
          expect([refused, paths(answer)]).toEqual([refused, ["url"]])
        }
        expect(yield* store.dump).toBe(before)
      }),
  )

  it.effect("MUST store the URL as it is parsed (D34)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      for (const [given, kept] of [
        ["  HTTPS://93.184.216.34:443/a/../b ", "https://93.184.216.34/b"],
        ["https://0x5db8d822", "https://93.184.216.34/"],
        ["https://[2606:2800:0220:0001:0000:0000:0000:0001]:8443/?q=ä", "https://[2606:2800:220:1::1]:8443/?q=%C3%A4"],
        ["https:\\\\93.184.216.34\\x", "https://93.184.216.34/x"],
      ] as const) {
        const made = yield* add(send, shop, { url: given })
        expect(made).toMatchObject({ url: kept })
        yield* manage(send, "DELETE", webhooks(shop, `/${made.id}`))
      }
    }),
  )

  it.effect(
    "MUST keep at most 5 endpoints per shop, answer 409 to a sixth, and accept another once one is gone (§8, D31)",
    () =>
      Effect.gen(function* () {
        const { send } = yield* TestHost
        const shop = yield* newShop(send)
        const next = yield* newShop(send)
        const made = [yield* add(send, shop)]
        for (let count = 1; count < 5; count++) made.push(yield* add(send, shop))
        expectError(yield* manage(send, "POST", webhooks(shop), { url }), 409, "the sixth")
        yield* add(send, next)
        yield* manage(send, "DELETE", webhooks(shop, `/${made[0]?.id}`))
        yield* add(send, shop)
        expectError(yield* manage(send, "POST", webhooks(shop), { url }), 409, "the sixth again")
      }),
  )

  it.effect("MUST keep at most 5 even if many are added at once on two hosts (D31)", () =>
    Effect.gen(function* () {
      const { other, send } = yield* TestHost
      const shop = yield* newShop(send)
      const answers = yield* Effect.forEach(
        Array.from({ length: 24 }, (_, index) => (index % 2 === 0 ? send : other)),
        (to) => manage(to, "POST", webhooks(shop), { url }),
        { concurrency: "unbounded" },
      )
      expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(5).fill(201), ...Array(19).fill(409)])
      expect(listOf(yield* manage(send, "GET", webhooks(shop)))).toHaveLength(5)
    }),
  )

  it.effect("MUST answer 409 to adding, testing, redelivering and recovering if the shop's plan is free (D8)", () =>
    Effect.gen(function* () {
      const { send, store } = yield* TestHost
      const shop = yield* newShop(send)
      const { id } = yield* add(send, shop)
      const settings = { domain: "shop.example.com", currency: "EUR", imageBase: "https://images.example.com/i" }
      const tested = yield* bodyOf(202, yield* manage(send, "POST", webhooks(shop, `/${id}/test`)))
      yield* bodyOf(200, yield* manage(send, "PUT", `/shops/${shop.id}`, { ...settings, plan: "free" }))
      const before = yield* store.dump
      expectError(yield* manage(send, "POST", webhooks(shop), { url }), 409, "adding")
      expectError(yield* manage(send, "POST", webhooks(shop, `/${id}/test`)), 409, "testing")
      const again = webhooks(shop, `/${id}/deliveries/${tested["id"]}/redeliver`)
      expectError(yield* manage(send, "POST", again), 409, "redelivering")
      const since = { since: "2026-10-05T14:48:00Z" }
      expectError(yield* manage(send, "POST", webhooks(shop, `/${id}/recover`), since), 409, "recovering")
      expect(yield* store.dump).toBe(before)
      // Existing endpoints can still be read and deleted.
      expect((yield* manage(send, "GET", webhooks(shop))).status).toBe(200)
      expect((yield* manage(send, "DELETE", webhooks(shop, `/${id}`))).status).toBe(204)
    }),
  )
})
