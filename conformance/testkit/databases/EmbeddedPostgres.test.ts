import { createServer } from "node:net"
import { expect, it } from "vitest"
import { freePort } from "../processes/FreePort.ts"
import { startPostgres } from "./EmbeddedPostgres.ts"

it("a server that can't start MUST be a failure with its log, not a wait without end", async () => {
  const port = await freePort()
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(port, "127.0.0.1", resolve))
  try {
    await expect(startPostgres([], port)).rejects.toThrow(/Postgres did not start:(.|\n)*in use/)
  } finally {
    other.close()
  }
})
