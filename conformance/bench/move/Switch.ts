/** What writers notice of the move of a large bucket: while it is copied, and while it is switched. */
import type { Cleanup } from "../support/Cleanup.ts"
import { instant, pause } from "../support/Clock.ts"
import { note } from "../support/Main.ts"
import { type Finding, finding } from "../support/Report.ts"
import { percentiles } from "../support/Statistics.ts"
import { bucket, type Deployment, succeeded, whereabouts } from "./Deployment.ts"
import { startStage } from "./Stage.ts"
import { verdict } from "./Verdict.ts"
import type { Write } from "./Writers.ts"

/** A time in which hosts may have found the bucket closed, in milliseconds since 1970. */
interface Window {
  readonly from: number
  readonly to: number
}

/** Looks every few milliseconds whether the bucket is being switched, until the returned function is called. */
const watch = (deployment: Deployment): (() => Promise<ReadonlyArray<Window>>) => {
  const windows: Array<Window> = []
  let isOver = false
  const watching = (async () => {
    let from: number | undefined
    for (let before = instant(); !isOver; ) {
      const { phase } = await whereabouts(deployment)
      const now = instant()
      if (phase === "switching") from ??= before
      else if (from !== undefined) {
        windows.push({ from, to: now })
        from = undefined
      }
      before = now
      await pause(5)
    }
  })()
  return async () => {
    isOver = true
    await watching
    return windows
  }
}

/** Figures of some writes, in milliseconds. */
const figures = (writes: ReadonlyArray<Write>) => {
  const times = writes.map(({ begun, done }) => done - begun)
  const { p50, p99 } = percentiles(times)
  return { writes: writes.length, p50, p99, max: Math.max(0, ...times) }
}

/** The longest time without an acknowledgement that begins in a window or ends in it. */
const longestSilence = (writes: ReadonlyArray<Write>, { from, to }: Window): number => {
  const ends = writes.map(({ done }) => done).toSorted((one, other) => one - other)
  const gaps = ends.slice(1).map((end, index) => ({ begin: ends[index] ?? end, end }))
  return Math.max(0, ...gaps.flatMap(({ begin, end }) => (begin <= to && end >= from ? [end - begin] : [])))
}

/** How this part runs. */
export interface SwitchOptions {
  /** Rows in the bucket, about. */
  readonly rows: number
  /** Seconds of writing before the move, and after it. */
  readonly seconds: number
  /** Orders per second of each of three writers. */
  readonly perSecond: number
}

/** Moves the bucket once while orders come in. */
export const measureSwitch = async (
  cleanup: Cleanup,
  { perSecond, rows, seconds }: SwitchOptions,
): Promise<ReadonlyArray<Finding>> => {
  const stage = await startStage(cleanup, { rows, pace: { writers: 3, perSecond, atOnce: 200 } })
  const { deployment, host } = stage
  note("Writing")
  await host.begin()
  // Code is compiled and caches are filled before anything is measured.
  await pause(5_000)
  const begun = instant()
  await pause(1_000 * seconds)
  const stopWatching = watch(deployment)
  const moving = instant()
  note("Moving")
  await succeeded(deployment.command("bucket", "move", bucket, "--to", "second"))
  const moved = instant()
  const windows = await stopWatching()
  await pause(1_000 * seconds)
  const result = await host.end()
  note("Checking")
  const { writes } = result
  const { arrivals, findings } = await verdict(stage, result)

  const [first, last] = [windows[0], windows.at(-1)]
  if (first === undefined || last === undefined) throw new Error("The switch was not seen")
  // The first order that began after the switch may find an old map.
  const after = Math.min(...writes.flatMap(({ begun, done }) => (begun > last.to ? [done] : [])))
  const all = [...windows.slice(0, -1), { from: last.from, to: after }]
  const isWithin = ({ begun, done }: Write) => all.some(({ from, to }) => begun <= to && done >= from)
  const before = figures(writes.filter((one) => one.begun >= begun && one.done <= moving))
  const copying = figures(writes.filter((one) => one.begun >= moving && one.done <= last.to && !isWithin(one)))
  const switching = figures(writes.filter(isWithin))
  const later = figures(writes.filter((one) => one.begun > last.to && !isWithin(one)))
  const twice = [...arrivals.values()].filter(({ times }) => times > 1)
  const isUnderWay = (at: number) => all.some(({ from, to }) => at >= from - 1_000 && at <= to + 1_000)
  const details = {
    ...{ before, copying, switching, later, tries: windows.length },
    copyingSeconds: (last.from - moving) / 1_000,
    commandSeconds: (moved - moving) / 1_000,
    announcedUntilMoved: last.to - last.from,
    longestSilence: longestSilence(writes, last),
  }
  const failed = writes.filter(({ unknown }) => unknown > 0).length
  note(JSON.stringify(details))
  return [
    finding("p99 of an order in the switch", "ms", { designwire: switching.p99 }, { most: 2_500 }, details),
    finding(
      "p99 of an order while copying, and before",
      "ms",
      { designwire: copying.p99, other: before.p99 },
      { most: 2 },
    ),
    finding("orders that failed at first", "orders", { designwire: failed }, { most: 0 }, result.failures),
    finding(
      "deliveries sent twice that were not under way in the switch",
      "deliveries",
      { designwire: twice.filter(({ at }) => !isUnderWay(at)).length },
      { most: 0 },
      { twice: twice.length },
    ),
    ...findings,
  ]
}
