import { Console, Effect } from "effect"

/** Milliseconds between two looks at the progress: on a terminal, and in a log. */
const [barEvery, lineEvery] = [200, 10_000]

const width = 30

/** Shows on stderr how far something has come: a bar on a terminal, and otherwise a line now and then. */
export const makeProgressBar = (isTerminal: boolean, now: () => number) => {
  const began = now()
  let shownAt = isTerminal ? Number.NEGATIVE_INFINITY : began
  /** `share` is from 0 to 1, `lines` the number of lines that are done since the beginning. */
  return ({ lines, share }: { readonly share: number; readonly lines: number }): Effect.Effect<void> =>
    Effect.suspend(() => {
      const at = now()
      const isDone = share >= 1
      if (!isDone && at - shownAt < (isTerminal ? barEvery : lineEvery)) return Effect.void
      shownAt = at
      const rate = Math.round((lines * 1000) / Math.max(1, at - began))
      const text = `${Math.floor(share * 100)} %, ${lines} lines, ${rate} a second`
      if (!isTerminal) return isDone ? Effect.void : Console.error(text)
      const bar = "█".repeat(Math.round(share * width)).padEnd(width, "░")
      return Effect.sync(() => process.stderr.write(`\r${bar} ${text}\u001b[K${isDone ? "\n" : ""}`))
    })
}
