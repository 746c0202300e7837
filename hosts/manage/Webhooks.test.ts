/** The webhook rows of the management API (README: Manage it; §6, §8, D22, D28–D32, D34–D36). */

import { describe, expect, it } from "@effect/vitest"
import { Cause, Effect, Formatter, Layer, Logger, References } from "effect"
import { request } from "../../conformance/storage/Webhooks.ts"
import {
  type Answer,
  bodyOf,
  inProcess,
  type Json,
  manage,
  memory,
  newDesign,
  newOrder,
  newShop,
  onHosts,
  postgres,
  read,
  type Send,
  TestHost,
  type TestShop,
} from "../../conformance/worlds/TestHost.ts"
import { DeliveryQueue } from "../../core/ports/DeliveryQueue.ts"
import { EndpointStore } from "../../core/ports/EndpointStore.ts"
import { StorageError } from "../../core/ports/StorageError.ts"
import { Upkeep } from "../../core/ports/Upkeep.ts"

/** A public address, so that nobody has to be asked for it. */
const url = "https://93.184.216.34/hook"

const endpointKeys = [
  "id",
  "url",
  "description",
  "events",
  "status",
  "consecutiveFailures",
  "switchedOffAt",
  "createdAt",
  "standardWebhooks",
  "rotation",
]
const deliveryKeys = ["id", "eventId", "event", "test", "status", "createdAt", "nextAttemptAt", "attempts"]
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/)

const webhooks = (shop: TestShop | string, rest = "") =>
  `/shops/${typeof shop === "string" ? shop : shop.id}/webhooks${rest}`

const add = Effect.fnUntraced(function* (send: Send, shop: TestShop, fields: Json = {}) {
  const body = yield* bodyOf(201, yield* manage(send, "POST", webhooks(shop), { url, ...fields }))
  return { ...body, id: body["id"] as string, secret: body["secret"] as string }
})

const without = (body: Json, key: string): Json =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== key))

/** Exactly `{message}`, or `{message, problems: [{path, message}]}` where input is at fault. */
const expectError = (answer: Answer, status: number, what: string) => {
  expect([what, answer.status, answer.headers["content-type"]]).toEqual([what, status, "application/json"])
  const body = answer.json as Json
  const keys = status === 400 || status === 422 ? ["message", "problems"] : ["message"]
  expect([what, Object.keys(body)]).toEqual([what, keys])
  expect([what, typeof body["message"], body["message"] === ""]).toEqual([what, "string", false])
}

const paths = (answer: Answer): ReadonlyArray<unknown> => [
  ...new Set(((answer.json as Json)["problems"] as ReadonlyArray<Json>).map((problem) => problem["path"])),
]

const listOf = (answer: Answer) => (answer.json as { readonly data: ReadonlyArray<Json> }).data

/** Every row, with a body that is fine; ids of an endpoint and a delivery put in. */
const rows = (
  endpoint: string,
  delivery: string,
): ReadonlyArray<readonly [method: string, path: string, body?: unknown]> => [
  ["POST", "", { url }],
  ["GET", ""],
  ["GET", `/${endpoint}`],
  ["PATCH", `/${endpoint}`, { description: "changed" }],
  ["POST", `/${endpoint}/enable`],
  ["POST", `/${endpoint}/secret/promote`],
  ["POST", `/${endpoint}/test`],
  ["GET", `/${endpoint}/deliveries`],
  ["GET", `/${endpoint}/deliveries/${delivery}`],
  ["POST", `/${endpoint}/deliveries/${delivery}/redeliver`],
  ["POST", `/${endpoint}/recover`, { since: "2026-01-01T00:00:00Z" }],
  ["DELETE", `/${endpoint}`],
]

onHosts("Webhook endpoints over the management API", [memory, postgres], (it) => {
  it.effect("MUST make an endpoint: 201 Endpoint with its secret, the fields in order, defaults as D31 says", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      const made = yield* manage(send, "POST", webhooks(shop), {
        url,
        extra: 1,
        status: "switched_off",
        secret: "mine",
      })
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

  it.effect("MUST show the secret once: in no other answer, and nowhere in the store in plain text (§5, D20)", () =>
    Effect.gen(function* () {
      const { send, store } = yield* TestHost
      const shop = yield* newShop(send)
      const { id, secret } = yield* add(send, shop)
      const bare = secret.slice("whsec_".length)
      yield* newDesign(send, shop, "d-1")
      yield* newOrder(send, shop, "1", ["d-1"])
      const [delivery] = listOf(yield* manage(send, "GET", webhooks(shop, `/${id}/deliveries`)))
      for (const [method, path, body] of rows(id, String(delivery?.["id"])).slice(1)) {
        const answer = yield* manage(send, method, webhooks(shop, path), body)
        expect([method, path, answer.status < 300]).toEqual([method, path, true])
        expect(answer.text.includes(bare) || answer.text.includes('"secret"')).toBe(false)
        const dump = yield* store.dump
        expect(dump.includes(bare) || dump.includes(Buffer.from(bare, "base64").toString("hex"))).toBe(false)
      }
    }),
  )

  it.effect(
    "MUST list, read and delete endpoints: {data: Endpoint[]} oldest first, Endpoint, 204 and 404 from then on",
    () =>
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
        expect(listOf(yield* manage(other, "GET", webhooks(shop))).map((endpoint) => endpoint["id"])).toEqual([
          second.id,
        ])
      }),
  )

  it.effect(
    "MUST change what a PATCH names and leave the rest, judge a new URL, and refuse what does not fit (D24, D31, D36)",
    () =>
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
          { id: "whe_other", status: "switched_off", consecutiveFailures: 7, createdAt: "x", secret: "whsec_mine" },
        ]) {
          const known = Object.entries(change).filter(([key]) =>
            ["description", "events", "standardWebhooks", "url"].includes(key),
          )
          expected = { ...expected, ...Object.fromEntries(known) }
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
          [[], 400, ""],
          [null, 400, ""],
        ] as const) {
          const answer = yield* patch(body)
          expectError(answer, status, JSON.stringify(body))
          expect(paths(answer)).toEqual([path])
        }
        // Refused together with a change that would do: nothing is changed.
        expectError(yield* patch({ description: "no", url: "https://127.0.0.1/" }), 422, "both")
        expect((yield* manage(send, "GET", webhooks(shop, `/${made.id}`))).json).toEqual(expected)
      }),
  )

  it.effect("MUST refuse with 400 every field that does not fit, naming it, and keep nothing", () =>
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
    "MUST refuse with 422 and the path url every URL that is not a public https one, in whatever form (§6, D34, D35)",
    () =>
      Effect.gen(function* () {
        const { send, store } = yield* TestHost
        const shop = yield* newShop(send)
        const before = yield* store.dump
        for (const refused of [
          ...[
            "http://93.184.216.34/",
            "ftp://93.184.216.34/",
            "file:///etc/passwd",
            "javascript:alert(1)",
            "data:,x",
            "wss://a.b/",
          ],
          ...[
            "93.184.216.34",
            "//93.184.216.34/",
            "/hook",
            "https://",
            "https:///",
            "https://?",
            "not a url",
            "https://[::1",
          ],
          ...[
            "https://localhost/",
            "https://LOCALHOST/",
            "https://localhost./",
            "https://a.localhost/",
            "https://foo/",
          ],
          ...[
            "https://127.0.0.1/",
            "https://127.1/",
            "https://2130706433/",
            "https://0x7f.1/",
            "https://0177.0.0.1/",
            "https://0/",
          ],
          ...["https://127。0。0。1/", "https://①②⑦.0.0.1/", "https://127.0.0.1./", "https://%31%32%37.0.0.1/"],
          ...[
            "https://10.0.0.1/",
            "https://172.16.0.1/",
            "https://192.168.1.1/",
            "https://100.64.0.1/",
            "https://169.254.169.254/",
          ],
          ...[
            "https://224.0.0.1/",
            "https://255.255.255.255/",
            "https://192.0.2.1/",
            "https://198.51.100.7/",
            "https://168.63.129.16/",
          ],
          ...[
            "https://[::1]/",
            "https://[::]/",
            "https://[fe80::1]/",
            "https://[fd00::1]/",
            "https://[ff02::1]/",
            "https://[2001:db8::1]/",
          ],
          ...[
            "https://[::ffff:10.0.0.1]/",
            "https://[::ffff:a00:1]/",
            "https://[64:ff9b::a00:1]/",
            "https://[2002:a00:1::]/",
          ],
          ...["https://[2606:2800:220:1::5efe:a00:1]/", "https://[2606:2800:220:1:0:5efe:a00:1]/"].slice(1),
          ...["https://user@93.184.216.34/", "https://user:pw@93.184.216.34/", "https://:pw@93.184.216.34/"],
          ...[
            "https://93.184.216.34/#x",
            "https://93.184.216.34/#",
            "https://93.184.216.34:22/",
            "https://93.184.216.34:6667/",
          ],
          ...[
            "https://93.184.216.34:0/",
            "https://93.184.216.34:65536/",
            "https://a..b.com/",
            "https://.com/",
            "https://a b.com/",
          ],
          ...[
            "https://printer.local/",
            "https://db.internal/",
            "https://x.home.arpa/",
            "https://nas.lan/",
            "https://a.test/",
          ],
          ...[
            "https://a.invalid/",
            "https://a.example/",
            "https://abc.onion/",
            "https://4.3.2.1.in-addr.arpa/",
            "https://x.LOCAL./",
          ],
        ]) {
          const answer = yield* manage(send, "POST", webhooks(shop), { url: refused })
          expectError(answer, 422, refused)
          expect([refused, paths(answer)]).toEqual([refused, ["url"]])
        }
        expect(yield* store.dump).toBe(before)
      }),
  )

  it.effect("MUST keep the URL as it is parsed (D34)", () =>
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
    "MUST keep at most 5 endpoints per shop, 409 for the sixth, and take another once one is gone (§8, D31)",
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

  it.effect("MUST keep at most 5 also when many are added at once on two hosts (D31)", () =>
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

  it.effect("MUST answer 409 to adding, testing, redelivering and recovering where the shop's plan is free (D8)", () =>
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
      // What there is can still be looked at and deleted.
      expect((yield* manage(send, "GET", webhooks(shop))).status).toBe(200)
      expect((yield* manage(send, "DELETE", webhooks(shop, `/${id}`))).status).toBe(204)
    }),
  )

  it.effect(
    "MUST answer 404 with {message} to ids that are another shop's, another endpoint's or nobody's, and change nothing",
    () =>
      Effect.gen(function* () {
        const { send, store } = yield* TestHost
        const [shop, stranger] = [yield* newShop(send), yield* newShop(send)]
        const [own, sibling] = [yield* add(send, shop), yield* add(send, shop)]
        const theirs = yield* add(send, stranger)
        const deliveryOf = (of: TestShop, id: string) =>
          Effect.map(
            Effect.flatMap(manage(send, "POST", webhooks(of, `/${id}/test`)), (answer) => bodyOf(202, answer)),
            (body) => String(body["id"]),
          )
        const ownDelivery = yield* deliveryOf(shop, own.id)
        const siblingDelivery = yield* deliveryOf(shop, sibling.id)
        const theirDelivery = yield* deliveryOf(stranger, theirs.id)
        const before = yield* store.dump
        for (const endpoint of [
          ...[
            theirs.id,
            "whe_x",
            own.id.toUpperCase(),
            `${own.id}%20`,
            "%00",
            "%0A",
            "%F0%9F%98%80",
            "a%2Fb",
            "'",
            "__proto__",
          ],
          "constructor",
          "a".repeat(1000),
        ]) {
          for (const [method, path, body] of rows(endpoint, theirDelivery).slice(2)) {
            expectError(yield* manage(send, method, webhooks(shop, path), body), 404, `${method} ${path}`)
          }
        }
        for (const delivery of [
          siblingDelivery,
          theirDelivery,
          "dlv_x",
          "%00",
          "%F0%9F%98%80",
          "__proto__",
          `${ownDelivery}x`,
        ]) {
          for (const [method, path] of rows(own.id, delivery).slice(8, 10)) {
            expectError(yield* manage(send, method, webhooks(shop, path)), 404, `${method} ${path}`)
          }
        }
        for (const [method, path, body] of rows(own.id, ownDelivery)) {
          expectError(yield* manage(send, method, webhooks("nobodys", path), body), 404, `${method} ${path}`)
        }
        expect(yield* store.dump).toBe(before)
      }),
  )

  it.effect("MUST answer 401 to every row without the manage key, a shop's token included", () =>
    Effect.gen(function* () {
      const { send, store } = yield* TestHost
      const shop = yield* newShop(send)
      const { id } = yield* add(send, shop)
      const before = yield* store.dump
      for (const [method, path, body] of rows(id, "dlv_1")) {
        for (const headers of [{}, { authorization: `Bearer ${shop.token}` }, { authorization: "Bearer " }]) {
          const sent = body === undefined ? {} : { body: JSON.stringify(body) }
          const answer = yield* send(method, `/manage/v1${webhooks(shop, path)}`, { headers, ...sent })
          expectError(answer, 401, `${method} ${path}`)
        }
      }
      expect(yield* store.dump).toBe(before)
    }),
  )

  it.effect("MUST answer hostile bodies with 400, 413 or 422, never 5xx, on every row that takes one", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      const { id } = yield* add(send, shop)
      for (const body of [
        ...[
          "",
          " ",
          "{",
          "[",
          "nul",
          "NaN",
          "\u0000",
          "{}{}",
          "\ufeff{}",
          "[".repeat(100_000),
          `${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`,
        ],
        ...[
          '{"__proto__":{"url":"x"}}',
          '{"constructor":1}',
          '{"url":{"toString":1}}',
          '{"since":{}}',
          '{"events":{"length":1}}',
        ],
        ...[
          '{"url":1e999}',
          '{"since":1e999}',
          '{"since":"9999-99-99T99:99:99Z"}',
          '{"since":"+275760-09-13T00:00:00Z"}',
          '{"since":"0000-01-01T00:00:00Z"}',
        ],
        ...[
          '{"events":[null,1,{},[]]}',
          `{"description":"${"x".repeat(1_000_000)}"}`,
          `{"url":"https://${"a.".repeat(20_000)}com"}`,
        ],
        ...[
          '{"url":"https://\\u0000"}',
          '{"url":"\\ud800"}',
          '{"description":"\\u0000"}',
          `{"events":[${'"x",'.repeat(10_000)}"x"]}`,
        ],
        "x".repeat(1_100_000),
      ]) {
        for (const [method, path] of [
          ["POST", ""],
          ["PATCH", `/${id}`],
          ["POST", `/${id}/recover`],
        ] as const) {
          const { status } = yield* manage(send, method, webhooks(shop, path), body)
          const what = `${method} ${path} ${body.slice(0, 40)}`
          // A PATCH that names nothing changes nothing.
          expect([what, [400, 413, 422, ...(method === "PATCH" ? [200] : [])].includes(status)]).toEqual([what, true])
        }
        // Rows without a body read none.
        const turnedOn = yield* manage(send, "POST", webhooks(shop, `/${id}/enable`), body)
        expect([200, 400, 413]).toContain(turnedOn.status)
      }
      expect((yield* manage(send, "GET", webhooks(shop, `/${id}`))).status).toBe(200)
    }),
  )
})

onHosts("Deliveries over the management API", [memory, postgres], (it) => {
  it.effect(
    "MUST list deliveries newest first, at most 50, with every attempt; each also by its id, with the body as sent (§8, D32)",
    () =>
      Effect.gen(function* () {
        const { other, ports, send } = yield* TestHost
        const shop = yield* newShop(send)
        const { id } = yield* add(send, shop)
        expect((yield* manage(send, "GET", webhooks(shop, `/${id}/deliveries`))).text).toBe('{"data":[]}')
        yield* newDesign(send, shop, "d-1")
        yield* newOrder(send, shop, "1", ["d-1"])
        const listed = yield* manage(other, "GET", webhooks(shop, `/${id}/deliveries`))
        const [delivery] = listOf(listed)
        expect(Object.keys(delivery ?? {})).toEqual(deliveryKeys)
        expect(delivery).toEqual({
          id: expect.stringMatching(/^dlv_[0-9A-Za-z]+$/),
          eventId: expect.stringMatching(/^evt_[0-9A-Za-z]+$/),
          event: "design.ordered",
          test: false,
          status: "pending",
          createdAt: timestamp,
          nextAttemptAt: delivery?.["createdAt"],
          attempts: [],
        })
        const deliveryId = String(delivery?.["id"])
        const one = yield* manage(other, "GET", webhooks(shop, `/${id}/deliveries/${deliveryId}`))
        expect(Object.keys(one.json as Json)).toEqual([...deliveryKeys, "body"])
        const { body } = one.json as { readonly body: string }
        expect(one.json).toEqual({ ...delivery, body })
        expect(body).toContain(`"data":{"design":${(yield* read(send, shop.token, "/designs/d-1")).text}}`)
        expect(JSON.parse(body)).toMatchObject({ id: delivery?.["eventId"], shop: "shop.example.com", test: false })

        // What a worker makes of it.
        const attempts = yield* Effect.gen(function* () {
          const store = yield* DeliveryQueue
          const now = Date.now()
          const claims = yield* store.claim(request({ now, token: `t-${id}` }))
          const claim = claims.find((one) => one.deliveryId === deliveryId)
          yield* store.release(claims.filter((one) => one !== claim))
          if (claim === undefined) return yield* Effect.die(new Error("Nothing was claimed"))
          const base = { number: 1, at: 1_790_000_000_000, durationMs: 12 } as const
          yield* store.settle(
            [
              {
                claim,
                attempt: { ...base, statusCode: 302, responseStart: "Moved «\u{1f600}»", error: "redirect" },
                status: "failed",
                nextAttemptAt: null,
              },
            ],
            (health) => health,
          )
          return yield* manage(send, "GET", webhooks(shop, `/${id}/deliveries/${deliveryId}`))
        }).pipe(Effect.provideContext(ports))
        expect(attempts.json).toEqual({
          ...delivery,
          status: "failed",
          nextAttemptAt: null,
          attempts: [
            {
              number: 1,
              at: "2026-09-21T14:13:20.000+00:00",
              statusCode: 302,
              durationMs: 12,
              responseStart: "Moved «\u{1f600}»",
              error: "redirect",
            },
          ],
          body,
        })
        expect(Object.keys(((attempts.json as Json)["attempts"] as ReadonlyArray<Json>)[0] ?? {})).toEqual([
          ...["number", "at", "statusCode", "durationMs", "responseStart", "error"],
        ])

        const made: Array<string> = []
        for (let count = 0; count < 55; count++) {
          const again = yield* manage(send, "POST", webhooks(shop, `/${id}/deliveries/${deliveryId}/redeliver`))
          made.unshift(String((yield* bodyOf(202, again))["id"]))
        }
        const full = listOf(yield* manage(send, "GET", webhooks(shop, `/${id}/deliveries`)))
        expect(full).toHaveLength(50)
        const times = full.map((one) => String(one["createdAt"]))
        expect(times).toEqual(times.toSorted().toReversed())
        expect(made).toEqual(expect.arrayContaining(full.slice(0, 40).map((one) => one["id"])))
      }),
  )

  it.effect(
    "MUST answer 202 with the new delivery to a redelivery: the same event and body, another id (D22, D29)",
    () =>
      Effect.gen(function* () {
        const { send } = yield* TestHost
        const shop = yield* newShop(send)
        const { id } = yield* add(send, shop)
        yield* newDesign(send, shop, "d-1")
        yield* newOrder(send, shop, "1", ["d-1"])
        const path = webhooks(shop, `/${id}/deliveries`)
        const [first] = listOf(yield* manage(send, "GET", path))
        const again = yield* bodyOf(202, yield* manage(send, "POST", `${path}/${first?.["id"]}/redeliver`))
        expect(Object.keys(again)).toEqual(deliveryKeys)
        expect(again).toMatchObject({
          eventId: first?.["eventId"],
          event: "design.ordered",
          test: false,
          status: "pending",
          nextAttemptAt: again["createdAt"],
          attempts: [],
        })
        expect(again["id"]).not.toBe(first?.["id"])
        const [body, bodyAgain] = yield* Effect.forEach([first, again], (one) =>
          Effect.map(manage(send, "GET", `${path}/${one?.["id"]}`), ({ json }) => (json as Json)["body"]),
        )
        expect(typeof body).toBe("string")
        expect(bodyAgain).toBe(body)
      }),
  )

  it.effect("MUST answer 202 with the test's delivery: a ping, or the latest ordered design (§6, D30)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      const { id } = yield* add(send, shop, { events: ["order.cancelled"] })
      const test = Effect.flatMap(manage(send, "POST", webhooks(shop, `/${id}/test`)), (answer) => bodyOf(202, answer))
      const ping = yield* test
      expect(Object.keys(ping)).toEqual(deliveryKeys)
      expect(ping).toMatchObject({ event: "ping", test: true, status: "pending", attempts: [] })
      yield* newDesign(send, shop, "d-1")
      expect((yield* test)["event"]).toBe("ping")
      yield* newDesign(send, shop, "d-2")
      yield* newOrder(send, shop, "late", ["d-1"], "2026-10-06T00:00:00Z")
      yield* newOrder(send, shop, "early", ["d-2"], "2026-10-05T00:00:00Z")
      const sample = yield* test
      expect(sample).toMatchObject({ event: "design.ordered", test: true })
      const shown = yield* manage(send, "GET", webhooks(shop, `/${id}/deliveries/${sample["id"]}`))
      const { body } = shown.json as { readonly body: string }
      expect(body).toContain(`"data":{"design":${(yield* read(send, shop.token, "/designs/d-1")).text}},"test":true}`)
      expect(JSON.parse(body)).toMatchObject({ id: sample["eventId"], event: "design.ordered" })
    }),
  )

  it.effect(
    "MUST answer 202 {deliveries} to recover, 400 for a since that is no date-time, and make none twice (D28)",
    () =>
      Effect.gen(function* () {
        const { send } = yield* TestHost
        const shop = yield* newShop(send)
        yield* newDesign(send, shop, "d-1")
        yield* newDesign(send, shop, "d-2")
        yield* newOrder(send, shop, "1", ["d-1", "d-2"])
        const { id } = yield* add(send, shop)
        const since = (text: unknown) => manage(send, "POST", webhooks(shop, `/${id}/recover`), { since: text })
        for (const bad of [
          undefined,
          null,
          1,
          "",
          "yesterday",
          "2026-01-01",
          "2026-01-01T00:00:00",
          "2026-13-01T00:00:00Z",
          {},
        ]) {
          const answer = yield* since(bad)
          expectError(answer, 400, JSON.stringify(bad))
          expect(paths(answer)).toEqual(["since"])
        }
        expect([(yield* since("2100-01-01T00:00:00Z")).text]).toEqual(['{"deliveries":0}'])
        const recovered = yield* since("2020-01-01T00:00:00+02:00")
        expect([recovered.status, recovered.text]).toEqual([202, '{"deliveries":2}'])
        expect((yield* since("2020-01-01T00:00:00Z")).text).toBe('{"deliveries":0}')
        expect(listOf(yield* manage(send, "GET", webhooks(shop, `/${id}/deliveries`)))).toHaveLength(2)
      }),
  )

  it.effect(
    "MUST turn an endpoint on: 200 Endpoint, active, nothing counted, with how many events it has missed (§3, D28)",
    () =>
      Effect.gen(function* () {
        const { ports, send } = yield* TestHost
        const shop = yield* newShop(send)
        const made = yield* add(send, shop)
        yield* newDesign(send, shop, "d-1")
        yield* newOrder(send, shop, "1", ["d-1"])
        yield* Effect.gen(function* () {
          const store = yield* DeliveryQueue
          const now = Date.now()
          const claims = yield* store.claim(request({ now, token: `t-${made.id}` }))
          const own = claims.filter(({ endpointId }) => endpointId === made.id)
          yield* store.release(claims.filter((claim) => !own.includes(claim)))
          const attempt = {
            number: 1,
            at: now,
            durationMs: 0,
            statusCode: 500,
            responseStart: "",
            error: null,
          } as const
          yield* store.settle(
            own.map((claim) => ({ claim, attempt, status: "pending", nextAttemptAt: now + 60_000 })),
            () => ({
              status: "switched_off",
              consecutiveFailures: 20,
              switchedOffAt: 1_790_000_000_000,
              proven: false,
            }),
          )
          expect((yield* Upkeep.use((upkeep) => upkeep.statistics(now))).endpointsSwitchedOff).toBeGreaterThan(0)
        }).pipe(Effect.provideContext(ports))
        const before = without(made, "secret")
        expect((yield* manage(send, "GET", webhooks(shop, `/${made.id}`))).json).toEqual({
          ...before,
          status: "switched_off",
          consecutiveFailures: 20,
          switchedOffAt: "2026-09-21T14:13:20.000+00:00",
        })
        for (const id of ["d-2", "d-3"]) yield* newDesign(send, shop, id)
        yield* newOrder(send, shop, "2", ["d-2", "d-3"])
        for (const missed of [2, 0]) {
          const turnedOn = yield* manage(send, "POST", webhooks(shop, `/${made.id}/enable`))
          expect([turnedOn.status, turnedOn.json]).toEqual([200, { ...before, missed }])
        }
      }),
  )
})

onHosts("Rotating a signing secret over the management API", [memory, postgres], (it) => {
  const rotate = (send: Send, shop: TestShop, id: string, body?: unknown) =>
    manage(send, "POST", webhooks(shop, `/${id}/secret/rotate`), body)

  it.effect(
    "MUST answer 200 Endpoint with the new secret, for the only time, and until when the old one signs (D40)",
    () =>
      Effect.gen(function* () {
        const { other, send, store } = yield* TestHost
        const shop = yield* newShop(send)
        const made = yield* add(send, shop)
        const seen = new Set([made.secret])
        for (const [body, overlap] of [
          [undefined, 86_400],
          ["", 86_400],
          [{}, 86_400],
          [{ overlap: 1 }, 1],
          [{ overlap: 604_800, other: 1 }, 604_800],
        ] as const) {
          const before = Date.now()
          const answer = yield* rotate(send, shop, made.id, body)
          expect([answer.status, answer.headers["cache-control"]]).toEqual([200, "no-store"])
          const { rotation, secret, ...rest } = answer.json as Json & { readonly rotation: { readonly until: string } }
          expect(Object.keys(answer.json as Json)).toEqual([...endpointKeys, "secret"])
          expect({ ...rest, rotation: null }).toEqual(without(made, "secret"))
          expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
          seen.add(String(secret))
          expect(rotation.until).toEqual(timestamp)
          const lasts = Date.parse(rotation.until) - overlap * 1000
          expect([lasts >= before, lasts <= Date.now()]).toEqual([true, true])
          const read = yield* manage(other, "GET", webhooks(shop, `/${made.id}`))
          expect(read.json).toEqual({ ...without(made, "secret"), rotation })
          const dump = yield* store.dump
          expect(dump.includes(String(secret).slice("whsec_".length))).toBe(false)
        }
        expect(seen.size).toBe(6)
      }),
  )

  it.effect(
    "MUST replace the secret at once with an overlap of 0, and answer 200 Endpoint to promote, also twice",
    () =>
      Effect.gen(function* () {
        const { other, send } = yield* TestHost
        const shop = yield* newShop(send)
        const made = yield* add(send, shop)
        const promoted = () => manage(other, "POST", webhooks(shop, `/${made.id}/secret/promote`))
        const atOnce = yield* bodyOf(200, yield* rotate(send, shop, made.id, { overlap: 0 }))
        expect(atOnce["rotation"]).toBeNull()
        expect(atOnce["secret"]).not.toBe(made.secret)
        expect(yield* bodyOf(200, yield* promoted())).toEqual(without(made, "secret"))
        yield* rotate(send, shop, made.id)
        for (const _ of [1, 2]) expect(yield* bodyOf(200, yield* promoted())).toEqual(without(made, "secret"))
      }),
  )

  it.effect(
    "MUST refuse with 400 an overlap that is not whole seconds up to 7 days, and with 404 what is not there",
    () =>
      Effect.gen(function* () {
        const { send, store } = yield* TestHost
        const shop = yield* newShop(send)
        const stranger = yield* newShop(send)
        const made = yield* add(send, shop)
        const before = yield* store.dump
        for (const overlap of [null, -1, 0.5, 604_801, 1e300, "60", "", true, [], {}]) {
          const answer = yield* rotate(send, shop, made.id, { overlap })
          expectError(answer, 400, JSON.stringify(overlap))
          expect(paths(answer)).toEqual(["overlap"])
          const expected = typeof overlap === "number" ? "whole seconds, 0 to 604800 (7 days)" : "Expected number"
          expect((answer.json as Json)["message"]).toContain(expected)
        }
        for (const body of ["{", "null", "[]", "1", '"x"', "\0", " "]) {
          expectError(yield* rotate(send, shop, made.id, body), 400, JSON.stringify(body))
        }
        for (const path of [`/${made.id}/secret/rotate`, `/${made.id}/secret/promote`]) {
          expectError(yield* manage(send, "POST", webhooks(stranger, path)), 404, path)
          const get = yield* manage(send, "GET", webhooks(shop, path))
          expect([get.status, get.headers["allow"]]).toEqual([405, "POST"])
        }
        expect(yield* store.dump).toBe(before)
      }),
  )
})

describe("The log of a host", () => {
  it.effect("MUST NOT hold a signing secret, also where the store fails on adding an endpoint (§5, D20)", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const collect = Logger.make((entry) => {
        lines.push(Formatter.format(entry.message), Cause.pretty(entry.cause))
      })
      yield* Effect.gen(function* () {
        const { ports } = yield* memory.open
        const failing = Layer.effect(
          EndpointStore,
          Effect.map(EndpointStore, (endpoints) => ({
            ...endpoints,
            add: (endpoint, maximum) =>
              endpoint.description === "fails"
                ? Effect.fail(new StorageError({ message: "Down", cause: endpoint, isRetryable: true }))
                : endpoints.add(endpoint, maximum),
          })),
        )
        const send = yield* inProcess(Layer.provideMerge(failing, ports))
        const shop = yield* newShop(send)
        const { id, secret } = yield* add(send, shop)
        yield* manage(send, "POST", webhooks(shop, `/${id}/test`))
        expectError(yield* manage(send, "POST", webhooks(shop), { url, description: "fails" }), 503, "failing")
        const text = lines.join("\n")
        expect(text).toContain("Down")
        expect(text).not.toContain("whsec_")
        expect(text).not.toContain(secret.slice("whsec_".length))
      }).pipe(Effect.provide(Logger.layer([collect])), Effect.provideService(References.MinimumLogLevel, "Trace"))
    }),
  )
})
