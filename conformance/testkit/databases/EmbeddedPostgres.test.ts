import { createServer } from "node:net"
import { expect, it } from "vitest"
import { withCleanup } from "../../bench/support/Main.ts"
import { startServer } from "../../bench/support/Postgres.ts"
import { freePort } from "../processes/FreePort.ts"
import { startPostgres } from "./EmbeddedPostgres.ts"

const starts = {
  "of tests": (port: number) => startPostgres([], port),
  "of a benchmark": (port: number) => withCleanup((cleanup) => startServer(cleanup, [`port=${port}`])),
}

it.each(Object.entries(starts))("a server %s that can't start MUST be a failure with its log", async (_, start) => {
  const port = await freePort()
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(port, "127.0.0.1", resolve))
  try {
    await expect(start(port)).rejects.toThrow(/Postgres did not start:(.|\n)*in use/)
  } finally {
    other.close()
  }
})
