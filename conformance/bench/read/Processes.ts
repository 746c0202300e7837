import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import process from "node:process"
import type { Usage } from "./Child.ts"

/** A server in a process of its own. */
export interface Server {
  readonly port: number
  readonly usage: () => Promise<Usage>
}

/** Starts a file of this folder as a process of its own. It ends with this one, and with `stop`. */
export const start = (file: string, environment: Readonly<Record<string, string>>): ChildProcess =>
  fork(new URL(file, import.meta.url), {
    env: { ...process.env, NODE_ENV: "production", ...environment },
    serialization: "advanced",
    // As the scripts of package.json start the service.
    execArgv: ["--max-semi-space-size=16"],
  })

/** The next message of a process, or why there is none. */
export const answer = async <A>(child: ChildProcess): Promise<A> => {
  const ended = new AbortController()
  try {
    return await Promise.race([
      once(child, "message", ended).then(([message]) => message as A),
      once(child, "exit", ended).then(([code]) => {
        throw new Error(`${child.spawnargs.at(-1)} ended with ${code}`)
      }),
    ])
  } finally {
    ended.abort()
  }
}

/** Ends a process. */
export const stop = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, "exit")
  child.kill("SIGKILL")
  await ended
}

/** What has to be undone at the end, the last first. */
export class Cleanup {
  readonly #steps: Array<() => Promise<unknown>> = []

  add(step: () => Promise<unknown>): void {
    this.#steps.push(step)
  }

  async run(): Promise<void> {
    for (const step of this.#steps.splice(0).reverse()) await step()
  }
}

/** Starts a server and waits until it listens. */
export const startServer = async (
  file: string,
  environment: Readonly<Record<string, string>>,
  cleanup: Cleanup,
): Promise<Server> => {
  const child = start(file, environment)
  cleanup.add(() => stop(child))
  const { port } = await answer<{ port: number }>(child)
  return {
    port,
    usage: async () => {
      child.send("usage")
      return answer<Usage>(child)
    },
  }
}
