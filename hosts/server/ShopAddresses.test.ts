/** The REST API at addresses that name the shop (D15a). */
import { request } from "node:http"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { shopInput } from "../../conformance/suites/service/Samples.ts"
import { signedIn } from "../../conformance/testkit/browsers/Browser.ts"
import {
  bodyOf,
  inProcess,
  type Json,
  keptAlive,
  manage,
  memory,
  newDesign,
  newOrder,
  newShop,
  type Send,
  sender,
  serve,
} from "../../conformance/testkit/hosts/TestHost.ts"
import { createClient } from "../client/index.ts"

const forms = {
  host: "https://{shop}.designs.example.com/api/v1",
  path: "https://designs.example.com/{shop}/api/v1",
}

/** The address of a shop as its requests arrive: a path, and the Host header. */
const arriving = (form: keyof typeof forms, shop: string) => {
  const { host, pathname } = new URL(forms[form].replace("{shop}", shop))
  return { host, path: pathname }
}

const reader =
  (send: Send, form: keyof typeof forms) =>
  (shop: string, token: string, path: string, host = arriving(form, shop).host) =>
    send("GET", arriving(form, shop).path + path, { headers: { host, authorization: `Bearer ${token}` } })

/** Two shops on a server with addresses of their own, and a way to each. */
const started = Effect.fnUntraced(function* (form: keyof typeof forms) {
  const ports = yield* Layer.build((yield* memory.open).ports)
  const port = yield* serve(ports, { apiUrl: forms[form] })
  const send = sender(port, yield* keptAlive)
  return { port, send, read: reader(send, form), acme: yield* newShop(send), globex: yield* newShop(send) }
})

describe.each(["host", "path"] as const)("The REST API at the address of a shop, by %s", (form) => {
  it.live("MUST answer to a token of the shop, and to any other token with 401 (D15a)", () =>
    Effect.gen(function* () {
      const { acme, globex, read } = yield* started(form)
      for (const [shop, token, status] of [
        [acme.id, acme.token, 200],
        [globex.id, globex.token, 200],
        [acme.id, globex.token, 401],
        [globex.id, acme.token, 401],
        ["nobody", acme.token, 401],
        [acme.id, "cmz_unknown", 401],
      ] as const) {
        for (const [path, found] of [
          ["/orders", 200],
          ["/nothing", 404],
        ] as const) {
          const answer = yield* read(shop, token, path)
          const expected = status === 200 ? found : status
          expect([shop, path, answer.status]).toEqual([shop, path, expected])
          expect(answer.headers["x-api-version"]).toBe("2026-10")
        }
      }
      const { headers, json } = yield* read(acme.id, globex.token, "/orders")
      expect(json).toEqual({
        message: `This address needs an API token of the shop ${acme.id}: Authorization: Bearer cmz_…`,
      })
      // It counts against no limit, as any other 401.
      expect([headers["ratelimit"], headers["www-authenticate"]]).toEqual([undefined, "Bearer"])
    }),
  )

  it.live("MUST answer at /api/v1 of other hosts as without shops in addresses: the token decides (D15a)", () =>
    Effect.gen(function* () {
      const { acme, globex, send } = yield* started(form)
      for (const { id, token } of [acme, globex]) {
        yield* newDesign(send, { ...acme, id, token }, "d")
        for (const host of ["designs.example.com", "127.0.0.1", "a.b.designs.example.com"]) {
          const answer = yield* send("GET", "/api/v1/designs/d", {
            headers: { host, authorization: `Bearer ${token}` },
          })
          expect([host, answer.status]).toEqual([host, 200])
        }
      }
      expect((yield* send("GET", "/api/v1/orders", { headers: { authorization: "Bearer cmz_unknown" } })).status).toBe(
        401,
      )
      expect((yield* send("GET", "/Acme/api/v1/orders")).json).toEqual({ message: "There is nothing at this address" })
    }),
  )

  it.live("MUST lead from page to page by links of the same address (D15a)", () =>
    Effect.gen(function* () {
      const { acme, read, send } = yield* started(form)
      for (const id of ["1", "2"]) {
        yield* newDesign(send, acme, `d-${id}`)
        yield* newOrder(send, acme, id, [`d-${id}`], `2026-10-0${id}T00:00:00Z`)
      }
      const first = yield* read(acme.id, acme.token, "/orders?limit=1")
      const base = new URL(`${forms[form].replace("{shop}", acme.id)}/orders?limit=1`)
      const next = new URL(/^<([^>]*)>; rel="next"$/.exec(first.headers["link"] ?? "")?.[1] ?? "", base)
      expect(next.origin + next.pathname).toBe(base.origin + base.pathname)
      const second = yield* bodyOf(200, yield* read(acme.id, acme.token, `/orders${next.search}`))
      expect(second["data"]).toMatchObject([{ id: "1" }])
    }),
  )

  it.live("MUST be the server in the OpenAPI document, with the shop as its variable (D15a)", () =>
    Effect.gen(function* () {
      const { send } = yield* started(form)
      const { paths, servers } = (yield* bodyOf(200, yield* send("GET", "/openapi.json"))) as {
        readonly paths: Json
        readonly servers: ReadonlyArray<Json>
      }
      expect(servers).toEqual([
        {
          url: forms[form].replace("/api/v1", ""),
          description: "The address of a shop",
          variables: { shop: { default: "your-shop", description: "The shop's id" } },
        },
      ])
      expect(`${servers[0]?.["url"]}${Object.keys(paths)[0]}`).toBe(`${forms[form]}/orders`)
    }),
  )

  it.live("MUST be known to answers that the server gives itself", () =>
    Effect.gen(function* () {
      const { acme, port } = yield* started(form)
      const { path } = arriving(form, acme.id)
      const answer = yield* Effect.callback<{ readonly status: number | undefined; readonly version: unknown }>(
        (resume) => {
          const headers = ["Host", "a.example.com", "Host", "b.example.com"]
          const asked = request({ port, path: `${path}/orders`, headers, setHost: false, agent: false }, (response) => {
            response.resume()
            resume(Effect.succeed({ status: response.statusCode, version: response.headers["x-api-version"] }))
          })
          asked.end()
        },
      )
      expect(answer).toEqual({ status: 400, version: "2026-10" })
    }),
  )

  it.live("MUST be shown by the settings app, also to copy (D15a)", () =>
    Effect.gen(function* () {
      const { ports } = yield* memory.open
      const send = yield* inProcess(ports, { apiUrl: forms[form] })
      const { id } = yield* newShop(send)
      const browser = yield* signedIn(send, id)
      const { read } = yield* browser.submit(yield* browser.open("/settings/tokens"), "", { name: "ERP" })
      expect(read).toContain(`'${forms[form].replace("{shop}", id)}/orders?limit=2'`)
    }),
  )
})

describe("designwire/client", () => {
  it.live("MUST read page after page at the address of a shop", () =>
    Effect.gen(function* () {
      const { acme, globex, port, send } = yield* started("path")
      for (const id of ["1", "2"]) {
        yield* newDesign(send, acme, `d-${id}`)
        yield* newOrder(send, acme, id, [`d-${id}`], `2026-10-0${id}T00:00:00Z`)
      }
      const url = `http://127.0.0.1:${port}/${acme.id}/api/v1`
      const read = async (token: string) => {
        const found: Array<string> = []
        for await (const { id } of createClient({ url, token }).orders.list({ limit: 1 })) found.push(id)
        return found
      }
      expect(yield* Effect.promise(() => read(acme.token))).toEqual(["2", "1"])
      yield* Effect.promise(() => expect(read(globex.token)).rejects.toMatchObject({ code: "unauthorized" }))
    }),
  )
})

describe("A shop whose id can't be part of a host name", () => {
  it.live.each(["a-", "xn--a"])("MUST be refused by 422 that says what to do, if it is new: %s (D15a)", (id) =>
    Effect.gen(function* () {
      const { ports } = yield* memory.open
      const before = yield* inProcess(ports)
      const after = yield* inProcess(ports, { apiUrl: forms.host })
      const message =
        `A shop's id can't be part of the host name in ${forms.host}, because it ends in a hyphen or begins with xn--. ` +
        "Choose another id, or name shops in the path of the address"
      const refused = yield* manage(after, "PUT", `/shops/${id}`, shopInput)
      expect([refused.status, refused.json]).toMatchObject([422, { message, problems: [{ path: "id", message }] }])
      expect((yield* manage(after, "GET", `/shops/${id}`)).status).toBe(404)
      expect((yield* manage(before, "PUT", `/shops/${id}`, shopInput)).status).toBe(200)
      // One that is older stays, and can be changed.
      expect((yield* manage(after, "PUT", `/shops/${id}`, { ...shopInput, plan: "plus" })).status).toBe(200)
    }),
  )
})
