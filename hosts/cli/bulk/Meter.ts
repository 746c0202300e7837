import { Clock, Effect } from "effect"
import { progressBar, showLine } from "../bucket/Progress.ts"
import type { Progress } from "./ImportFiles.ts"

/** How often a line is shown, in milliseconds: on a terminal it changes, elsewhere each is a line of its own. */
const every = process.stderr.isTTY ? 200 : 10_000

/** Shows on stderr how far an import has got. */
export const makeMeter = (begin: Progress) => {
  let [startedAt, shownAt]: [number | undefined, number | undefined] = [undefined, undefined]
  return {
    show: ({ file, line, offset }: Progress): Effect.Effect<void> =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        startedAt ??= now
        if (shownAt !== undefined && now - shownAt < every) return Effect.void
        shownAt = now
        const rate = Math.round(((line - begin.line) * 1000) / Math.max(1, now - startedAt))
        const part = file.bytes === 0 ? 1 : offset / file.bytes
        return showLine(`${progressBar(part)}  ${line} lines${now === startedAt ? "" : `  ${rate} a second`}`)
      }),
    /** The next output has a line of its own. */
    end: Effect.sync(() => {
      if (process.stderr.isTTY && shownAt !== undefined) process.stderr.write("\n")
    }),
  }
}
