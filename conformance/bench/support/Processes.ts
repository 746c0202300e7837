import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import process from "node:process"
import type { Cleanup } from "./Cleanup.ts"

/** A process of the benchmark. */
export interface Child<Message> {
  readonly pid: number | undefined
  readonly send: (message: Message) => void
  /** Its next message; fails if the process ends before it. */
  readonly answer: <A>() => Promise<A>
  /** Sends a message and waits for the next one. */
  readonly ask: <A>(message: Message) => Promise<A>
  readonly stop: () => Promise<void>
}

/** Compiles sources as they are loaded. */
const fromSources = ["--import", new URL("../../testkit/processes/Tsx.ts", import.meta.url).href]

/**
 * Runs a file as a separate process. It ends with this one, with `stop`, or at the end of the benchmark.
 * `runtime` names the binary of another runtime than Node.
 */
export const start = <Message extends object | string>(
  file: URL,
  environment: Readonly<Record<string, string>>,
  cleanup: Cleanup,
  runtime?: string,
): Child<Message> => {
  const child = fork(file, {
    env: { ...process.env, NODE_ENV: "production", ...environment },
    ...(runtime === undefined
      ? {
          serialization: "advanced",
          // Like the scripts of package.json.
          execArgv: ["--max-semi-space-size=16", ...(file.pathname.endsWith(".mjs") ? [] : fromSources)],
        }
      : // Only JSON is understood by every runtime.
        { serialization: "json", execPath: runtime, execArgv: [] }),
  })
  const send = (message: Message) => void child.send(message)
  const answer = async <A>(): Promise<A> => {
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
  cleanup.add(() => stop(child))
  return {
    pid: child.pid,
    send,
    answer,
    ask: (message) => {
      send(message)
      return answer()
    },
    stop: () => stop(child),
  }
}

/** Ends a process. */
export const stop = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, "exit")
  child.kill("SIGKILL")
  await ended
}
