import type { Cleanup } from "../support/Cleanup.ts"
import { start } from "../support/Processes.ts"
import type { Usage } from "./Serving.ts"

/** A server in a separate process. */
export interface Server {
  readonly port: number
  readonly pid: number | undefined
  readonly usage: () => Promise<Usage>
}

/** Starts a file of this folder as a server, on Node or on the `runtime`, and waits until it listens. */
export const startServer = async (
  file: string,
  environment: Readonly<Record<string, string>>,
  cleanup: Cleanup,
  runtime?: string,
): Promise<Server> => {
  const child = start(new URL(file, import.meta.url), environment, cleanup, runtime)
  return { port: await child.answer<number>(), pid: child.pid, usage: () => child.ask<Usage>("usage") }
}
