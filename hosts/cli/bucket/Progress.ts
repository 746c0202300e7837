import { Effect } from "effect"
import type { MoveProgress } from "../../../adapters/buckets/index.ts"
import { sizeOf } from "./OpenBuckets.ts"

const width = 24

/** A bar, and the part in per cent. */
export const progressBar = (part: number): string => {
  const full = Math.round(part * width)
  return `[${"#".repeat(full)}${"-".repeat(width - full)}] ${Math.floor(part * 100)} %`
}

/** How far a move has got, as a bar with figures. */
export const progressLine = ({ bytes, copied, copiedBytes, errors, lag, tables }: MoveProgress): string => {
  const part = copied === tables ? 1 : Math.min(0.99, bytes === 0 ? copied / Math.max(1, tables) : copiedBytes / bytes)
  return [
    progressBar(part),
    `${copied} of ${tables} tables`,
    `${sizeOf(copiedBytes)} of ${sizeOf(bytes)}`,
    `${sizeOf(Math.max(0, lag))} behind`,
    ...(errors === 0 ? [] : [`${errors} errors: see the log of the target's server`]),
  ].join("  ")
}

/** Shows on stderr how far a command has got: on a terminal one line that changes, otherwise a line each time. */
export const showLine = (line: string): Effect.Effect<void> =>
  Effect.sync(() => {
    process.stderr.write(process.stderr.isTTY ? `\r\x1b[2K${line}` : `${line}\n`)
  })
