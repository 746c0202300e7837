/** The remains of a service in a team's pool once it has stopped. */
import pg from "pg"
import { expect, it, onTestFinished } from "vitest"
import { embed, emptyDatabase, fill } from "../../conformance/testkit/hosts/EmbedWorld.ts"
import { fromPgPool } from "./index.ts"

it("MUST send no statement over the pool after stop, so that the team can end it", async () => {
  const pool = new pg.Pool({ connectionString: await emptyDatabase(), max: 5 })
  pool.on("error", () => undefined)
  onTestFinished(() => pool.end())
  const own = fromPgPool(pool)
  let sent = 0
  const query: typeof own.query = (...parameters) => {
    sent++
    return own.query(...parameters)
  }
  const designwire = await embed({ database: { ...own, query } })
  await designwire.migrate()
  await fill(designwire)
  const { token } = await designwire.tokens.create("acme", { name: "ERP" })
  const headers = { authorization: `Bearer ${token}` }
  // The token's use is stored a moment later.
  expect((await designwire.handler(new Request("http://host/api/v1/orders", { headers }))).status).toBe(200)
  await designwire.stop()
  const before = sent
  const { rows } = await pool.query("SELECT last_used_at IS NOT NULL AS used FROM designwire.tokens")
  await new Promise((done) => setTimeout(done, 300))
  expect([sent - before, rows]).toEqual([0, [{ used: true }]])
})
