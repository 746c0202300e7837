/**
 * Methods of the façade, in memory: those that no case of the service suite calls, and what callers in JavaScript may
 * give and get. Its lists are in conformance/checks/openapi/lists/Facade.test.ts.
 */
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { ringInput, shopInput } from "../../conformance/suites/service/Samples.ts"
import { customizer, embed, fill, orderOf, receiver } from "../../conformance/testkit/hosts/EmbedWorld.ts"

describe("shops", () => {
  it("MUST be put, read and listed", async () => {
    const { shops } = await embed()
    const acme = { id: "acme", ...shopInput, plan: "pro", roundingStep: 1 }
    expect(await shops.put("acme", shopInput)).toEqual(acme)
    expect(await shops.get("acme")).toEqual(acme)
    const changed = { ...shopInput, plan: "plus" as const, roundingStep: 100 }
    expect(await shops.put("acme", changed)).toEqual({ ...acme, plan: "plus", roundingStep: 100 })
    await shops.put("abel", shopInput)
    expect((await shops.list()).map(({ id }) => id)).toEqual(["abel", "acme"])
  })

  it("MUST treat undefined fields of an input as left out", async () => {
    const { shops } = await embed()
    expect(await shops.put("acme", { ...shopInput, plan: undefined, roundingStep: undefined })).toMatchObject({
      plan: "pro",
      roundingStep: 1,
    })
  })
})

describe("customizers", () => {
  it("MUST be put, published and read, with their definition unchanged", async () => {
    const { customizers, shops } = await embed()
    await shops.put("acme", shopInput)
    const draft = { id: customizer.id, ...customizer.description, status: "draft", version: null, definition: null }
    expect(await customizers.put("acme", customizer.id, customizer.description)).toEqual(draft)
    const { definition } = customizer
    const published = { ...draft, status: "published", version: 1, definition }
    expect(await customizers.publish("acme", customizer.id, { definition })).toEqual(published)
    expect(await customizers.get("acme", customizer.id)).toEqual(published)
  })
})

describe("designs", () => {
  it("MUST be saved under an id of the caller's or a generated one, saved again, and read", async () => {
    const designwire = await embed()
    await fill(designwire)
    const { designs } = designwire
    const saved = await designs.save("acme", "d-1", { ...ringInput, createdAt: "2026-11-20T10:00:00Z" })
    expect(saved).toMatchObject({ id: "d-1", status: "draft", createdAt: "2026-11-20T10:00:00.000+00:00" })
    expect(saved.price).toMatchObject({ base: 12_900, currency: "EUR" })
    expect(await designs.get("acme", "d-1")).toEqual(saved)
    const again = await designs.save("acme", "d-1", { ...ringInput, basePrice: 100, createdAt: undefined })
    expect(again).toMatchObject({ id: "d-1", createdAt: saved.createdAt, price: { base: 100 } })
    const generated = await designs.save("acme", undefined, ringInput)
    expect(generated.id).toMatch(/^dsn_/)
  })

  it("MUST have the pictures that the option imageUrls makes", async () => {
    const designwire = await embed({
      imageUrls: ({ domain }, designId, views) => ({
        images: Object.fromEntries(views.map((view) => [view, `https://${domain}/${designId}/${view}`])),
        thumbnail: `https://${domain}/${designId}`,
      }),
    })
    await fill(designwire)
    const { images, thumbnail } = await designwire.designs.save("acme", "d-1", ringInput)
    expect(thumbnail).toBe(`https://${shopInput.domain}/d-1`)
    expect(images["front"]).toBe(`https://${shopInput.domain}/d-1/front`)
  })
})

describe("orders", () => {
  it("MUST be placed, read and cancelled, with their designs", async () => {
    const designwire = await embed()
    await fill(designwire)
    const { designs, orders } = designwire
    const design = await designs.save("acme", "d-1", ringInput)
    const order = await orders.place("acme", "1001", orderOf("d-1"))
    expect(order).toMatchObject({ id: "1001", name: "#1001", status: "ordered", total: design.price.total })
    expect(order?.designs).toEqual([await designs.get("acme", "d-1")])
    expect(await orders.get("acme", "1001")).toEqual(order)
    expect(await orders.place("acme", "1002", orderOf())).toBeUndefined()
    const cancelled = await orders.cancel("acme", "1001")
    expect(cancelled).toMatchObject({ status: "cancelled", designs: [{ id: "d-1", status: "cancelled" }] })
    expect(await orders.get("acme", "1001")).toEqual(cancelled)
  })

  it("MUST say how long a cancellation of one that has not come is kept, and whether there was one to take back (D50)", async () => {
    const designwire = await embed()
    await fill(designwire)
    const { orders } = designwire
    expect(await orders.cancel("acme", "1001")).toEqual({
      message: expect.stringMatching(/^The shop has no order "1001" yet: the cancellation is kept until 20/),
      keptUntil: expect.stringMatching(/^20\d\d-.+\+00:00$/),
    })
    expect(await orders.withdrawCancellation("acme", "1001")).toBe(true)
    expect(await orders.withdrawCancellation("acme", "1001")).toBe(false)
  })
})

describe("events", () => {
  it("MUST be listed after a cursor, by kind, or only from now on (D39)", async () => {
    const designwire = await embed()
    await fill(designwire)
    const { designs, events, orders } = designwire
    const start = await events.list("acme", { after: "latest" })
    expect(start).toMatchObject({ data: [], pagination: { hasMore: false } })
    await designs.save("acme", "d-1", ringInput)
    await orders.place("acme", "1001", orderOf("d-1"))
    const first = await events.list("acme", { after: start.pagination.nextCursor, limit: 1, types: undefined })
    expect(first.data).toMatchObject([{ event: "design.created", data: { design: { id: "d-1" } }, test: false }])
    expect(first.pagination).toMatchObject({ limit: 1, hasMore: true })
    const rest = await events.list("acme", { after: first.pagination.nextCursor, types: ["design.ordered"] })
    expect(rest.data.map(({ event }) => event)).toEqual(["design.ordered"])
    await expect(events.list("acme", { after: "elsewhere" })).rejects.toMatchObject({ code: "InvalidInput" })
    await expect(events.list("nobody")).rejects.toMatchObject({ code: "NotFound" })
  })
})

describe("webhooks", () => {
  it("MUST be added, read, listed, changed and removed", async () => {
    const designwire = await embed()
    await fill(designwire)
    const { webhooks } = designwire
    const { secret, ...endpoint } = await webhooks.create("acme", {
      url: "http://127.0.0.1:8080/a",
      description: undefined,
    })
    expect(secret).toMatch(/^whsec_/)
    expect(endpoint).toMatchObject({
      url: "http://127.0.0.1:8080/a",
      events: ["design.ordered", "order.cancelled"],
      description: "",
      status: "active",
      consecutiveFailures: 0,
      switchedOffAt: null,
    })
    expect(await webhooks.get("acme", endpoint.id)).toEqual(endpoint)
    const change = { url: undefined, description: "ERP", events: ["design.created"] as const }
    const changed = await webhooks.update("acme", endpoint.id, change)
    expect(changed).toEqual({ ...endpoint, description: "ERP", events: ["design.created"] })
    expect(await webhooks.list("acme")).toEqual([changed])
    expect(await webhooks.enable("acme", endpoint.id)).toEqual({ ...changed, missed: 0 })
    expect(await webhooks.delete("acme", endpoint.id)).toBeUndefined()
    expect(await webhooks.list("acme")).toEqual([])
  })

  it("MUST be tried now while they wait for a retry, and sent again together", async () => {
    const designwire = await embed()
    await fill(designwire)
    const { designs, orders, webhooks } = designwire
    let status = 500
    const receiving = await receiver(() => Effect.sync(() => status))
    const { id } = await webhooks.create("acme", { url: receiving.url("/hook") })
    await designs.save("acme", "d-1", ringInput)
    await orders.place("acme", "1001", orderOf("d-1"))
    await designwire.drain({ max: 10, seconds: 50 })
    const [waiting] = await webhooks.deliveries("acme", id)
    expect(waiting).toMatchObject({ status: "pending", attempts: [{ number: 1 }] })
    const { body, ...shown } = await webhooks.delivery("acme", id, waiting?.id ?? "")
    expect([body, shown]).toEqual([receiving.requests[0]?.body, waiting])
    status = 200
    expect(await designwire.drain({ max: 10, seconds: 50 })).toEqual({ attempts: 0, succeeded: 0 })
    expect(await webhooks.tryNow("acme", id, waiting?.id ?? "")).toMatchObject({ id: waiting?.id, status: "pending" })
    expect(await designwire.drain({ max: 10, seconds: 50 })).toEqual({ attempts: 1, succeeded: 1 })
    await expect(webhooks.tryNow("acme", id, waiting?.id ?? "")).rejects.toMatchObject({ code: "Conflict" })

    expect(await webhooks.resend("acme", id, { state: "failed" })).toEqual({ deliveries: 0, next: null })
    const all = { state: undefined, kind: "design.ordered", from: "2026-01-01T00:00:00Z", next: undefined } as const
    expect(await webhooks.resend("acme", id, all)).toEqual({ deliveries: 1, next: null })
    expect(await designwire.drain({ max: 10, seconds: 50 })).toEqual({ attempts: 1, succeeded: 1 })
    const events = (await webhooks.deliveries("acme", id)).map(({ eventId }) => eventId)
    expect(events).toEqual([waiting?.eventId, waiting?.eventId])
  })
})
