import { spawn } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { fileURLToPath } from "node:url"
import { freePort } from "../../testkit/processes/FreePort.ts"
import { pause } from "../support/Clock.ts"
import { stop } from "../support/Processes.ts"

const main = fileURLToPath(new URL("../../../dist/hosts/cli/main.js", import.meta.url))

/** Milliseconds from the built `designwire serve` without a database until `/readyz` answers 200. */
export const timeToReady = async (): Promise<number> => {
  const directory = await mkdtemp(join(tmpdir(), "designwire-bench-"))
  const port = await freePort()
  const { DATABASE_URL: _, ...environment } = process.env
  const begin = performance.now()
  const child = spawn(process.execPath, [main, "serve"], {
    env: { ...environment, HOST: "127.0.0.1", PORT: String(port), DESIGNWIRE_DATA_DIR: join(directory, "data") },
    stdio: "ignore",
  })
  try {
    while (!(await isReady(port))) {
      if (child.exitCode !== null) throw new Error(`designwire serve ended with ${child.exitCode}`)
      if (performance.now() - begin > 60_000) throw new Error("designwire serve is not ready after a minute")
      await pause(20)
    }
    return performance.now() - begin
  } finally {
    await stop(child)
    await rm(directory, { recursive: true, force: true })
  }
}

const isReady = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    (response) => response.ok,
    () => false,
  )
