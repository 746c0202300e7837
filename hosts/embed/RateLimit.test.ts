/** The option `rateLimit` (hosts/embed/README.md, D16). */
import { expect, it } from "vitest"
import { embed, fill } from "../../conformance/testkit/hosts/EmbedWorld.ts"

it("rateLimit MUST be the requests that a token may make in a minute, in every header and in the 429", async () => {
  const designwire = await embed({ rateLimit: 2 })
  await fill(designwire)
  const { token } = await designwire.tokens.create("acme", { name: "ERP" })
  const read = async () => {
    const headers = { authorization: `Bearer ${token}` }
    const { headers: got, status } = await designwire.handler(
      new Request("http://localhost/api/v1/orders", { headers }),
    )
    const left = /r=(\d+)/.exec(got.get("ratelimit") ?? "")?.[1]
    return { status, policy: got.get("ratelimit-policy"), left, waits: got.has("retry-after") }
  }
  const policy = '"default";q=2;w=60'
  expect([await read(), await read(), await read()]).toEqual([
    { status: 200, policy, left: "1", waits: false },
    { status: 200, policy, left: "0", waits: false },
    { status: 429, policy, left: "0", waits: true },
  ])
})
