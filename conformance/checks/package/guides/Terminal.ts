/** The terminals of a reader: blocks run one after the other in one directory; a process that stays has its own. */
import { spawn } from "node:child_process"
import { dirname } from "node:path"
import process from "node:process"
import { setTimeout } from "node:timers/promises"

/** Milliseconds that a block may take, and that a process may take until it prints what the guide waits for. */
const patience = 300_000

/** The certificates that the reader's system trusts alongside Node's. */
const certificates = Object.fromEntries(
  ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  }),
)

/** A failing command ends its block, and so does curl for an error, unless the block shows the status. */
const commands = `
npm() { "$NODE" "$NPM" "$@"; }
npx() { if [ -x "node_modules/.bin/$1" ]; then "$@"; else npm exec -- "$@"; fi; }
curl() {
  case " $* " in *" -w "*) set -- --silent "$@" ;; *) set -- --silent --show-error --fail-with-body "$@" ;; esac
  command curl "$@"
  echo
}
`

/** Variables that a block sets are set in the blocks after it. */
const restore = `set -a; [ ! -f "$STATE" ] || . "$STATE"\n`
const save = `trap 'export -p >"$STATE"' EXIT\n`

interface Started {
  output: string
  ended: number | string | undefined
  /** Resolves when the process and its output have ended. */
  readonly closed: Promise<void>
  readonly end: () => void
}

export class Terminal {
  readonly #directory: string
  readonly #environment: Readonly<Record<string, string>>
  #staying: ReadonlyArray<Started> = []
  #last = ""
  #before = ""

  /** `npm` in a block is the npm that runs this process. */
  constructor(directory: string) {
    this.#directory = directory
    this.#environment = {
      NODE: process.execPath,
      NPM: process.env["npm_execpath"] ?? "",
      STATE: `${directory}.state`,
      PATH: [`${directory}/node_modules/.bin`, dirname(process.execPath), process.env["PATH"]].join(":"),
      HOME: process.env["HOME"] ?? directory,
      ...certificates,
      npm_config_audit: "false",
      npm_config_fund: "false",
      npm_config_prefer_offline: "true",
    }
  }

  /** The output of the last block, and of every process that stays. */
  get printed(): string {
    return [...this.#staying.map(({ output }) => output), this.#last].join("\n")
  }

  /** The last word that was printed and begins like this. */
  lastWord(beginning: string): string | undefined {
    const words = `${this.#before}\n${this.printed}`.matchAll(new RegExp(`${beginning}[\\w+/=-]+`, "g"))
    return [...words].at(-1)?.[0]
  }

  /** Runs commands, and answers what went wrong. */
  async run(code: string): Promise<string | undefined> {
    const started = this.#start(restore + save + commands + code)
    await Promise.race([started.closed, setTimeout(patience, undefined, { ref: false })])
    started.end()
    this.#before += this.#last
    this.#last = started.output
    return started.ended === 0 ? undefined : `ended with ${started.ended ?? "nothing in time"}:\n${started.output}`
  }

  /** Runs commands of which the last one stays, until it prints a text, and answers what went wrong. */
  async stay(code: string, text: RegExp): Promise<string | undefined> {
    const started = this.#start(restore + commands + code)
    this.#staying = [...this.#staying, started]
    for (let waited = 0; waited < patience && started.ended === undefined; waited += 50) {
      if (text.test(started.output)) return undefined
      await setTimeout(50)
    }
    return `did not print ${text}:\n${started.output}`
  }

  /** Ends the processes that stay. */
  async stop(): Promise<void> {
    for (const { end } of this.#staying) end()
    await Promise.all(this.#staying.map(({ closed }) => closed))
    this.#before += this.#staying.map(({ output }) => output).join("\n")
    this.#staying = []
  }

  #start(code: string): Started {
    const child = spawn("sh", ["-ec", code], {
      cwd: this.#directory,
      env: this.#environment,
      // A group, so that all processes of a block end together.
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    })
    const closed = new Promise<void>((resolve) => child.once("close", () => resolve()))
    const end = () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid)
      } catch {
        // It has ended.
      }
    }
    const started: Started = { output: "", ended: undefined, closed, end }
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (chunk: string) => {
        started.output += chunk
      })
    }
    child.once("close", (code, signal) => {
      started.ended = code ?? signal ?? undefined
    })
    return started
  }
}
