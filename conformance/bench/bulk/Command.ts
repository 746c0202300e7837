/** The built command as a process: how long it takes, and the most memory that it has at a time. */
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import process from "node:process"
import { fileURLToPath } from "node:url"

const main = fileURLToPath(new URL("../../../dist/hosts/cli/main.js", import.meta.url))

/** A run of the command that ended well. */
export interface Run {
  readonly seconds: number
  /** The most resident memory, in MiB; 0 where the system does not say. */
  readonly peak: number
  readonly lines: number
  readonly bytes: number
  /** The end of its output. */
  readonly tail: string
  readonly digest: string
}

/** Runs the command to its end, and reads its output as fast as it comes. Fails if it fails. */
export const runCommand = async (parameters: ReadonlyArray<string>, url: string): Promise<Run> => {
  const startedAt = performance.now()
  const child = spawn(process.execPath, ["--max-semi-space-size=16", main, ...parameters], {
    env: { ...process.env, DATABASE_URL: url },
    stdio: ["ignore", "pipe", "inherit"],
  })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject)
    child.once("close", resolve)
  })
  let peak = 0
  const look = async () => {
    const status = await readFile(`/proc/${child.pid}/status`, "utf8").catch(() => "")
    peak = Math.max(peak, Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024)
  }
  const looking = setInterval(look, 100)
  const hash = createHash("sha256")
  let [lines, bytes, tail] = [0, 0, ""]
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    hash.update(chunk)
    bytes += chunk.length
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++
    tail = (tail + chunk.subarray(-200).toString()).slice(-200)
  }
  const code = await ended
  clearInterval(looking)
  if (code !== 0) throw new Error(`designwire ${parameters.join(" ")} ended with ${code}: ${tail}`)
  return { seconds: (performance.now() - startedAt) / 1000, peak, lines, bytes, tail, digest: hash.digest("hex") }
}
