/** Profiles the processor time of this process. */
import { type Profiler, Session } from "node:inspector"

/** Microseconds between two samples. */
const interval = 200

/** Groups by the location of the code; the first match counts. */
const groups: ReadonlyArray<readonly [name: string, where: RegExp]> = [
  ["effect", /node_modules\/(effect|@effect)\//],
  ["undici", /node_modules\/undici\/|^wasm:/],
  ["other packages", /node_modules\//],
  ["own code", /^file:/],
  ["sockets and streams", /^node:(net|internal\/(stream|streams)|stream)/],
  ["crypto", /crypto/],
  ["other parts of Node", /^node:/],
]

/** Entries that V8 names without a location. */
const natives: ReadonlyMap<string, string> = new Map([
  ["(garbage collector)", "garbage collection"],
  ["writev", "sockets and streams"],
  ["writeBuffer", "sockets and streams"],
  ["writeUtf8String", "sockets and streams"],
  ["writeLatin1String", "sockets and streams"],
  ["(program)", "native code"],
])

const groupOf = ({ functionName, url }: Profiler.ProfileNode["callFrame"]): string | undefined => {
  if (functionName === "(idle)") return undefined
  if (url === "") return natives.get(functionName) ?? "native code"
  return groups.find(([, where]) => where.test(url))?.[0] ?? "native code"
}

/** Starts sampling. The returned function stops it, and returns the milliseconds of each group. */
export const profile = (): (() => Readonly<Record<string, number>>) => {
  const session = new Session()
  session.connect()
  session.post("Profiler.enable")
  session.post("Profiler.setSamplingInterval", { interval })
  session.post("Profiler.start")
  return () => {
    let taken: Profiler.Profile | undefined
    // Within one process the result arrives before `post` returns.
    session.post("Profiler.stop", (_, answer) => {
      taken = answer.profile
    })
    session.disconnect()
    const groupById = new Map(taken?.nodes.map((node) => [node.id, groupOf(node.callFrame)]))
    const times: Record<string, number> = {}
    for (const [index, id] of (taken?.samples ?? []).entries()) {
      const group = groupById.get(id)
      if (group !== undefined) times[group] = (times[group] ?? 0) + (taken?.timeDeltas?.[index] ?? 0) / 1_000
    }
    return times
  }
}
