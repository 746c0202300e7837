import { Clock, Effect } from "effect"
import type { Json } from "../../../core/model/json/Json.ts"
import { equal, holds } from "../Assertion.ts"
import {
  ask,
  bodyOf,
  hasKeys,
  idsOf,
  isTimestamp,
  jsonOf,
  objectOf,
  objectsOf,
  read,
  readPage,
  textOf,
} from "./Asking.ts"
import { newShop, placeOrder, product, publishVector, saveDesign, sell } from "./Filling.ts"
import { observed, someObjects } from "./Observing.ts"
import { customizers, ring, shopInput } from "./Samples.ts"
import { Driver, driving, observing } from "./ServiceCase.ts"

const designFields = [
  ...["id", "status", "customizer", "order", "selection", "summary", "productionData", "price", "images"],
  ...["thumbnail", "createdAt", "orderedAt"],
]

const orderFields = ["id", "name", "status", "currency", "total", "orderedAt", "designs"]

const customizerFields = ["id", "title", "status", "platformProductId", "version", "assetBase", "definition"]

const isCents = (what: string, value: unknown) =>
  holds(`${what} is integer cents: ${value}`, Number.isSafeInteger(value))

/** Expects the form of a design (§2.1). */
const isDesign = Effect.fnUntraced(function* (what: string, design: Json) {
  yield* hasKeys(what, design, designFields)
  yield* textOf(`${what}: id`, design["id"])
  const status = String(design["status"])
  yield* holds(`${what}: status ${status}`, ["draft", "ordered", "cancelled"].includes(status))
  const customizer = yield* objectOf(`${what}: customizer`, design["customizer"])
  yield* hasKeys(`${what}: customizer`, customizer, ["id", "title", "version"])
  const { id, version } = customizer
  yield* holds(
    `${what}: id and version of the customizer are integers`,
    Number.isInteger(id) && Number.isInteger(version),
  )
  if (status === "draft")
    yield* equal(`${what}: order and orderedAt`, [design["order"], design["orderedAt"]], [null, null])
  else {
    const order = yield* objectOf(`${what}: order`, design["order"])
    yield* hasKeys(`${what}: order`, order, ["id", "name", "lineItemId"])
    for (const [name, value] of Object.entries(order)) yield* textOf(`${what}: order.${name}`, value)
    yield* isTimestamp(`${what}: orderedAt`, design["orderedAt"])
  }
  yield* isTimestamp(`${what}: createdAt`, design["createdAt"])
  yield* objectOf(`${what}: selection`, design["selection"])
  for (const entry of yield* objectsOf(`${what}: summary`, design["summary"])) {
    yield* hasKeys(`${what}: an entry of the summary`, entry, ["key", "value"])
  }
  for (const entry of yield* objectsOf(`${what}: productionData`, design["productionData"])) {
    const value = "values" in entry ? "values" : "value"
    const ref = yield* "ref" in entry ? objectOf("ref", entry["ref"]) : Effect.succeed(undefined)
    yield* hasKeys(`${what}: an entry of productionData`, entry, ["key", value, ...(ref === undefined ? [] : ["ref"])])
    if (ref !== undefined) {
      yield* hasKeys(`${what}: a ref`, ref, ["questionId", value === "values" ? "answerIds" : "answerId"])
    }
  }
  const price = yield* objectOf(`${what}: price`, design["price"])
  yield* hasKeys(`${what}: price`, price, ["base", "lines", "rounding", "total", "currency"])
  let sum = Number(price["base"]) + Number(price["rounding"])
  for (const line of yield* objectsOf(`${what}: price.lines`, price["lines"])) {
    yield* hasKeys(`${what}: a line of the price`, line, ["q", "a", "amount", "variantId"])
    yield* isCents(`${what}: amount`, line["amount"])
    sum += Number(line["amount"])
  }
  for (const name of ["base", "rounding", "total"]) yield* isCents(`${what}: price.${name}`, price[name])
  yield* equal(`${what}: price.total`, price["total"], sum)
  const images = yield* objectOf(`${what}: images`, design["images"])
  for (const [view, url] of Object.entries(images))
    yield* holds(`${what}: images.${view} is a URL`, URL.canParse(String(url)))
  yield* holds(`${what}: thumbnail is a URL`, URL.canParse(String(design["thumbnail"])))
})

/** Expects the form of an order (§2.2). */
const isOrder = Effect.fnUntraced(function* (what: string, order: Json) {
  yield* hasKeys(what, order, orderFields)
  for (const name of ["id", "name", "currency"]) yield* textOf(`${what}: ${name}`, order[name])
  const status = String(order["status"])
  yield* holds(`${what}: status ${status}`, ["ordered", "cancelled"].includes(status))
  yield* isTimestamp(`${what}: orderedAt`, order["orderedAt"])
  let total = 0
  for (const design of yield* objectsOf(`${what}: designs`, order["designs"])) {
    yield* isDesign(`${what}: design ${design["id"]}`, design)
    yield* equal(`${what}: status of design ${design["id"]}`, design["status"], status)
    const link = yield* objectOf("order of the design", design["order"])
    yield* equal(`${what}: order of design ${design["id"]}`, [link["id"], link["name"]], [order["id"], order["name"]])
    total += Number((yield* objectOf("price", design["price"]))["total"])
  }
  yield* equal(`${what}: total`, order["total"], total)
})

/** The form of designs, orders and customizers: §2. */
export const shapeCases = [
  ...observing([
    {
      id: "shape.orders",
      title: "MUST write orders and designs with exactly the fields of §2.1 and §2.2, in order and with their types",
      requirements: [
        ...[
          "§1-9",
          "§2.1-1",
          "§2.1-2",
          "§2.1-3",
          "§2.1-4",
          "§2.1-9",
          "§2.1-10",
          "§2.2-1",
          "§2.2-2",
          "§2.2-3",
          "§2.2-5",
        ],
        ...["§2.2-6", "§2.2-7", "§3-1", "§3-2", "D1", "D2", "D10"],
      ],
      needs: ["token"],
      run: Effect.gen(function* () {
        const { orders } = yield* readPage(yield* observed, "?limit=100")
        for (const order of orders) yield* isOrder(`order ${order["id"]}`, order)
      }),
    },
    {
      id: "shape.same",
      title: "MUST return an order and a design alone with the same bytes as on a page",
      requirements: ["§4-1", "§4-3", "§4-4", "D10"],
      needs: ["token"],
      run: Effect.gen(function* () {
        const token = yield* observed
        const { design, order } = yield* someObjects(token)
        const page = yield* ask(token, "/orders?limit=1")
        const [orderText, designText] = [(yield* ask(token, order)).text, (yield* ask(token, design)).text]
        yield* bodyOf(order, yield* ask(token, order))
        yield* bodyOf(design, yield* ask(token, design))
        yield* holds(`the page holds the bytes of ${order}`, page.text.includes(orderText))
        yield* holds(`${order} holds the bytes of ${design}`, orderText.includes(designText))
      }),
    },
    {
      id: "shape.customizer",
      title: "MUST write a customizer with exactly the fields of §2.3, in order and with their types",
      requirements: ["§2.3-1", "§2.3-2", "§2.3-3", "§2.3-4", "§2.3-5", "§2.3-6", "§2.3-7", "§2.3-8", "§4-5", "§9-4"],
      needs: ["token"],
      run: Effect.gen(function* () {
        const token = yield* observed
        const { customizer: path } = yield* someObjects(token)
        const customizer = yield* read(token, path)
        yield* hasKeys(path, customizer, customizerFields)
        const { assetBase, id, platformProductId, status, title, version } = customizer
        yield* equal(`${path}: id`, `/customizers/${id}`, path)
        yield* textOf(`${path}: title`, title)
        // A design needs a published customizer.
        yield* equal(`${path}: status`, status, "published")
        yield* holds(
          `${path}: version is an integer from 1: ${version}`,
          Number.isInteger(version) && Number(version) >= 1,
        )
        const product = yield* textOf(`${path}: platformProductId`, platformProductId)
        yield* holds(
          `${path}: platformProductId has the form: ${product}`,
          /^gid:\/\/[^/]+\/Product\/\d+$/.test(product),
        )
        yield* holds(`${path}: assetBase is a URL: ${assetBase}`, URL.canParse(String(assetBase)))
        const definition = yield* objectOf(`${path}: definition`, customizer["definition"])
        yield* equal(`${path}: schemaVersion`, definition["schemaVersion"], 1)
        for (const name of ["steps", "questions", "rules"]) yield* objectsOf(`${path}: ${name}`, definition[name])
      }),
    },
  ]),
  ...driving([
    {
      id: "shape.draft",
      title:
        "MUST return a draft as saved, with `order` and `orderedAt` null and its time in UTC, truncated to milliseconds",
      requirements: ["§2.1-1", "§2.1-5", "§2.1-13", "§2.1-14", "§4-4", "D1", "D2", "D10"],
      run: Effect.gen(function* () {
        const shop = yield* newShop()
        const selection = {
          ...{ metal: "gold14", size: "s68", stones: ["opal", "ruby"], engrave: "text" },
          ...{ line: { text: "Für immer ♥" }, font: "script" },
        }
        yield* saveDesign(shop, "d-1", { selection, createdAt: "2026-10-01T10:00:00.1239+02:00" })
        const design = yield* read(shop.token, "/designs/d-1")
        yield* isDesign("the draft", design)
        yield* equal("the draft", design, {
          id: "d-1",
          status: "draft",
          customizer: { id: 101, title: "Signet ring", version: 1 },
          order: null,
          selection,
          createdAt: "2026-10-01T08:00:00.123+00:00",
          orderedAt: null,
        } as Json)
        yield* equal(
          "the selection's keys",
          Object.keys(yield* objectOf("selection", design["selection"])),
          Object.keys(selection),
        )
      }),
    },
    {
      id: "shape.created",
      title: "MUST give a draft without a time the time at which it was saved",
      requirements: ["§2.1-13", "D1"],
      run: Effect.gen(function* () {
        const shop = yield* newShop()
        const before = yield* Clock.currentTimeMillis
        yield* saveDesign(shop, "d-1")
        const after = yield* Clock.currentTimeMillis
        const design = yield* read(shop.token, "/designs/d-1")
        const at = yield* isTimestamp("createdAt", design["createdAt"])
        // The service has its own clock.
        yield* holds(
          `createdAt ${design["createdAt"]} is now, within 5 minutes`,
          at > before - 300_000 && at < after + 300_000,
        )
      }),
    },
    {
      id: "shape.images",
      title: "MUST return one URL per view in the order of the steps, with encoded ids, and the first view's thumbnail",
      requirements: ["§2.1-11", "§2.1-12", "D7"],
      run: Effect.gen(function* () {
        const shop = yield* newShop({ imageBase: "https://img.example.com/base" })
        yield* saveDesign(shop, "a/b ü?#%")
        const design = yield* read(shop.token, `/designs/${encodeURIComponent("a/b ü?#%")}`)
        const base = "https://img.example.com/base/designs/a%2Fb%20%C3%BC%3F%23%25"
        yield* equal("images", Object.entries(yield* objectOf("images", design["images"])), [
          ["front", `${base}/front.png`],
          ["inside", `${base}/inside.png`],
        ])
        yield* equal("thumbnail", design["thumbnail"], `${base}/front_thumb.png`)
      }),
    },
    {
      id: "shape.images.order",
      title:
        "MUST return the images in the order of the steps in every state of the design, even for views named like numbers",
      requirements: ["§2.1-11", "D7"],
      run: Effect.gen(function* () {
        const driver = yield* Driver
        const shop = yield* newShop()
        const views = ["10", "front", "2", "1"]
        const steps = views.map((view) => ({ id: `s-${view}`, title: view, view }))
        yield* driver.putCustomizer({ shop: shop.id, id: 7, input: product })
        const definition = { schemaVersion: 1, steps, questions: [], rules: [] }
        yield* driver.publish({ shop: shop.id, id: 7, definition })
        // As text, because a parser may reorder the keys.
        const viewsAt = Effect.fnUntraced(function* (path: string) {
          const { text } = yield* ask(shop.token, path)
          const images = /"images"\s*:\s*\{([^}]*)\}/.exec(text)?.[1] ?? ""
          return [...images.matchAll(/"(\w+)"\s*:/g)].map(([, view]) => view)
        })
        for (const time of ["saved", "saved again"]) {
          yield* saveDesign(shop, "d", { customizerId: 7, selection: {} })
          yield* equal(`${time}: views of the design`, yield* viewsAt("/designs/d"), views)
        }
        yield* placeOrder(shop, "1", ["d"])
        for (const path of ["/designs/d", "/orders/1", "/orders"]) {
          yield* equal(`ordered: views at ${path}`, yield* viewsAt(path), views)
        }
        yield* driver.cancelOrder({ shop: shop.id, id: "1" })
        yield* equal("cancelled: views of the order", yield* viewsAt("/orders/1"), views)
      }),
    },
    {
      id: "shape.images.kept",
      title: "MUST never change the URLs of a design, whatever happens to its order or its shop",
      requirements: ["§2.1-11", "D7"],
      run: Effect.gen(function* () {
        const driver = yield* Driver
        const shop = yield* newShop()
        yield* saveDesign(shop, "d-1")
        const draft = yield* read(shop.token, "/designs/d-1")
        yield* driver.putShop({ shop: shop.id, input: { ...shopInput, imageBase: "https://elsewhere.example.com" } })
        yield* placeOrder(shop, "1", ["d-1"])
        yield* driver.cancelOrder({ shop: shop.id, id: "1" })
        const { images, thumbnail } = yield* read(shop.token, "/designs/d-1")
        yield* equal(
          "images and thumbnail",
          { images, thumbnail },
          { images: draft["images"], thumbnail: draft["thumbnail"] },
        )
      }),
    },
    {
      id: "shape.images.views",
      title:
        "MUST keep every published image URL when a draft is saved again, whatever changed in image base and other views",
      requirements: ["§2.1-11", "§2.1-12", "D7"],
      run: Effect.gen(function* () {
        const driver = yield* Driver
        const shop = yield* newShop()
        yield* driver.putCustomizer({ shop: shop.id, id: 7, input: product })
        const publish = (views: ReadonlyArray<string>) => {
          const steps = views.map((view, index) => ({ id: `s${index}`, title: view, view }))
          return driver.publish({
            shop: shop.id,
            id: 7,
            definition: { schemaVersion: 1, steps, questions: [], rules: [] },
          })
        }
        // As text, because the order of the views matters.
        const saved = Effect.fnUntraced(function* (imageBase: string) {
          yield* driver.putShop({ shop: shop.id, input: { ...shopInput, imageBase } })
          yield* saveDesign(shop, "d", { customizerId: 7, selection: {} })
          const { text } = yield* ask(shop.token, "/designs/d")
          return text.slice(text.indexOf('"images":'), text.indexOf(',"createdAt"'))
        })
        const [one, two, three] = ["https://one.example", "https://two.example", "https://three.example"] as const
        const url = (base: string, name: string) => `${base}/designs/d/${name}.png`
        const told = (images: ReadonlyArray<readonly [view: string, base: string]>, thumbnail: string) => {
          const entries = images.map(([view, base]) => `"${view}":"${url(base, view)}"`)
          return `"images":{${entries.join(",")}},"thumbnail":"${thumbnail}"`
        }
        const first = [
          ["front", one],
          ["back", one],
        ] as const
        yield* publish(["front", "back"])
        yield* equal("saved", yield* saved(one), told(first, url(one, "front_thumb")))
        yield* equal("with another base", yield* saved(two), told(first, url(one, "front_thumb")))
        yield* publish(["front", "back", "new"])
        yield* equal("with another view", yield* saved(two), told([...first, ["new", two]], url(one, "front_thumb")))
        yield* publish(["back", "front"])
        yield* equal("with the views swapped", yield* saved(three), told(first.toReversed(), url(three, "back_thumb")))
      }),
    },
    {
      id: "shape.order",
      title: "MUST return an order as placed, with its designs in the order of its lines and their sum as total",
      requirements: ["§2.1-4", "§2.1-14", "§2.2-2", "§2.2-5", "§2.2-6", "§2.2-7", "§4-3", "D1"],
      run: Effect.gen(function* () {
        const shop = yield* newShop()
        yield* saveDesign(shop, "b", { basePrice: 100, selection: { ...ring, metal: "gold14" } })
        yield* saveDesign(shop, "a", { basePrice: 200 })
        yield* placeOrder(shop, "gid://p/1", ["b", "a"], "2026-10-05T16:48:00.9999+02:00")
        const order = yield* read(shop.token, "/orders/gid%3A%2F%2Fp%2F1")
        yield* isOrder("the order", order)
        const orderedAt = "2026-10-05T14:48:00.999+00:00"
        yield* equal("the order", order, {
          ...{ id: "gid://p/1", name: "#gid://p/1", status: "ordered", currency: "EUR", total: 39_200, orderedAt },
        } as Json)
        const designs = yield* objectsOf("designs", order["designs"])
        yield* equal("ids of its designs", idsOf(designs), ["b", "a"])
        for (const { id, order: link, orderedAt: at, status } of designs) {
          const expected = { id: "gid://p/1", name: "#gid://p/1", lineItemId: `line-of-${id}` }
          yield* equal(`design ${id}`, { link, at, status }, { link: expected, at: orderedAt, status: "ordered" })
        }
      }),
    },
    {
      id: "shape.order.many",
      title: "MUST return all designs of an order with many, in their order, alone and on a page",
      requirements: ["§2.2-5", "§2.2-7", "§4-3", "D10"],
      run: Effect.gen(function* () {
        const shop = yield* newShop()
        const ids = Array.from({ length: 120 }, (_, index) => `d-${(index * 7) % 120}`)
        yield* Effect.forEach(ids, (id) => saveDesign(shop, id, { basePrice: 1 }), { concurrency: 5, discard: true })
        yield* placeOrder(shop, "1", ids)
        const { text } = yield* ask(shop.token, "/orders/1")
        const order = yield* jsonOf("the order", text)
        yield* equal("its designs", idsOf(yield* objectsOf("designs", order["designs"])), ids)
        yield* equal("its total", order["total"], ids.length)
        yield* holds("the page holds the same bytes", (yield* ask(shop.token, "/orders")).text.includes(`[${text}]`))
      }),
    },
    {
      id: "shape.customizer.states",
      title: "MUST write null version and definition before a customizer is published, and the newest afterwards",
      requirements: ["§2.3-3", "§2.3-5", "§2.3-7", "§9-4"],
      run: Effect.gen(function* () {
        const driver = yield* Driver
        const shop = yield* newShop()
        const vector = customizers.find(({ id }) => id === 102)
        if (vector === undefined) return yield* Effect.die(new Error("There is no customizer 102"))
        const { definition, id, ...input } = vector
        const is = Effect.fnUntraced(function* (expected: Json) {
          const customizer = yield* read(shop.token, "/customizers/102")
          yield* hasKeys("the customizer", customizer, customizerFields)
          const { status: _, ...others } = customizer
          yield* equal("the customizer", others, { id, ...input, ...expected } as Json)
          return customizer["status"]
        })
        yield* driver.putCustomizer({ shop: shop.id, id, input })
        const unpublished = yield* is({ version: null, definition: null })
        yield* holds(`status of an unpublished customizer: ${unpublished}`, unpublished !== "published")
        yield* driver.publish({ shop: shop.id, id, definition })
        yield* equal("status", yield* is({ version: 1, definition }), "published")
        yield* driver.putCustomizer({ shop: shop.id, id, input: { ...input, title: "Renamed" } })
        yield* equal("status", yield* is({ title: "Renamed", version: 1, definition }), "published")
        yield* publishVector(shop.id, 102)
        yield* equal("status", yield* is({ version: 2, definition }), "published")
      }),
    },
    {
      id: "shape.definition",
      title: "MUST return a definition as published, including unknown keys and their order",
      requirements: ["§2.3-7", "F-15"],
      run: Effect.gen(function* () {
        const driver = yield* Driver
        const shop = yield* newShop()
        const definition = JSON.parse(
          '{"zebra":{"b":1,"a":[null,true,-1.5,"\\u2028 \\" \\\\ é 😀"]},"rules":[],"steps":[{"view":"v","x-note":"keep","id":"s","title":"S"}],"questions":[{"type":"text","id":"q","__proto__":{"a":1},"constructor":"c","step":"s","title":"T"}],"schemaVersion":1,"alpha":""}',
        ) as Json
        yield* driver.putCustomizer({ shop: shop.id, id: 7, input: product })
        yield* driver.publish({ shop: shop.id, id: 7, definition })
        const customizer = yield* read(shop.token, "/customizers/7")
        yield* equal("the definition", JSON.stringify(customizer["definition"]), JSON.stringify(definition))
      }),
    },
    {
      id: "shape.money",
      title: "MUST write money as integer cents, however large",
      requirements: ["§1-9", "D10"],
      run: Effect.gen(function* () {
        const shop = yield* newShop()
        const basePrice = Number.MAX_SAFE_INTEGER - 100_000
        yield* saveDesign(shop, "d-1", { basePrice })
        yield* placeOrder(shop, "1", ["d-1"])
        for (const path of ["/designs/d-1", "/orders/1", "/orders", "/customizers/101"]) {
          yield* bodyOf(path, yield* ask(shop.token, path))
        }
        const { text } = yield* ask(shop.token, "/orders/1")
        yield* holds(`the order's total is written in digits: ${text}`, text.includes(`"total":${basePrice},`))
      }),
    },
    {
      id: "shape.instants",
      title: "MUST keep instants of the years 1 to 9999 to the millisecond, and page by them",
      requirements: ["D1", "D14"],
      run: Effect.gen(function* () {
        const shop = yield* newShop()
        for (const [index, [given, written]] of [
          ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000+00:00"],
          ["0099-12-31T23:59:59.999Z", "0099-12-31T23:59:59.999+00:00"],
          ["1899-12-31T23:59:59.001-00:30", "1900-01-01T00:29:59.001+00:00"],
          ["2024-02-29T12:00:00.0009+14:00", "2024-02-28T22:00:00.000+00:00"],
          ["9999-12-31T23:59:59.9999Z", "9999-12-31T23:59:59.999+00:00"],
        ].entries()) {
          const id = `d-${index}`
          yield* saveDesign(shop, id, { createdAt: given ?? "" })
          // Saved again without a time, it keeps its time.
          yield* saveDesign(shop, id)
          yield* equal(`createdAt ${given}`, (yield* read(shop.token, `/designs/${id}`))["createdAt"], written)
          yield* placeOrder(shop, `o-${index}`, [id], given)
          yield* equal(`orderedAt ${given}`, (yield* read(shop.token, `/orders/o-${index}`))["orderedAt"], written)
        }
        const expected = [4, 3, 2, 1, 0].map((index) => `o-${index}`)
        yield* equal("all", idsOf((yield* readPage(shop.token)).orders), expected)
        const shown: Array<unknown> = []
        let cursor = ""
        for (let pages = 0; pages < 5; pages++) {
          const page = yield* readPage(shop.token, `?limit=1${cursor}`)
          shown.push(...idsOf(page.orders))
          cursor = `&cursor=${page.nextCursor}`
        }
        yield* equal("one by one", shown, expected)
      }),
    },
    {
      id: "shape.state",
      title: "MUST have the same bytes alone, in its order and on a page in every state",
      requirements: ["D10"],
      run: Effect.gen(function* () {
        const driver = yield* Driver
        const shop = yield* newShop()
        yield* sell(shop, "1001", ["d-1"])
        for (const status of ["ordered", "cancelled"]) {
          if (status === "cancelled") yield* driver.cancelOrder({ shop: shop.id, id: "1001" })
          const order = (yield* ask(shop.token, "/orders/1001")).text
          const design = (yield* ask(shop.token, "/designs/d-1")).text
          yield* holds(`the ${status} order ends with its design`, order.endsWith(`"designs":[${design}]}`))
          yield* holds(
            `the page holds the ${status} order`,
            (yield* ask(shop.token, "/orders")).text.includes(`[${order}]`),
          )
        }
      }),
    },
  ]),
]
