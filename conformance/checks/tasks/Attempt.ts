/** Somebody's attempt at a task: a folder with their files, and everything that a check starts alongside it. */
import { existsSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startPostgres } from "../../testkit/databases/EmbeddedPostgres.ts"
import { type Ended, expect, Program, type Variables } from "./Program.ts"
import { Receiver } from "./Receiver.ts"
import { Service } from "./Service.ts"

/** Fails with `Missing` unless the folder does what its task asks for. */
export type Check = (attempt: Attempt) => Promise<void>

export class Attempt {
  /** The path of the folder, in which the package is installed. */
  readonly directory: string
  /** Starts a Postgres server, or answers the URL of one that runs. */
  readonly #server: () => Promise<{ readonly url: string; readonly stop: () => Promise<void> }>
  readonly #open: Array<() => Promise<unknown>> = []

  constructor(directory: string, server: () => Promise<{ url: string; stop: () => Promise<void> }> = startPostgres) {
    this.directory = directory
    this.#server = server
  }

  /** Starts a command that stays. */
  start(command: string, variables: Variables = {}): Program {
    const program = new Program(this.directory, command, variables)
    this.#open.push(() => program.kill())
    return program
  }

  /** Runs a command, and fails unless it succeeds. */
  async run(command: string, variables: Variables = {}): Promise<Ended> {
    const program = this.start(command, variables)
    const ended = await program.end()
    expect(ended.code === 0, `\`${command}\` ended with ${ended.code ?? "a signal"}. It printed:\n${program.printed}`)
    return ended
  }

  /** Fails unless the folder has a file. */
  requireFile(name: string): void {
    expect(existsSync(join(this.directory, name)), `There is no file \`${name}\``)
  }

  /** A directory that is there until the check ends. */
  async temporary(): Promise<string> {
    const path = await mkdtemp(join(tmpdir(), "designwire-task-"))
    this.#open.push(() => rm(path, { recursive: true, force: true }))
    return path
  }

  /** Starts the service of the installed package. `data`: its data directory, an empty one unless given. */
  async service(variables: Variables = {}, data?: string): Promise<Service> {
    const service = await Service.start(this, data ?? join(await this.temporary(), "data"), variables)
    return service
  }

  /** Starts a receiver of webhooks. */
  async receiver(): Promise<Receiver> {
    const receiver = await Receiver.start()
    this.#open.push(() => receiver.close())
    return receiver
  }

  /** The URL of a Postgres server. */
  async postgres(): Promise<string> {
    const { stop, url } = await this.#server()
    this.#open.push(stop)
    return url
  }

  /** Registers what ends with the check. */
  closing(close: () => Promise<unknown>): void {
    this.#open.push(close)
  }

  /** Ends everything that was started. */
  async close(): Promise<void> {
    for (const close of this.#open.splice(0).toReversed()) await close()
  }
}
