/**
 * Hostile input to every route of the management API and the REST API: a well-formed refusal, and nothing stored (D11,
 * D38).
 */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { customizers, ringInput, shopInput } from "../../conformance/suites/service/Samples.ts"
import {
  type Answer,
  type Json,
  manage,
  memory,
  newDesign,
  newOrder,
  newShop,
  onHosts,
  postgres,
  read,
  TestHost,
} from "../../conformance/testkit/hosts/TestHost.ts"

/** 4xx, and exactly `{message}` or `{message, problems: [{path, message}]}`. */
const rawWords = /Missing key|(?:: |")Expected /

const expectRefusal = (answer: Answer, what: string) => {
  expect([what.slice(0, 300), answer.status >= 400 && answer.status < 500, answer.status]).toEqual([
    what.slice(0, 300),
    true,
    answer.status,
  ])
  const body = answer.json as Json
  expect([
    what.slice(0, 300),
    ["message", "message,retryable", "message,retryable,problems", "message,retryable,conflict"].includes(
      Object.keys(body).join(),
    ),
  ]).toEqual([what.slice(0, 300), true])
  expect(typeof body["message"]).toBe("string")
  // Words of the schema library, which say neither what was given nor what to do.
  expect([what.slice(0, 300), answer.text]).toEqual([what.slice(0, 300), expect.not.stringMatching(rawWords)])
  for (const problem of (body["problems"] ?? []) as ReadonlyArray<Json>) {
    expect(Object.keys(problem)).toEqual(["path", "message"])
  }
}

/** Routes that take a body, with one that is fine. */
const routes: ReadonlyArray<readonly [method: string, path: string, body: Json]> = [
  ["PUT", "", shopInput],
  [
    "PUT",
    "/customizers/101",
    { title: "T", platformProductId: "gid://shop/Product/7", assetBase: "https://assets.example.com/7/" },
  ],
  ["POST", "/customizers/101/publish", { definition: customizers[0]?.definition }],
  ["PUT", "/designs/d-1", ringInput],
  ["PUT", "/designs/new", ringInput],
  ["POST", "/designs", ringInput],
  [
    "PUT",
    "/orders/new",
    { name: "9", orderedAt: "2026-10-05T14:48:00Z", lines: [{ designId: "d-1", lineItemId: "1" }] },
  ],
  ["POST", "/tokens", { name: "ERP" }],
  ["POST", "/webhooks", { url: "https://93.184.216.34/hook", description: "ERP", events: ["design.created"] }],
]

const deep = (open: string, close: string, depth: number, inside = "") =>
  open.repeat(depth) + inside + close.repeat(depth)

/** Bodies that no route can take. */
const bodies: ReadonlyArray<string> = [
  ...[
    "",
    " ",
    "{",
    "}",
    "[",
    "]",
    "{]",
    "[}",
    '"',
    "'",
    "nul",
    "tru",
    "{a:1}",
    "{'a':1}",
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
  ],
  ...[
    "[1,]",
    "//",
    "/* */{}",
    "\0",
    "{}\0",
    "{} {}",
    "\ufeff{}",
    "NaN",
    "Infinity",
    "-",
    "01",
    "1.",
    ".5",
    "1e",
    "+1",
    "0x1",
  ],
  ...['"\n"', '"\\u12"', '"\\x"', "<a/>", "a=b", "undefined", "{}{}"],
  ...[
    "null",
    "true",
    "false",
    "0",
    "-0",
    "1",
    "1e400",
    "-1e400",
    "1e21",
    '""',
    '"text"',
    '"\\u0000"',
    '"\\ud800"',
    '"\ud83d\ude00"',
  ],
  ...["[]", "[{}]", "[null]", "{}", '{"":""}', '{"__proto__":{}}', '{"constructor":{"prototype":{}}}', '{"toJSON":1}'],
  deep("[", "]", 100_000),
  deep('{"a":', "}", 100_000, "1"),
  deep("[", "", 500_000),
  deep('{"definition":', "}", 60_000, "1"),
  `{${Array.from({ length: 20_000 }, (_, index) => `"k${index}":0`).join()}}`,
]

/** JSON that fits no field. */
const values: ReadonlyArray<string> = [
  ...[
    "null",
    "true",
    "-0.5",
    "1e400",
    "-1e400",
    "1e21",
    "-1",
    "9007199254740993",
    "0.1",
    "[]",
    "{}",
    '[""]',
    '{"text":null}',
  ],
  ...[
    '""',
    '"\\u0000"',
    '"a\\u0000b"',
    '"\\ud800"',
    '"a\\udc00b"',
    '"\\ud800\\ud800"',
    '"\\u0007"',
    '"\\u001b[31m"',
    '"\\u007f\\u0085"',
  ],
  ...[
    '"__proto__"',
    '"<script>alert(1)</script>"',
    '"\'; DROP TABLE designwire.shops; --"',
    '"%00"',
    '"$1"',
    '"{{1}}"',
  ],
  JSON.stringify("x".repeat(5000)),
  JSON.stringify("😀".repeat(256)),
  deep("[", "]", 5000),
  deep('{"a":', "}", 5000, "null"),
  '{"__proto__":"x","constructor":"x"}',
]

/** Places in a body: every field, at every depth but in definitions. */
const places = (body: Json): ReadonlyArray<ReadonlyArray<string>> =>
  Object.entries(body).flatMap(([key, value]) =>
    typeof value === "object" && value !== null && key !== "definition"
      ? [[key], ...places(value as Json).map((rest) => [key, ...rest])]
      : [[key]],
  )

const marker = "\u2063here\u2063"

/** A body's JSON with another JSON text at a place. */
const replaced = (body: Json, place: ReadonlyArray<string>, json: string): string => {
  const copy = structuredClone(body) as Record<string, unknown>
  const last = place.at(-1) as string
  const parent = place
    .slice(0, -1)
    .reduce<Record<string, unknown>>((at, key) => at[key] as Record<string, unknown>, copy)
  parent[last] = marker
  return JSON.stringify(copy).replace(JSON.stringify(marker), () => json)
}

/** Ids in paths: percent-encoded to the letter. */
const ids: ReadonlyArray<string> = [
  ...[
    "%00",
    "a%00b",
    "%01",
    "%0A",
    "%0D%0A",
    "%1B",
    "%7F",
    "%C2%80",
    "%C2%85",
    "%FF",
    "%C0%80",
    "%ED%A0%80",
    "%ED%B0%80",
  ],
  ...["%F4%90%80%80", "%E0%A4%A", "%", "%zz", "%2", "", "a".repeat(256), "%F0%9F%98%80".repeat(256), "a".repeat(5000)],
]

const prepared = Effect.gen(function* () {
  const { send, store } = yield* TestHost
  const shop = yield* newShop(send)
  yield* newDesign(send, shop, "d-1")
  yield* newDesign(send, shop, "d-2")
  yield* newOrder(send, shop, "1", ["d-2"])
  return { send, store, shop, before: yield* store.dump }
})

onHosts("Hostile bodies", [memory], (it) => {
  it.effect("MUST refuse bodies that are not JSON or not of the required form, on every route, and store nothing", () =>
    Effect.gen(function* () {
      const { before, send, shop, store } = yield* prepared
      for (const [method, path] of routes) {
        yield* Effect.forEach(
          bodies,
          (body) =>
            Effect.map(manage(send, method, `/shops/${shop.id}${path}`, body), (answer) =>
              expectRefusal(answer, `${method} ${path} ${body}`),
            ),
          { concurrency: 4 },
        )
      }
      expect(yield* store.dump).toBe(before)
    }),
  )

  it.effect("MUST say where a body stops being JSON", () =>
    Effect.gen(function* () {
      const { send, shop } = yield* prepared
      for (const [body, where] of [
        ["", "it is empty"],
        ["name=ERP", "from line 1, column 1 on it is not"],
        ['{\n  "name": ERP\n}', "from line 2, column 11 on it is not"],
      ] as const) {
        const { json } = yield* manage(send, "POST", `/shops/${shop.id}/tokens`, body)
        expect((json as Json)["message"]).toBe(`The body must be JSON in UTF-8: ${where}`)
      }
    }),
  )

  it.effect("MUST use the last value of a duplicate key, and no key from a prototype", () =>
    Effect.gen(function* () {
      const { send, shop } = yield* prepared
      const path = `/shops/${shop.id}/tokens`
      const twice = yield* manage(send, "POST", path, '{"name":"\\ud800","name":"fine"}')
      expect([twice.status, (twice.json as Json)["name"]]).toEqual([201, "fine"])
      expectRefusal(yield* manage(send, "POST", path, '{"name":"fine","name":"\\u0000"}'), "the last is bad")
      expectRefusal(yield* manage(send, "POST", path, '{"__proto__":{"name":"inherited"}}'), "__proto__")
      const proto = yield* manage(send, "POST", path, '{"name":"fine","__proto__":{"polluted":1},"constructor":null}')
      expect(proto.status).toBe(422)
      expect(({} as Json)["polluted"]).toBeUndefined()
    }),
  )
})

onHosts("Hostile texts and ids", [memory, postgres], (it) => {
  it.effect(
    "MUST answer any value in any field with success or a well-formed refusal, and store nothing if it refuses",
    () =>
      Effect.gen(function* () {
        const { send, shop, store } = yield* prepared
        let before = yield* store.dump
        // The same use case saves designs for all three addresses.
        for (const [method, path, body] of routes.filter(
          ([, path]) => path !== "/designs" && path !== "/designs/new",
        )) {
          for (const place of places(body)) {
            const unchanged = Effect.map(store.dump, (now) =>
              expect([method, path, place, now === before]).toEqual([method, path, place, true]),
            )
            for (const json of values) {
              const answer = yield* manage(send, method, `/shops/${shop.id}${path}`, replaced(body, place, json))
              if (answer.status < 300) {
                // An order without lines has no answer, and stores nothing.
                expect([place, json, answer.text === ""]).toEqual([place, json, answer.status === 204])
                if (answer.status !== 204) expect(answer.json).toBeTypeOf("object")
                before = yield* store.dump
              } else expectRefusal(answer, `${method} ${path} ${place.join(".")} = ${json}`)
            }
            yield* unchanged
          }
        }
        // Whatever the successful requests stored can be read.
        for (const path of ["/orders", "/designs/d-1", "/customizers/101"]) {
          const answer = yield* read(send, shop.token, path)
          expect([path, answer.status, typeof answer.json]).toEqual([path, 200, "object"])
        }
      }),
  )

  it.effect("MUST refuse hostile ids in paths on every route, and store nothing", () =>
    Effect.gen(function* () {
      const { before, send, shop, store } = yield* prepared
      for (const id of ids) {
        for (const [method, path, body] of [
          ["GET", `/shops/${id}`],
          ["PUT", `/shops/${id}`, shopInput],
          ["GET", `/shops/${id}/tokens`],
          ["PUT", `/shops/${shop.id}/customizers/${id}`, routes[1]?.[2]],
          ["POST", `/shops/${shop.id}/customizers/${id}/publish`, routes[2]?.[2]],
          ["PUT", `/shops/${shop.id}/designs/${id}`, ringInput],
          ["PUT", `/shops/${shop.id}/orders/${id}`, routes[6]?.[2]],
          ["POST", `/shops/${shop.id}/orders/${id}/cancel`],
          ["DELETE", `/shops/${shop.id}/tokens/${id}`],
        ] as const) {
          // Without an id it is the address of the list.
          if (id === "" && method === "GET" && path.endsWith("/shops/")) continue
          expectRefusal(yield* manage(send, method, path, body), `${method} ${path}`)
        }
      }
      expect(yield* store.dump).toBe(before)
      for (const id of ids) {
        for (const kind of ["orders", "designs", "customizers"]) {
          expectRefusal(yield* read(send, shop.token, `/${kind}/${id}`), `GET /${kind}/${id}`)
        }
      }
    }),
  )

  it.effect("MUST refuse hostile headers on the REST API", () =>
    Effect.gen(function* () {
      const { send, shop } = yield* prepared
      for (const authorization of [
        "Bearer \u00ff",
        `Bearer ${"x".repeat(8000)}`,
        `Bearer ${shop.token},${shop.token}`,
        "Bearer cmz_",
      ]) {
        expectRefusal(yield* send("GET", "/api/v1/orders", { headers: { authorization } }), authorization)
      }
      for (const match of ["\u00ff", '"', ",,,", `"${"x".repeat(8000)}"`, 'W/""', "*,*"]) {
        expect((yield* read(send, shop.token, "/orders", { "if-none-match": match })).status).toBe(200)
      }
      const withBody = yield* send("GET", "/api/v1/orders", {
        headers: { authorization: `Bearer ${shop.token}` },
        body: "{".repeat(100_000),
      })
      expect(withBody.status).toBe(200)
    }),
  )
})
