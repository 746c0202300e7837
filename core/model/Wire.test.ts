/**
 * The wire forms of the model: fields in the order of §2, no others, whatever order and extras they come with (D10).
 */
import { describe, expect, it } from "@effect/vitest"
import * as Customizer from "./catalog/Customizer.ts"
import * as Design from "./catalog/Design.ts"
import * as Order from "./orders/Order.ts"

const design: Design.Design = {
  id: "d-1",
  status: "draft",
  customizer: { id: 1, title: "T", version: 2 },
  order: null,
  selection: { q: "a" },
  summary: [],
  productionData: [],
  price: { base: 1, lines: [], rounding: 0, total: 1, currency: "EUR" },
  images: {},
  thumbnail: "t",
  createdAt: "c",
  orderedAt: null,
}

const backwards = <A extends object>(value: A): A =>
  Object.fromEntries([["extra", 1], ...Object.entries(value).reverse()]) as A

describe("The wire form of a design (§2.1)", () => {
  it("MUST have the fields in the order of the specification and no others (§2.1-1, §2.1-2, §2.1-3, §2.1-4, §2.1-14)", () => {
    expect(Design.wire(backwards(design), [])).toBe(JSON.stringify(design))
    expect(Design.fromWire(Design.wire(design, []))).toEqual(design)
  })

  it("MUST have the images in the order of the views, whatever order JavaScript gives their names (D7)", () => {
    const images = Object.fromEntries(["10", "front", "2", "__proto__", "own"].map((view) => [view, `u-${view}`]))
    const text = Design.wire({ ...design, images }, ["10", "missing", "front", "__proto__", "2"])
    expect(text).toContain('"images":{"10":"u-10","front":"u-front","__proto__":"u-__proto__","2":"u-2","own":"u-own"}')
    expect(Design.fromWire(text)).toEqual({ ...design, images })
  })

  it("MUST keep all fields that a change does not name, to the byte", () => {
    const odd = '"selection":{"10":"\\\\\\"","2":{"status":"x","text":"],}{[:\\"order\\":null"}}'
    const images = '"images":{"front":"1","10":"2","2":"3"}'
    const text = JSON.stringify(design).replace('"selection":{"q":"a"}', odd).replace('"images":{}', images)
    expect(JSON.parse(text).images).toEqual({ front: "1", 10: "2", 2: "3" })
    const order = { id: '1,"}', name: "N", lineItemId: "l" }
    expect(Design.changeWire(text, { status: "ordered", order, orderedAt: "o" })).toBe(
      text
        .replace('"status":"draft"', '"status":"ordered"')
        .replace('"order":null,"selection"', `"order":${JSON.stringify(order)},"selection"`)
        .replace('"orderedAt":null', '"orderedAt":"o"'),
    )
  })
})

describe("The wire form of an order (§2.2)", () => {
  const head: Order.OrderHead = {
    id: '"]}\\',
    name: "N",
    status: "ordered",
    currency: "EUR",
    total: 5,
    orderedAt: "o",
  }

  it("MUST be its head, its designs' bytes with commas between, and the tail (§2.2-1, §2.2-2, §2.2-3, §2.2-6)", () => {
    const wires = ['{"a":1.0}', '{"b": 2}']
    const text = Order.wire(
      { head: Order.wireHead(backwards(head)) },
      wires.map((wire) => ({ wire })),
    )
    expect(text).toBe(`${JSON.stringify(head).slice(0, -1)},"designs":[{"a":1.0},{"b": 2}]}`)
    expect(Order.wire({ head: Order.wireHead(head) }, [])).toBe(JSON.stringify({ ...head, designs: [] }))
  })

  it("MUST read back the head alone", () => {
    expect(Order.fromHead(Order.wireHead(head))).toEqual(head)
  })
})

describe("The wire form of a customizer (§2.3)", () => {
  const record: Customizer.CustomizerRecord = {
    shop: "s",
    id: 7,
    title: "T",
    platformProductId: "gid://p/Product/7",
    assetBase: "https://a.example/",
    version: null,
    definition: null,
    digest: null,
  }

  it("MUST be a draft without version and definition until it is published, then hold its own text (§2.3-1, §2.3-3)", () => {
    const { assetBase, id, platformProductId, title } = record
    expect(Customizer.wire(record)).toBe(
      JSON.stringify({ id, title, status: "draft", platformProductId, version: null, assetBase, definition: null }),
    )
    const head = JSON.stringify({ id, title, status: "published", platformProductId, version: 3, assetBase })
    expect(Customizer.wire({ ...record, version: 3, definition: '{ "kept": 1.0 }' })).toBe(
      `${head.slice(0, -1)},"definition":{ "kept": 1.0 }}`,
    )
  })
})
