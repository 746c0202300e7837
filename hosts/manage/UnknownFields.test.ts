/** Fields that do not exist (D48). */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { HttpApi } from "effect/http-api"
import { customizers, ringInput, shopInput } from "../../conformance/suites/service/Samples.ts"
import {
  bodyOf,
  type Json,
  manage,
  memory,
  newDesign,
  newShop,
  onHosts,
  TestHost,
} from "../../conformance/testkit/hosts/TestHost.ts"
import { Contract } from "./Contract.ts"

const [vector] = customizers
const { definition, id: _, ...description } = vector as NonNullable<typeof vector>
const line = { designId: "a", lineItemId: "1" }

/** A sound body for each request that has one, with a field to misspell. */
const bodies: Readonly<Record<string, readonly [body: Json, misspelt: string, meant: string]>> = {
  "PUT /shops/:shop": [shopInput, "plam", "plan"],
  "PUT /shops/:shop/customizers/:id": [description, "titel", "title"],
  "POST /shops/:shop/customizers/:id/publish": [{ definition }, "definitions", "definition"],
  "PUT /shops/:shop/designs/:id": [ringInput, "base_price", "basePrice"],
  "POST /shops/:shop/designs": [ringInput, "selections", "selection"],
  "PUT /shops/:shop/orders/:id": [
    { name: "#1", orderedAt: "2026-10-05T14:48:00Z", lines: [line] },
    "orderedat",
    "orderedAt",
  ],
  "PUT /shops/:shop/platforms/:platform": [{ domain: "acme.myshopify.com" }, "overlapp", "overlap"],
  "POST /shops/:shop/tokens": [{ name: "ERP" }, "nane", "name"],
  "POST /shops/:shop/webhooks": [{ url: "https://93.184.216.34/hook" }, "event", "events"],
  "PATCH /shops/:shop/webhooks/:endpoint": [{ description: "x" }, "descriptions", "description"],
  "POST /shops/:shop/webhooks/:endpoint/secret/rotate": [{}, "overlapSeconds", "overlap"],
  "POST /shops/:shop/webhooks/:endpoint/resend": [{ state: "failed" }, "status", "state"],
  "POST /shops/:shop/settings-link": [{ actor: "jo@acme.example" }, "readonly", "readOnly"],
  "POST /shops/:shop/webhooks/:endpoint/recover": [{ since: "2026-10-05T14:48:00Z" }, "sinse", "since"],
}

const withBody: Array<string> = []
HttpApi.reflect(Contract, {
  onGroup: () => undefined,
  onEndpoint: ({ endpoint: { method, path, payload } }) => {
    if (payload.size > 0) withBody.push(`${method} ${path.replace("/manage/v1", "")}`)
  },
})

onHosts("An unknown field", [memory], (it) => {
  it.effect(
    "MUST be refused with 422 in every body, naming it and the nearest known field, and store nothing (D48)",
    () =>
      Effect.gen(function* () {
        expect([...withBody].sort()).toEqual(Object.keys(bodies).sort())
        const { send, store } = yield* TestHost
        const shop = yield* newShop(send)
        yield* newDesign(send, shop, "a")
        const url = { url: "https://93.184.216.34/other" }
        const endpoint = yield* bodyOf(201, yield* manage(send, "POST", `/shops/${shop.id}/webhooks`, url))
        const before = yield* store.dump
        for (const [request, [body, misspelt, meant]] of Object.entries(bodies)) {
          const [method = "", pattern = ""] = request.split(" ")
          const path = pattern
            .replace(":shop", shop.id)
            .replace("customizers/:id", "customizers/101")
            .replace(":endpoint", String(endpoint["id"]))
            .replace(":platform", "shopify")
            .replace(":id", "b")
          const answer = yield* manage(send, method, path, { ...body, [misspelt]: 1 })
          const problems = [{ path: misspelt, message: `is unknown: did you mean ${meant}?` }]
          expect([request, answer.status, answer.json]).toEqual([
            request,
            422,
            {
              message: `The input is not valid: ${misspelt}: is unknown: did you mean ${meant}?`,
              problems,
              retryable: false,
            },
          ])
        }
        expect(yield* store.dump).toBe(before)
      }),
  )

  it.effect("MUST be found within the lines of an order, and be listed with everything else that is wrong (D48)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      const order = { name: "#1", orderedAt: "2026-10-05T14:48:00Z", lines: [{ ...line, lineItem: "2" }] }
      const path = `/shops/${shop.id}/orders/1`
      const nested = yield* bodyOf(422, yield* manage(send, "PUT", path, order))
      expect(nested["problems"]).toEqual([
        { path: "lines[0].lineItem", message: "is unknown: did you mean lineItemId?" },
      ])
      const mixed = yield* bodyOf(400, yield* manage(send, "PUT", path, { ...order, name: 1 }))
      expect((mixed["problems"] as ReadonlyArray<Json>).map((problem) => problem["path"])).toEqual([
        "name",
        "lines[0].lineItem",
      ])
    }),
  )
})
