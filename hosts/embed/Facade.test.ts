/** Every method of the façade, in memory. */
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
    expect(await orders.place("acme", "1001", orderOf("d-1"))).toEqual(order)
    const cancelled = await orders.cancel("acme", "1001")
    expect(cancelled).toMatchObject({ status: "cancelled", designs: [{ id: "d-1", status: "cancelled" }] })
    expect(await orders.get("acme", "1001")).toEqual(cancelled)
  })

  it("MUST be cancelled when they are placed, if their cancellation came before (D50)", async () => {
    const designwire = await embed()
    await fill(designwire)
    const { designs, events, orders } = designwire
    expect(await orders.cancel("acme", "1001")).toEqual({
      message: expect.stringMatching(/^The shop has no order "1001" yet: the cancellation is kept until 20/),
      keptUntil: expect.stringMatching(/^20\d\d-.+\+00:00$/),
    })
    await designs.save("acme", "d-1", ringInput)
    const order = await orders.place("acme", "1001", orderOf("d-1"))
    expect(order).toMatchObject({ status: "cancelled", designs: [{ id: "d-1", status: "cancelled" }] })
    expect(await orders.get("acme", "1001")).toEqual(order)
    expect((await events.list("acme")).data.map(({ event }) => event)).toEqual([
      "design.created",
      "design.ordered",
      "order.cancelled",
    ])
  })

  it("MUST NOT be cancelled when they are placed, if their cancellation was taken back (D50)", async () => {
    const designwire = await embed()
    await fill(designwire)
    const { audit, designs, orders } = designwire
    await orders.cancel("acme", "1001")
    expect(await orders.withdrawCancellation("acme", "1001")).toBe(true)
    expect(await orders.withdrawCancellation("acme", "1001")).toBe(false)
    await designs.save("acme", "d-1", ringInput)
    expect(await orders.place("acme", "1001", orderOf("d-1"))).toMatchObject({ status: "ordered" })
    await orders.cancel("acme", "1001")
    await expect(orders.withdrawCancellation("acme", "1001")).rejects.toMatchObject({ code: "Conflict" })
    const { data } = await audit.list("acme")
    expect(data.filter(({ action }) => action === "order.cancellation_withdrawn")).toHaveLength(1)
  })

  it("MUST NOT be stored without lines (D6)", async () => {
    const designwire = await embed()
    await fill(designwire)
    expect(await designwire.orders.place("acme", "1001", orderOf())).toBeUndefined()
    expect((await designwire.orders.list("acme")).data).toEqual([])
  })

  it("MUST be listed by pages, filtered by their time", async () => {
    const designwire = await embed()
    await fill(designwire)
    const { designs, orders } = designwire
    for (const day of ["1", "2", "3"]) {
      await designs.save("acme", `d-${day}`, ringInput)
      await orders.place("acme", day, { ...orderOf(`d-${day}`), orderedAt: `2026-11-0${day}T00:00:00Z` })
    }
    const first = await orders.list("acme", { limit: 2 })
    expect(first.data.map(({ id }) => id)).toEqual(["3", "2"])
    expect(first.pagination).toMatchObject({ total: 3, limit: 2 })
    const next = await orders.list("acme", { limit: 2, cursor: first.pagination.nextCursor ?? "" })
    expect(next.data.map(({ id }) => id)).toEqual(["1"])
    expect(next.pagination.nextCursor).toBeNull()
    const late = await orders.list("acme", { orderedAfter: "2026-11-03", cursor: undefined })
    expect(late.data.map(({ id }) => id)).toEqual(["3"])
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

describe("tokens", () => {
  it("MUST be created, listed and removed, and open the REST API until then", async () => {
    const designwire = await embed()
    await fill(designwire)
    const { tokens } = designwire
    const { token, ...listed } = await tokens.create("acme", { name: "ERP" })
    expect(token).toMatch(/^cmz_/)
    expect(listed).toMatchObject({ name: "ERP", hint: token.slice(-4), lastUsedAt: null })
    expect(await tokens.list("acme")).toEqual([listed])
    const status = async () => {
      const headers = { authorization: `Bearer ${token}` }
      return (await designwire.handler(new Request("http://host/api/v1/orders", { headers }))).status
    }
    expect(await status()).toBe(200)
    expect(await tokens.delete("acme", listed.id)).toBeUndefined()
    expect(await status()).toBe(401)
    expect(await tokens.list("acme")).toEqual([])
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

  it("MUST have their secret rotated and promoted", async () => {
    const designwire = await embed()
    await fill(designwire)
    const { webhooks } = designwire
    const receiving = await receiver()
    const { secret: old, ...endpoint } = await webhooks.create("acme", { url: receiving.url("/hook") })
    const { secret, ...rotated } = await webhooks.rotate("acme", endpoint.id)
    expect(secret).toMatch(/^whsec_/)
    expect(rotated).toEqual({ ...endpoint, rotation: { until: expect.any(String) } })
    const signed = async (trusted: string) => {
      receiving.trust("/hook", trusted)
      await webhooks.test("acme", endpoint.id)
      await designwire.drain({ max: 10, seconds: 50 })
      return receiving.requests.at(-1)?.signed
    }
    expect([await signed(old), await signed(secret)]).toEqual([true, false])
    expect(await webhooks.promote("acme", endpoint.id)).toEqual(endpoint)
    expect([await signed(old), await signed(secret)]).toEqual([false, true])
    const atOnce = await webhooks.rotate("acme", endpoint.id, { overlap: 0 })
    expect(atOnce.rotation).toBeNull()
    expect(await signed(atOnce.secret)).toBe(true)
    expect((await webhooks.rotate("acme", endpoint.id, { overlap: undefined })).rotation).not.toBeNull()
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

  it("MUST be delivered, tested, redelivered and recovered", async () => {
    const designwire = await embed()
    await fill(designwire)
    const { designs, orders, webhooks } = designwire
    await designs.save("acme", "d-1", ringInput)
    await orders.place("acme", "1001", orderOf("d-1"))
    const receiving = await receiver()
    const { id, secret } = await webhooks.create("acme", { url: receiving.url("/hook") })
    receiving.trust("/hook", secret)

    expect(await webhooks.recover("acme", id, { since: "2026-01-01T00:00:00Z" })).toEqual({ deliveries: 1 })
    expect(await webhooks.test("acme", id)).toMatchObject({ event: "design.ordered", test: true, status: "pending" })
    expect(await designwire.drain({ max: 10, seconds: 50 })).toEqual({ attempts: 2, succeeded: 2 })
    expect(receiving.requests.map(({ signed }) => signed)).toEqual([true, true])

    const log = await webhooks.deliveries("acme", id)
    expect(log).toHaveLength(2)
    const recovered = log.find(({ test }) => !test)
    expect(recovered).toMatchObject({ status: "succeeded", attempts: [{ number: 1, statusCode: 200, error: null }] })
    const delivery = await webhooks.delivery("acme", id, recovered?.id ?? "")
    expect(delivery.body).toBe(receiving.requests.find(({ deliveryId }) => deliveryId === delivery.id)?.body)
    const again = await webhooks.redeliver("acme", id, delivery.id)
    expect(again).toMatchObject({ eventId: delivery.eventId, status: "pending" })
    expect(again.id).not.toBe(delivery.id)
    expect(await designwire.drain({ max: 10, seconds: 50 })).toEqual({ attempts: 1, succeeded: 1 })
  })
})
