/** What a host costs by being there: its start, and its processor time and memory without requests. */
import { spawn } from "node:child_process"
import { readFile } from "node:fs/promises"
import process from "node:process"
import { fileURLToPath } from "node:url"
import { freePort } from "../../testkit/processes/FreePort.ts"
import type { Cleanup } from "../support/Cleanup.ts"
import { pause } from "../support/Clock.ts"
import { startDatabase } from "../support/Postgres.ts"
import { stop } from "../support/Processes.ts"
import { fixedWork } from "./FixedWork.ts"
import type { Row } from "./Row.ts"

const main = fileURLToPath(new URL("../../../dist/hosts/cli/main.js", import.meta.url))

/** The least server: `node:http` and nothing else. */
const bareServer = `require("node:http").createServer((_, response) => response.end("ok")).listen(+process.env.PORT, "127.0.0.1")`

interface Running {
  readonly pid: number
  /** Milliseconds until it answered. */
  readonly started: number
  readonly stop: () => Promise<void>
}

const run = async (
  parameters: ReadonlyArray<string>,
  environment: Readonly<Record<string, string>>,
): Promise<Running> => {
  const port = await freePort()
  const begin = performance.now()
  const child = spawn(process.execPath, parameters, {
    env: { ...process.env, HOST: "127.0.0.1", PORT: String(port), ...environment },
    stdio: "ignore",
  })
  const answers = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      (response) => response.ok,
      () => false,
    )
  while (!(await answers())) {
    if (child.exitCode !== null) throw new Error(`${parameters.at(-1)} ended with ${child.exitCode}`)
    await pause(5)
  }
  return { pid: child.pid as number, started: performance.now() - begin, stop: () => stop(child) }
}

/** Milliseconds of processor time since the start of a process. Linux counts hundredths of a second. */
const processorOf = async (pid: number): Promise<number> => {
  const [, user, system] =
    /^\d+ \(.*\) \S (?:\S+ ){10}(\d+) (\d+) /.exec(await readFile(`/proc/${pid}/stat`, "utf8")) ?? []
  return (Number(user) + Number(system)) * 10
}

/** Resident memory of a process in MiB. */
const memoryOf = async (pid: number): Promise<number> =>
  Number(/VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024

/** Milliseconds without requests. */
const idle = 4_000

export const processes = async (cleanup: Cleanup): Promise<ReadonlyArray<Row>> => {
  const { url } = await startDatabase(cleanup)
  const environment = {
    DATABASE_URL: url,
    DESIGNWIRE_ENCRYPTION_KEYS: Buffer.alloc(32, 7).toString("base64"),
    DESIGNWIRE_MANAGE_KEY: "ledger-of-sixteen-characters",
  }
  const serve = () => run(["--max-semi-space-size=16", main, "serve"], environment)
  const bare = () => run(["-e", bareServer], {})
  const start = (of: typeof serve) => async () => {
    const running = await of()
    await running.stop()
    return running.started
  }
  const [own, other] = [await serve(), await bare()]
  cleanup.add(own.stop)
  cleanup.add(other.stop)
  await pause(idle)
  return [
    { name: "start", unit: "ms", own: start(serve), bare: start(bare) },
    {
      name: "idle, processor time of a second",
      unit: "ms",
      own: async () => {
        const before = await processorOf(own.pid)
        await pause(idle)
        return ((await processorOf(own.pid)) - before) / (idle / 1_000)
      },
      bare: async () => fixedWork(),
    },
    { name: "idle, memory", unit: "MiB", own: () => memoryOf(own.pid), bare: () => memoryOf(other.pid) },
  ]
}
