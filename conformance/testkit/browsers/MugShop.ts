/** A shop that sells one mug, whose choices show what definitions can do. */
import { Effect } from "effect"
import { bodyOf, manage, newShop, type Send } from "../hosts/TestHost.ts"

/** The product behind it. */
export const product = { platformProductId: "gid://acme/Product/1", assetBase: "https://assets.example.com" }

/** Its definition. */
export const mug = {
  schemaVersion: 1,
  steps: [{ id: "s", title: "Look", view: "front" }],
  questions: [
    {
      ...{ id: "colour", step: "s", title: "Colour", type: "single", required: true },
      answers: [
        { id: "white", title: "White", productionCode: "C-WHITE" },
        { id: "red", title: "Red", productionCode: "C-RED", price: 250, variantId: "v1" },
      ],
    },
    { id: "name", step: "s", title: "Name", type: "text", hidden: true, required: true, maxLength: 5, price: 500 },
    {
      ...{ id: "extras", step: "s", title: "Extras", type: "multiple" },
      answers: [
        { id: "box", title: "Box", productionCode: "E-BOX", price: 100 },
        { id: "lid", title: "Lid", productionCode: "E-LID" },
      ],
    },
  ],
  rules: [
    { id: "r1", when: { question: "colour", is: "red" }, show: ["name"] },
    { id: "r2", when: { question: "colour", is: "white" }, disable: [{ question: "extras", answers: ["lid"] }] },
  ],
}

/** A shop with a published mug. */
export const withMug = Effect.fnUntraced(function* (send: Send, definition: object = mug) {
  const shop = yield* newShop(send)
  yield* manage(send, "PUT", `/shops/${shop.id}/customizers/7`, { title: "Mug", ...product })
  yield* Effect.flatMap(manage(send, "POST", `/shops/${shop.id}/customizers/7/publish`, { definition }), (answer) =>
    bodyOf(200, answer),
  )
  return shop.id
})

/** A red one with a name. */
export const red = { colour: "red", name: { text: "Ada" } }

/** Places an order of mugs; `more`: of its first line. */
export const order = Effect.fnUntraced(function* (
  send: Send,
  shop: string,
  {
    id,
    name = `#${id}`,
    orderedAt = "2026-10-05T12:00:00Z",
    designs = 1,
    selection = red as object,
    more = {} as object,
  },
) {
  const ids = Array.from({ length: designs }, (_, index) => `${id} design ${index}`)
  for (const designId of ids) {
    const answer = yield* manage(send, "PUT", `/shops/${shop}/designs/${encodeURIComponent(designId)}`, {
      ...{ customizerId: 7, selection, basePrice: 1000 },
    })
    yield* bodyOf(201, answer)
  }
  const lines = ids.map((designId, index) => ({ designId, lineItemId: `line ${index}`, ...(index === 0 ? more : {}) }))
  const answer = yield* manage(send, "PUT", `/shops/${shop}/orders/${encodeURIComponent(id)}`, {
    name,
    orderedAt,
    lines,
  })
  yield* bodyOf(200, answer)
})

/** The hrefs of links on a page that begin so. */
export const hrefs = (text: string, beginning: string) =>
  [...text.matchAll(/ href="([^"]*)"/g)].flatMap(([, href = ""]) =>
    href.startsWith(beginning) ? [href.replaceAll("&amp;", "&")] : [],
  )
