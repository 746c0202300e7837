/** A file of JSON lines, read in batches after the last line that is done. */
import { createHash, type Hash } from "node:crypto"
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

/** The kind of records, and the shop that gets them. */
interface Subject {
  readonly kind: string
  readonly shop: string
}

/** How far an import has come. */
export interface Progress extends Subject {
  /** Bytes of the file when the import began. */
  readonly size: number
  /** Bytes and lines that are done. */
  readonly offset: number
  readonly lines: number
  /** SHA-256 of the bytes that are done. */
  readonly digest: string
  /** Lines that were imported, and lines that were rejected. */
  readonly imported: number
  readonly rejected: number
  /** Bytes of the file of rejected lines. */
  readonly rejectedBytes: number
}

const progressPath = (file: string): string => `${file}.progress`
export const rejectedPath = (file: string): string => `${file}.rejected`

interface Beginning {
  readonly progress: Progress
  /** The hash of the bytes that are done. */
  readonly done: Hash
}

/**
 * Where an import of a file begins, or continues. It continues in a file of the same length whose lines that are done
 * are the same. Their digest costs reading them once.
 */
export const begin = async (file: string, { kind, shop }: Subject): Promise<Beginning> => {
  if (!existsSync(file)) throw new ImportError({ message: `There is no file ${file}` })
  const { size } = statSync(file)
  if (!existsSync(progressPath(file))) {
    rmSync(rejectedPath(file), { force: true })
    const done = createHash("sha256")
    const none = { offset: 0, lines: 0, digest: hexOf(done), imported: 0, rejected: 0, rejectedBytes: 0 }
    return { progress: { kind, shop, size, ...none }, done }
  }
  const kept = JSON.parse(readFileSync(progressPath(file), "utf8")) as Progress
  const toBegin = `remove ${progressPath(file)} to begin again`
  if (kept.kind !== kind || kept.shop !== shop) {
    const before = `as ${kept.kind} of the shop ${kept.shop}`
    throw new ImportError({ message: `An import of ${file} ${before} was broken off: continue with it, or ${toBegin}` })
  }
  const done = await hashOf(file, kept.offset)
  if (kept.size !== size || kept.digest !== hexOf(done)) {
    throw new ImportError({ message: `${file} has changed since its import was broken off: ${toBegin}` })
  }
  // Lines of a broken-off batch come again.
  if (existsSync(rejectedPath(file))) truncateSync(rejectedPath(file), kept.rejectedBytes)
  return { progress: kept, done }
}

/** The hash of the first bytes of a file. */
const hashOf = async (file: string, bytes: number): Promise<Hash> => {
  const hash = createHash("sha256")
  if (bytes === 0) return hash
  for await (const chunk of createReadStream(file, { end: bytes - 1, highWaterMark: chunkSize })) hash.update(chunk)
  return hash
}

const hexOf = (hash: Hash): string => hash.copy().digest("hex")

/** Keeps how far an import has come: the file is replaced as a whole. */
export const keep = (file: string, progress: Progress): void => {
  writeFileSync(`${progressPath(file)}.new`, JSON.stringify(progress), { flush: true })
  renameSync(`${progressPath(file)}.new`, progressPath(file))
}

/** The import has come to its end. */
export const end = (file: string): void => rmSync(progressPath(file), { force: true })

/** Lines that are imported and noted as done together. */
export interface Batch {
  readonly lines: ReadonlyArray<string>
  /** The place after them, and the SHA-256 of the bytes before it. */
  readonly end: number
  readonly digest: string
}

/** A batch ends with the line that brings it to one of these limits. */
const [mostLines, mostBytes] = [512, 8 * 1024 * 1024]

/** A line may have as many bytes as an order's designs. */
const longestLine = 64 * 1024 * 1024

const chunkSize = 1024 * 1024

/** The lines that are not done, in batches. */
export async function* batches(file: string, { done, progress: { offset } }: Beginning): AsyncGenerator<Batch> {
  const hash = done.copy()
  let lines: Array<string> = []
  let held: Buffer = Buffer.alloc(0)
  let [end, began] = [offset, offset]
  /** Some editors begin a file with a byte order mark. */
  const add = (line: string) => lines.push(end === 0 ? line.replace(/^\ufeff/, "") : line)
  const batch = (): Batch => {
    const made = { lines, end, digest: hexOf(hash) }
    lines = []
    began = end
    return made
  }
  for await (const chunk of createReadStream(file, { start: offset, highWaterMark: chunkSize })) {
    held = held.length === 0 ? (chunk as Buffer) : Buffer.concat([held, chunk as Buffer])
    let [from, hashed] = [0, 0]
    for (let newline = held.indexOf(10, from); newline !== -1; newline = held.indexOf(10, from)) {
      add(held.toString("utf8", from, newline))
      end += newline + 1 - from
      from = newline + 1
      if (lines.length < mostLines && end - began < mostBytes) continue
      hash.update(held.subarray(hashed, from))
      hashed = from
      yield batch()
    }
    hash.update(held.subarray(hashed, from))
    held = held.subarray(from)
    if (held.length > longestLine) throw new ImportError({ message: `The line after byte ${end} is too long` })
  }
  if (held.length > 0) {
    add(held.toString("utf8"))
    end += held.length
    hash.update(held)
  }
  if (lines.length > 0) yield batch()
}
