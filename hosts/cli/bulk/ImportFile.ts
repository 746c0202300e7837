/** A file of JSON lines, read in batches after the last line that is done. */
import {
  createReadStream,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs"
import { Data } from "effect"

/** The file can't be imported. */
export class ImportError extends Data.TaggedError("ImportError")<{ readonly message: string }> {}

/** How far an import has come. */
export interface Progress {
  /** Bytes of the file when the import began. */
  readonly size: number
  /** Bytes and lines that are done. */
  readonly offset: number
  readonly lines: number
  /** Lines that were imported, and lines that were rejected. */
  readonly imported: number
  readonly rejected: number
  /** Bytes of the file of rejected lines. */
  readonly rejectedBytes: number
}

const progressPath = (file: string): string => `${file}.progress`
export const rejectedPath = (file: string): string => `${file}.rejected`

/** Where an import of a file begins, or goes on. */
export const begin = (file: string): Progress => {
  if (!existsSync(file)) throw new ImportError({ message: `There is no file ${file}` })
  const { size } = statSync(file)
  if (!existsSync(progressPath(file))) {
    rmSync(rejectedPath(file), { force: true })
    return { size, offset: 0, lines: 0, imported: 0, rejected: 0, rejectedBytes: 0 }
  }
  const kept = JSON.parse(readFileSync(progressPath(file), "utf8")) as Progress
  if (kept.size !== size) {
    const message = `${file} has changed since its import was broken off: remove ${progressPath(file)} to begin again`
    throw new ImportError({ message })
  }
  // What a broken-off batch has added comes again.
  if (existsSync(rejectedPath(file))) truncateSync(rejectedPath(file), kept.rejectedBytes)
  return kept
}

/** Keeps how far an import has come: the file is replaced as a whole. */
export const keep = (file: string, progress: Progress): void => {
  writeFileSync(`${progressPath(file)}.new`, JSON.stringify(progress), { flush: true })
  renameSync(`${progressPath(file)}.new`, progressPath(file))
}

/** The import has come to its end. */
export const end = (file: string): void => rmSync(progressPath(file), { force: true })

/** A line of the file, and the place after it. */
export interface Line {
  readonly text: string
  readonly end: number
}

/** A line may have as many bytes as an order's designs. */
const longestLine = 64 * 1024 * 1024

/** The lines from a place on, in batches. */
export async function* batches(file: string, offset: number, size: number): AsyncGenerator<ReadonlyArray<Line>> {
  let batch: Array<Line> = []
  let held: Buffer = Buffer.alloc(0)
  let at = offset
  for await (const chunk of createReadStream(file, { start: offset, highWaterMark: 1024 * 1024 })) {
    held = held.length === 0 ? (chunk as Buffer) : Buffer.concat([held, chunk as Buffer])
    let from = 0
    for (let newline = held.indexOf(10, from); newline !== -1; newline = held.indexOf(10, from)) {
      at += newline + 1 - from
      batch.push({ text: held.toString("utf8", from, newline), end: at })
      from = newline + 1
      if (batch.length < size) continue
      yield batch
      batch = []
    }
    held = held.subarray(from)
    if (held.length > longestLine) throw new ImportError({ message: `The line after byte ${at} is too long` })
  }
  if (held.length > 0) batch.push({ text: held.toString("utf8"), end: at + held.length })
  if (batch.length > 0) yield batch
}
