/** The audit of an embedded service (D59). */
import { setTimeout } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import { shopInput } from "../../conformance/suites/service/Samples.ts"
import { embed, fill } from "../../conformance/testkit/hosts/EmbedWorld.ts"
import { InvalidInput } from "./index.ts"

describe("audit", () => {
  it("MUST name the actor of a call, and the application without one (D59)", async () => {
    const designwire = await embed()
    await fill(designwire)
    const { audit, shops, tokens } = designwire
    // Changes of one millisecond have no order.
    await setTimeout(5)
    await shops.put("acme", { ...shopInput, plan: "plus" }, { actor: "anna@example.com" })
    const token = await tokens.create("acme", { name: "ERP" })
    const page = await audit.list("acme", { limit: 2 })
    expect(page.data.toSorted((one, other) => (one.action < other.action ? -1 : 1))).toMatchObject([
      {
        actor: { type: "person", name: "anna@example.com" },
        action: "shop.changed",
        subject: { type: "shop", id: "acme" },
        before: { plan: "pro" },
        after: { plan: "plus" },
      },
      {
        actor: { type: "application", name: "application" },
        action: "token.created",
        subject: { type: "token", id: token.id },
        before: null,
        after: { name: "ERP", hint: token.hint },
      },
    ])
    expect(page.pagination.nextCursor).toEqual(expect.any(String))
    const rest = await audit.list("acme", { after: page.pagination.nextCursor ?? "" })
    expect(rest.data.map(({ action }) => action).toSorted()).toEqual([
      "customizer.created",
      "customizer.published",
      "shop.created",
    ])
  })

  it("MUST refuse an actor that is not a text of 1 to 255 characters, and unknown fields of a query (D48, D59)", async () => {
    const { audit, shops } = await embed()
    for (const actor of ["", "a".repeat(256), "\0", 7, undefined]) {
      await expect(shops.put("acme", shopInput, { actor } as never)).rejects.toThrow(/^actor/)
    }
    await expect(shops.get("acme")).rejects.toThrow()
    await shops.put("acme", shopInput)
    await expect(audit.list("acme", { until: "2026-01-01" } as never)).rejects.toBeInstanceOf(InvalidInput)
  })
})
