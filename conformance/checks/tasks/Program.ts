/** Programs of somebody else, with everything that they print. */
import { type ChildProcess, spawn } from "node:child_process"
import { dirname, join, resolve } from "node:path"
import process from "node:process"
import { setTimeout as pause } from "node:timers/promises"
import { isListening } from "./Ports.ts"

/** A folder lacks something. The message is a sentence that its author can act on. */
export class Missing extends Error {}

/** Fails with {@link Missing} unless a condition holds. */
export function expect(holds: boolean, sentence: string): asserts holds {
  if (!holds) throw new Missing(sentence)
}

export type Variables = Readonly<Record<string, string>>

/** Milliseconds until a program must have ended, or listen. */
const patience = 60_000

/** Variables of the system alone: no configuration of the person who runs the check. */
const surroundings = ["HOME", "TMPDIR", "NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "GOCACHE"]

/** Node's cache of compiled modules, which halves the start of a process. */
const compiled = resolve(import.meta.dirname, "../../../node_modules/.cache/node-compile")

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export class Program {
  readonly #command: string
  readonly #child: ChildProcess
  readonly #ended: Promise<void>
  stdout = ""
  stderr = ""

  /** Starts a command of the shell in a folder that has its packages. */
  constructor(directory: string, command: string, variables: Variables) {
    this.#command = command
    const path = [join(directory, "node_modules/.bin"), dirname(process.execPath), process.env["PATH"]].join(":")
    const kept = surroundings.flatMap((name) => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    })
    this.#child = spawn("sh", ["-c", command], {
      cwd: directory,
      env: { ...Object.fromEntries(kept), ...variables, PATH: path, NO_COLOR: "1", NODE_COMPILE_CACHE: compiled },
      // A group, so that it ends with everything that it has started.
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    })
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.stdout += text
    })
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text
    })
    this.#ended = new Promise((resolve) => this.#child.once("close", () => resolve()))
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  /** The end of everything that was printed, to show. */
  get printed(): string {
    return `${this.stdout}${this.stderr}`.trim().slice(-2_000)
  }

  /** Waits for the end. */
  async end(): Promise<Ended> {
    await Promise.race([this.#ended, pause(patience, undefined, { ref: false })])
    expect(this.hasEnded, `\`${this.#command}\` has not ended after a minute. It printed:\n${this.printed}`)
    return { code: this.#child.exitCode, stdout: this.stdout, stderr: this.stderr }
  }

  /** Waits until something is true that the program brings about, and fails if the program ends before. */
  async until(holds: () => boolean | Promise<boolean>, sentence: string): Promise<void> {
    for (const begin = performance.now(); performance.now() - begin < patience; await pause(20)) {
      if (await holds()) return
      if (this.hasEnded) throw new Missing(`\`${this.#command}\` has ended before ${sentence}:\n${this.printed}`)
    }
    throw new Missing(`\`${this.#command}\` runs for a minute, but not ${sentence}. It printed:\n${this.printed}`)
  }

  listensAt(port: number): Promise<void> {
    return this.until(() => isListening(port), `anything listens on port ${port}`)
  }

  /** Ends the program and everything that it has started. */
  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    try {
      if (this.#child.pid !== undefined) process.kill(-this.#child.pid, signal)
    } catch {
      // The whole group has ended.
    }
    await this.#ended
  }
}
