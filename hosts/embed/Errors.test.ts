/** The errors of the methods. */
import { describe, expect, it } from "vitest"
import { ringInput, shopInput } from "../../conformance/suites/service/Samples.ts"
import { customizer, embed, emptyDatabase, fill, orderOf } from "../../conformance/testkit/hosts/EmbedWorld.ts"
import {
  Conflict,
  DesignFrozen,
  DesignwireError,
  InvalidInput,
  NotFound,
  NotMigrated,
  PlanRequired,
  Refused,
  TooLarge,
  Unavailable,
} from "./index.ts"

/** The rejection of a promise. */
const thrownBy = async (promise: Promise<unknown>): Promise<unknown> => {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error("It was not rejected")
}

const expectError = async (
  promise: Promise<unknown>,
  type: new (...args: never) => DesignwireError,
  message: RegExp,
): Promise<void> => {
  const error = await thrownBy(promise)
  expect(error).toBeInstanceOf(type)
  expect(error).toBeInstanceOf(DesignwireError)
  expect(error).toMatchObject({ code: type.name, name: type.name, message: expect.stringMatching(message) })
}

describe("Errors", () => {
  it("MUST be NotFound for an id that is not a text, from callers without types", async () => {
    const designwire = await embed()
    await fill(designwire)
    const { customizers, designs, orders, shops, tokens, webhooks } = designwire
    const endpoint = await webhooks.create("acme", { url: "http://127.0.0.1:8080/" })
    for (const wrong of [
      undefined,
      null,
      5,
      5n,
      {},
      Object.create(null),
      Symbol("id"),
    ] as unknown as ReadonlyArray<never>) {
      const calls = [
        () => shops.get(wrong),
        () => customizers.get("acme", wrong),
        () => designs.get("acme", wrong),
        () => designs.redact("acme", wrong),
        () => designs.delete("acme", wrong),
        () => orders.get("acme", wrong),
        () => orders.list(wrong),
        () => orders.cancel("acme", wrong),
        () => orders.redact("acme", wrong),
        () => tokens.delete("acme", wrong),
        () => webhooks.get("acme", wrong),
        () => webhooks.rotate("acme", wrong),
        () => webhooks.delivery("acme", endpoint.id, wrong),
        () => webhooks.redeliver("acme", endpoint.id, wrong),
        () => webhooks.tryNow("acme", endpoint.id, wrong),
        () => webhooks.resend("acme", wrong, {}),
      ]
      for (const call of calls) await expectError(call(), NotFound, /^(There is no|The (shop|endpoint) has no) /)
    }
  })

  it("MUST be Conflict for a change that the current state does not allow", async () => {
    const designwire = await embed()
    await fill(designwire)
    const { customizers, designs, orders, webhooks } = designwire
    await customizers.put("acme", 7, customizer.description)
    await expectError(designs.save("acme", "d-1", { ...ringInput, customizerId: 7 }), Conflict, /never published/)
    await designs.save("acme", "d-1", ringInput)
    await orders.place("acme", "1001", orderOf("d-1"))
    await expectError(orders.place("acme", "1001", { ...orderOf("d-1"), name: "#1" }), Conflict, /the name "#1001"/)
    await expect(orders.place("acme", "1001", { ...orderOf("d-1"), name: "#1" })).rejects.toMatchObject({
      conflict: { field: "name", held: "#1001", given: "#1" },
    })
    await expectError(orders.place("acme", "1002", orderOf("d-1")), Conflict, /is ordered in the order "1001"/)
    for (let count = 0; count < 5; count++) await webhooks.create("acme", { url: "http://127.0.0.1:8080/" })
    await expectError(webhooks.create("acme", { url: "http://127.0.0.1:8080/" }), Conflict, /5 endpoints already/)
  })

  it("MUST be DesignFrozen for saving or deleting a design that is ordered", async () => {
    const designwire = await embed()
    await fill(designwire)
    await designwire.designs.save("acme", "d-1", ringInput)
    await designwire.orders.place("acme", "1001", orderOf("d-1"))
    await expectError(designwire.designs.save("acme", "d-1", ringInput), DesignFrozen, /is ordered/)
    await expectError(designwire.designs.delete("acme", "d-1"), DesignFrozen, /is ordered and can't be deleted/)
  })

  it("MUST be InvalidInput with every problem for malformed input, also from callers without types", async () => {
    const designwire = await embed()
    const { shops } = designwire
    const input = { domain: "Not A Host", currency: "euro", imageBase: shopInput.imageBase }
    await expectError(shops.put("acme", input), InvalidInput, /^The input is not valid: domain: .*and 1 more/)
    const error = await thrownBy(shops.put("acme", input))
    expect((error as InvalidInput).problems.map(({ path }) => path)).toEqual(["domain", "currency"])
    for (const wrong of [undefined, null, 1, "text", []]) {
      await expectError(shops.put("acme", wrong as never), InvalidInput, /not valid/)
    }
    await fill(designwire)
    for (const wrong of [null, "", {}] as unknown as ReadonlyArray<never>) {
      await expectError(designwire.designs.save("acme", wrong, ringInput), InvalidInput, /not valid: id: /)
      await expectError(designwire.orders.place("acme", wrong, orderOf("d-1")), InvalidInput, /not valid: id: /)
      await expectError(designwire.customizers.put("acme", wrong, customizer.description), InvalidInput, /: id: /)
    }
    await expectError(designwire.orders.list("acme", { limit: 101 }), InvalidInput, /^limit must be/)
    await expectError(designwire.orders.list("acme", null as never), InvalidInput, /^The query must be an object/)
    await expectError(designwire.events.list("acme", null as never), InvalidInput, /^The query must be an object/)
    await expectError(designwire.drain({ max: 0, seconds: Number.NaN }), InvalidInput, /^max must .*; seconds must /)
  })

  it("MUST be Refused with every problem for well-formed input that is not allowed", async () => {
    const designwire = await embed({ allowNetworks: undefined })
    await fill(designwire)
    const { designs, webhooks } = designwire
    const selection = { ...ringInput.selection, metal: "lead" }
    await expectError(
      designs.save("acme", "d-1", { ...ringInput, selection }),
      Refused,
      /^The selection is not allowed/,
    )
    const error = await thrownBy(designs.save("acme", "d-1", { ...ringInput, selection }))
    expect((error as Refused).problems.map(({ path }) => path)).toEqual(["metal"])
    await expectError(webhooks.create("acme", { url: "http://127.0.0.1:8080/" }), Refused, /not a public/)
  })

  it("MUST be TooLarge for a selection above 64 KiB (D38)", async () => {
    const designwire = await embed()
    await fill(designwire)
    const selection = { ...ringInput.selection, text: { text: "x".repeat(65_536) } }
    await expectError(designwire.designs.save("acme", "d-1", { ...ringInput, selection }), TooLarge, /64 KiB/)
  })

  it("MUST be PlanRequired for features that the shop's plan does not include (D8)", async () => {
    const designwire = await embed()
    await fill(designwire)
    const { shops, tokens, webhooks } = designwire
    const { id } = await webhooks.create("acme", { url: "http://127.0.0.1:8080/" })
    const { id: delivery } = await webhooks.test("acme", id)
    await shops.put("acme", { ...shopInput, plan: "free" })
    await expectError(tokens.create("acme", { name: "ERP" }), PlanRequired, /Pro and Plus/)
    await expectError(webhooks.create("acme", { url: "http://127.0.0.1:8080/" }), PlanRequired, /Pro and Plus/)
    await expectError(webhooks.test("acme", id), PlanRequired, /Pro and Plus/)
    await expectError(webhooks.redeliver("acme", id, delivery), PlanRequired, /Pro and Plus/)
    await expectError(webhooks.tryNow("acme", id, delivery), PlanRequired, /Pro and Plus/)
    await expectError(webhooks.resend("acme", id, {}), PlanRequired, /Pro and Plus/)
    const since = "2026-01-01T00:00:00Z"
    await expectError(webhooks.recover("acme", id, { since }), PlanRequired, /Pro and Plus/)
  })

  it("MUST be NotMigrated with the command to run, from every method, until the schema is current", async () => {
    const designwire = await embed({ database: { url: await emptyDatabase() } })
    const { orders, shops } = designwire
    const sentence = /^Run "await designwire\.migrate\(\)" or "npx designwire migrate": .* 1_baseline/
    for (const call of [() => shops.list(), () => orders.get("acme", "1"), () => designwire.start()]) {
      await expectError(call(), NotMigrated, sentence)
    }
    await expectError(designwire.drain({ max: 1, seconds: 1 }), NotMigrated, sentence)
    const answer = await designwire.handler(new Request("http://host/api/v1/orders"))
    expect(answer.status).toBe(503)
    await designwire.migrate()
    expect(await shops.list()).toEqual([])
  })

  it("MUST be Unavailable with the driver's error while the database can't be reached", async () => {
    const url = new URL(await emptyDatabase())
    url.port = "1"
    const designwire = await embed({ database: { url: url.href } })
    await expectError(designwire.shops.list(), Unavailable, /ECONNREFUSED/)
    expect(((await thrownBy(designwire.migrate())) as Error).cause).toBeDefined()
    expect((await designwire.handler(new Request("http://host/api/v1/orders"))).status).toBe(503)
  })

  it("MUST be InvalidInput for a transaction that the database can't join, and for any other value of tx", async () => {
    const { shops } = await embed()
    const query = async () => []
    await expectError(shops.put("acme", shopInput, { tx: query }), InvalidInput, /^tx needs a database that others/)
    for (const tx of [null, {}, "BEGIN"]) {
      await expectError(shops.put("acme", shopInput, { tx: tx as never }), InvalidInput, /^tx must be what fromPg/)
    }
    expect(await shops.list()).toEqual([])
    for (const bare of [query, "BEGIN"]) {
      await expectError(shops.put("acme", shopInput, bare as never), InvalidInput, /^the last argument must be { tx }/)
    }
    expect(await shops.list()).toEqual([])
    await expectError(shops.put("acme", shopInput, { tx: undefined as never }), InvalidInput, /^tx is undefined/)
    const meant = { transaction: query } as never
    await expectError(shops.put("acme", shopInput, meant), InvalidInput, /^transaction is unknown: known is tx, actor$/)
    expect(await shops.list()).toEqual([])
  })

  it("MUST be InvalidInput for fields that do not exist, naming the nearest, and change nothing (D48)", async () => {
    const { events, orders, shops, webhooks } = await embed()
    await shops.put("acme", shopInput)
    const { id: endpoint } = await webhooks.create("acme", { url: "https://93.184.216.34/" })
    const line = { designId: "d", lineItemId: "l", line: 1 }
    const order = { name: "#1", orderedAt: "2026-10-05T14:48:00Z", lines: [line] }
    for (const [refuse, name, meant] of [
      [() => shops.put("acme", { ...shopInput, plam: "free" } as never), "plam", "plan"],
      [() => orders.place("acme", "1", order as never), "lines[0].line", "lineItemId"],
      [() => orders.list("acme", { orderedafter: "2026-10-05" } as never), "orderedafter", "orderedAfter"],
      [() => events.list("acme", { type: "ping" } as never), "type", "types"],
      [() => webhooks.rotate("acme", endpoint, { overlapSeconds: 0 } as never), "overlapSeconds", "overlap"],
    ] as const) {
      const error = (await thrownBy(refuse())) as InvalidInput
      expect(error).toBeInstanceOf(InvalidInput)
      expect(error.problems).toEqual([{ path: name, message: `is unknown: did you mean ${meant}?` }])
    }
    const status = (await thrownBy(webhooks.update("acme", endpoint, { status: "active" } as never))) as InvalidInput
    expect(status.message).toContain("status: is unknown: known is url, events, description, standardWebhooks")
    expect((await shops.get("acme")).plan).toBe("pro")
    expect((await webhooks.list("acme")).map(({ rotation }) => rotation)).toEqual([null])
  })

  it("MUST be the promise's rejection, and never be thrown by the call itself", async () => {
    const { drain, handler, respond } = await embed()
    for (const limits of [undefined, null, {}, 5]) {
      await expectError(drain(limits as never), InvalidInput, /^max must be an integer, 1 or more; seconds must be/)
    }
    const ofNode = { url: "/api/v1/orders", method: "GET", headers: { host: "localhost" } }
    for (const request of [undefined, null, {}, "http://localhost/api/v1/orders", ofNode]) {
      await expectError(handler(request as never), InvalidInput, /^The request must be a Request, .* toNodeHandler/)
      await expectError(respond(request as never), InvalidInput, /^The request must be a Request, .* toNodeHandler/)
    }
  })

  it("MUST be the thrown defect itself", async () => {
    const failure = new Error("No pictures today")
    const designwire = await embed({
      imageUrls: () => {
        throw failure
      },
    })
    await fill(designwire)
    expect(await thrownBy(designwire.designs.save("acme", "d-1", ringInput))).toBe(failure)
  })

  it.each([
    [undefined, /for the design "d-1" its result is missing$/],
    [Promise.resolve({ images: {}, thumbnail: "x" }), /it returned a promise$/],
    [{ thumbnail: "https://i.example/t" }, /images is missing$/],
    [{ images: ["https://i.example/1"], thumbnail: "https://i.example/t" }, /images is a list$/],
    [{ images: { front: 5 }, thumbnail: "https://i.example/t" }, /"front" is .*5/],
    [{ images: { front: "https://i.example/1" } }, /"thumbnail" is missing$/],
    [{ images: { front: "https://i.example/\0" }, thumbnail: "https://i.example/t" }, /"front" has NUL/],
  ])("MUST say what is wrong with the result of imageUrls, and store nothing: %s", async (made, sentence) => {
    const designwire = await embed({ imageUrls: () => made as never })
    await fill(designwire)
    const error = await thrownBy(designwire.designs.save("acme", "d-1", ringInput))
    expect(error).toBeInstanceOf(Error)
    expect((error as Error).message).toMatch(/^imageUrls must return \{ images: \{ \[view\]: URL \}, thumbnail: URL \}/)
    expect((error as Error).message).toMatch(sentence)
    await expectError(designwire.designs.get("acme", "d-1"), NotFound, /./)
  })

  it("MUST have the stack of the caller", async () => {
    const { orders } = await embed()
    const checkout = async () => orders.get("acme", "nope")
    const { stack } = (await thrownBy(checkout())) as NotFound
    expect(stack).toMatch(/^NotFound: There is no such order\n +at checkout \(.*Errors\.test\.ts/)
  })
})
