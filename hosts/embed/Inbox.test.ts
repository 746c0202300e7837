/** The inbox of an embedded service (D57). */
import { describe, expect, it } from "vitest"
import { embed, fill } from "../../conformance/testkit/hosts/EmbedWorld.ts"
import { InvalidInput, NotFound } from "./index.ts"

describe("inbox", () => {
  it("MUST list the events of a platform, and say what it does not have (D57)", async () => {
    const designwire = await embed()
    await fill(designwire)
    const { inbox } = designwire
    const none = { data: [], pagination: { limit: 2, nextCursor: null } }
    expect(await inbox.list("acme", { state: "failed", limit: 2, after: undefined })).toEqual(none)
    for (const call of [inbox.get, inbox.apply]) await expect(call("acme", "inb_none")).rejects.toBeInstanceOf(NotFound)
    await expect(inbox.list("nobody")).rejects.toBeInstanceOf(NotFound)
    await expect(inbox.list("acme", { cursor: "x" } as never)).rejects.toBeInstanceOf(InvalidInput)
    await expect(inbox.list("acme", { state: "done" } as never)).rejects.toBeInstanceOf(InvalidInput)
  })
})
