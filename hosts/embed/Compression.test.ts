/** Compressed responses of embedded hosts (D17), also within servers that compress. */
import { gunzipSync } from "node:zlib"
import { Hono } from "hono"
import { compress } from "hono/compress"
import { describe, expect, it } from "vitest"
import { customizer, embed, fill } from "../../conformance/testkit/hosts/EmbedWorld.ts"
import { toHonoMiddleware } from "./mount/Hono.ts"

/** A host with a token, and a request whose response is longer than 1 KiB. */
const filled = async () => {
  const designwire = await embed({ basePath: "/api" })
  await fill(designwire)
  const { token } = await designwire.tokens.create("acme", { name: "Test" })
  const request = (headers: Readonly<Record<string, string>>) =>
    new Request(`http://shop.test/api/customizers/${customizer.id}`, {
      headers: { authorization: `Bearer ${token}`, ...headers },
    })
  return { designwire, request }
}

describe("An embedded host", () => {
  it("MUST NOT be compressed again by the application around it, and MUST recognize its tag", async () => {
    const { designwire, request } = await filled()
    const application = new Hono()
    application.use(compress({ threshold: 0 }))
    application.use(toHonoMiddleware(designwire))
    application.get("/theirs", (context) => context.text("x".repeat(5_000)))
    const theirs = await application.request("/theirs", { headers: { "accept-encoding": "gzip" } })
    expect(theirs.headers.get("content-encoding")).toBe("gzip")
    const answer = await application.fetch(request({ "accept-encoding": "gzip" }))
    expect(answer.headers.get("content-encoding")).toBe("gzip")
    expect(JSON.parse(gunzipSync(await answer.bytes()).toString())).toMatchObject({ id: customizer.id })
    const etag = answer.headers.get("etag") ?? ""
    const known = await application.fetch(request({ "accept-encoding": "gzip", "if-none-match": etag }))
    expect([known.status, known.headers.get("etag")]).toEqual([304, etag])
    // If the client wants a coding that only the application has, the tag is weakened, and still recognized.
    const deflated = await application.fetch(request({ "accept-encoding": "deflate" }))
    const weak = deflated.headers.get("etag") ?? ""
    const again = await application.fetch(request({ "accept-encoding": "deflate", "if-none-match": weak }))
    expect([deflated.headers.get("content-encoding"), again.status]).toEqual(["deflate", 304])
  })
})
