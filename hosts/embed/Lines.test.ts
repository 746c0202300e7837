/** Lines of orders: quantities, and lines that are cancelled (D81, D82). */
import { expect, it } from "vitest"
import { ringInput } from "../../conformance/suites/service/Samples.ts"
import { embed, fill, orderOf } from "../../conformance/testkit/hosts/EmbedWorld.ts"

const withDesigns = async () => {
  const designwire = await embed()
  await fill(designwire)
  for (const id of ["a", "b"]) await designwire.designs.save("acme", id, ringInput)
  return designwire
}

it("a line MUST have the quantity that was placed last, 1 by default, and the objects stay as they are (D81)", async () => {
  const { orders } = await withDesigns()
  const placed = await orders.place("acme", "7", orderOf("a", "b"))
  const line = { copyOf: null, status: "ordered" }
  const [a, b] = ["a", "b"].map((id) => ({ ...line, lineItemId: `line-${id}`, designId: id }))
  const of = (first: number, second: number) => [
    { ...a, quantity: first },
    { ...b, quantity: second },
  ]
  expect(await orders.lines("acme", "7")).toMatchObject(of(1, 1))
  const { lines, ...rest } = orderOf("a", "b")
  const counted = lines.map((each, index) => (index === 0 ? { ...each, quantity: 5 } : each))
  expect(await orders.place("acme", "7", { ...rest, lines: counted })).toEqual(placed)
  expect(await orders.lines("acme", "7")).toMatchObject(of(5, 1))
  // Left out, it stays.
  await orders.place("acme", "7", orderOf("a", "b"))
  expect(await orders.lines("acme", "7")).toMatchObject(of(5, 1))
  await expect(orders.lines("acme", "8")).rejects.toMatchObject({ name: "NotFound" })
})

it("a cancelled line MUST cancel its design, and the order with its last one (D82)", async () => {
  const { events, orders } = await withDesigns()
  await orders.place("acme", "7", orderOf("a", "b"))
  const statusOf = async () => {
    const { designs, status } = await orders.get("acme", "7")
    return [status, ...designs.map((design) => design.status)]
  }
  const first = await orders.cancelLine("acme", "7", "line-a")
  expect(await statusOf()).toEqual(["ordered", "cancelled", "ordered"])
  expect(await orders.cancelLine("acme", "7", "line-a")).toEqual(first)
  await orders.cancelLine("acme", "7", "line-b")
  expect(await statusOf()).toEqual(["cancelled", "cancelled", "cancelled"])
  await expect(orders.cancelLine("acme", "7", "line-c")).rejects.toMatchObject({ name: "NotFound" })
  const { data } = await events.list("acme", { types: ["design.cancelled", "order.cancelled"] })
  expect(data.map(({ event }) => event)).toEqual(["design.cancelled", "order.cancelled"])
})
