import { describe, expect, it } from "vitest"
import { bodyFor } from "./Reference.ts"

const envelope = (data: object) =>
  JSON.stringify({
    id: "evt_1",
    event: "design.ordered",
    apiVersion: "2026-10",
    shop: "a.example.com",
    data,
    test: true,
  })

describe("The body of a delivery (D72)", () => {
  it("MUST be the envelope byte for byte if the endpoint wants whole objects (D72)", () => {
    const text = `{ "data" :{"design":{"id":"d-1","price":1.0}}}`
    expect(bodyFor("full", text)).toBe(text)
  })

  it("MUST have the ids of its objects alone if it wants references, and the rest of the envelope (D72)", () => {
    const design = { id: 'd-"1\u{1f600}', price: 1, selection: { id: "another" } }
    expect(bodyFor("reference", envelope({ design }))).toBe(envelope({ design: { id: design.id } }))
    const order = { id: "gid://1", name: "#1027", designs: [{ id: "d-1", title: "Ring" }, { id: "d-2" }] }
    expect(bodyFor("reference", envelope({ order }))).toBe(
      envelope({ order: { id: "gid://1", designs: [{ id: "d-1" }, { id: "d-2" }] } }),
    )
  })

  it("MUST keep the message of a ping", () => {
    const ping = envelope({ message: "Hello" })
    expect(bodyFor("reference", ping)).toBe(ping)
  })
})
