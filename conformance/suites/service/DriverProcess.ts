import { type ChildProcess, spawn } from "node:child_process"
import process from "node:process"
import { createInterface } from "node:readline"
import { isPlainObject } from "../../../core/model/json/Json.ts"
import { maximumRead, tooLong } from "./Bounded.ts"
import { CallRefused, CallUnsupported, driverCalls, type ServiceDriver } from "./ServiceDriver.ts"

/** A driver in a separate process, in any language. */
export interface DriverProcess {
  readonly driver: Required<ServiceDriver>
  /** How it ended, or its invalid output; `undefined` while it works. */
  readonly ended: () => string | undefined
  /** Closes its input, and kills it if it does not exit then. */
  readonly stop: () => Promise<void>
}

/** Milliseconds that a driver has to exit. */
const patience = 2_000

interface Waiting {
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: Error) => void
}

/**
 * Starts a driver with the shell. It reads calls ({@link DriverCalls}) from its standard input, one JSON object per
 * line: `{"id": 1, "call": "putShop", "given": {…}}`. For each call it writes a line to its standard output, in any
 * order:
 *
 * - `{"id": 1, "ok": …}`: done, with the result;
 * - `{"id": 1, "refused": "why", "status": 409}`: the service refuses; the status is optional;
 * - `{"id": 1, "unsupported": "why"}`: the service lacks the feature;
 * - `{"id": 1, "error": "what"}`: any other failure.
 *
 * Its standard error is shown.
 */
export const driverProcess = (command: string): DriverProcess => {
  // Its own process group: everything that the shell has started ends with it.
  const child = spawn(command, { shell: true, detached: true, stdio: ["pipe", "pipe", "inherit"] })
  const waiting = new Map<number, Waiting>()
  let ended: string | undefined
  const end = (reason: string) => {
    ended ??= reason
    for (const { reject } of waiting.values()) reject(new Error(ended))
    waiting.clear()
  }
  child.on("error", ({ message }) => end(`the driver could not be started: ${message}`))
  child.on("exit", (code, signal) => end(`the driver has ended with ${code ?? signal}`))
  // A driver that has exited reads nothing.
  child.stdin.on("error", () => undefined)
  const lines = createInterface({ input: child.stdout }).on("line", (line) => {
    const problem = settle(waiting, line)
    if (problem !== undefined) end(problem)
  })
  let begun = 0
  child.stdout.on("data", (bytes: Buffer) => {
    const newline = bytes.lastIndexOf("\n")
    begun = newline === -1 ? begun + bytes.length : bytes.length - newline - 1
    if (begun <= maximumRead) return
    end(tooLong("a line that the driver wrote"))
    lines.close()
    child.stdout.destroy()
  })
  let count = 0
  const call = (name: string, given: object): Promise<never> =>
    new Promise<never>((resolve, reject) => {
      if (ended !== undefined) return reject(new Error(ended))
      const id = ++count
      waiting.set(id, { resolve: (answer) => resolve(answer as never), reject })
      child.stdin.write(`${JSON.stringify({ id, call: name, given })}\n`)
    })
  const driver = Object.fromEntries(driverCalls.map((name) => [name, (given: object) => call(name, given)]))
  return { driver: driver as unknown as Required<ServiceDriver>, ended: () => ended, stop: () => stop(child) }
}

/** Passes a line to its waiting call; returns what is wrong with it. */
const settle = (waiting: Map<number, Waiting>, line: string): string | undefined => {
  const unusable = `the driver wrote a line that is not an answer: ${line.slice(0, 200)}`
  let answer: unknown
  try {
    answer = JSON.parse(line)
  } catch {
    return unusable
  }
  if (!isPlainObject(answer)) return unusable
  const { error, id, ok, refused, status, unsupported } = answer as { readonly [key: string]: unknown }
  const one = waiting.get(Number(id))
  if (one === undefined) return unusable
  waiting.delete(Number(id))
  if (typeof refused === "string") one.reject(new CallRefused(refused, typeof status === "number" ? status : undefined))
  else if (typeof unsupported === "string") one.reject(new CallUnsupported(unsupported))
  else if ("ok" in answer) one.resolve(ok)
  else one.reject(new Error(typeof error === "string" ? error : unusable))
  return undefined
}

const stop = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    const timer = setTimeout(() => process.kill(-(child.pid ?? 0), "SIGKILL"), patience)
    child.once("exit", () => {
      clearTimeout(timer)
      resolve()
    })
    child.stdin?.end()
  })
