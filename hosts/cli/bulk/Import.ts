import { appendFileSync } from "node:fs"
import { Clock, Console, Effect, Stream } from "effect"
import { layerCrypto } from "../../../adapters/node/index.ts"
import { reasonOf } from "../../../adapters/sql/statements/Reason.ts"
import { command } from "../../../core/model/audit/Actor.ts"
import { CurrentActor } from "../../../core/support/CurrentActor.ts"
import { shopOf } from "../../../core/support/ShopOf.ts"
import { importCustomizer, importDesign } from "../../../core/usecases/bulk/ImportRecords.ts"
import { placeOrder } from "../../../core/usecases/orders/PlaceOrder.ts"
import { readConfig } from "../ReadConfig.ts"
import { stores } from "../Stores.ts"
import { batches, begin, end, ImportError, keep, type Line, type Progress, rejectedPath } from "./ImportFile.ts"
import { makeProgressBar } from "./ProgressBar.ts"

/** Lines that are read, imported and noted as done together, and how many of them at the same time. */
const [batchSize, concurrency] = [512, 24]

export const kinds = ["customizers", "designs", "orders"] as const
export type Kind = (typeof kinds)[number]

export interface ImportOptions {
  readonly kind: Kind
  readonly file: string
  readonly shop: string
}

/** `designwire import`: reads a file into a shop. Run again, it continues after the last line that is done. */
export const importFile = Effect.fn("import")(function* ({ file, kind, shop }: ImportOptions) {
  const config = yield* readConfig(process.env, [])
  return yield* Effect.gen(function* () {
    yield* shopOf(shop)
    let progress = yield* Effect.try({ try: () => begin(file), catch: asImportError })
    const first = progress.lines
    if (first > 0) yield* Console.error(`Going on after line ${first}`)
    const clock = yield* Clock.Clock
    const show = makeProgressBar(process.stderr.isTTY === true, () => clock.currentTimeMillisUnsafe())
    yield* Stream.runForEach(
      Stream.fromAsyncIterable(batches(file, progress.offset, batchSize), asImportError),
      Effect.fnUntraced(function* (batch) {
        progress = yield* importBatch({ file, kind, shop }, batch, progress)
        yield* show({ share: progress.offset / progress.size, lines: progress.lines - first })
      }),
    )
    end(file)
    yield* Console.log(`Imported ${progress.imported} ${kind}, rejected ${progress.rejected}`)
    if (progress.rejected > 0) {
      const message = `The rejected lines are in ${rejectedPath(file)}, each with the reason`
      yield* new ImportError({ message })
    }
  }).pipe(
    Effect.provideService(CurrentActor, command("designwire import")),
    Effect.scoped,
    Effect.provide(stores(config)),
  )
}, Effect.provide(layerCrypto))

const asImportError = (cause: unknown): ImportError =>
  cause instanceof ImportError ? cause : new ImportError({ message: `The file can't be read: ${reasonOf(cause)}` })

/** Imports lines, and keeps which were rejected and how far the import has come. */
const importBatch = Effect.fnUntraced(function* (
  { file, kind, shop }: ImportOptions,
  batch: ReadonlyArray<Line>,
  before: Progress,
) {
  const reasons = yield* Effect.forEach(batch, ({ text }) => importLine(kind, shop, text), { concurrency })
  const rejected = batch.flatMap(({ text }, index) => {
    const reason = reasons[index]
    return reason === undefined ? [] : [`${JSON.stringify({ line: before.lines + index + 1, reason, text })}\n`]
  })
  const blank = batch.filter(({ text }) => text.trim() === "").length
  const added = rejected.join("")
  const progress: Progress = {
    size: before.size,
    offset: batch.at(-1)?.end ?? before.offset,
    lines: before.lines + batch.length,
    imported: before.imported + batch.length - rejected.length - blank,
    rejected: before.rejected + rejected.length,
    rejectedBytes: before.rejectedBytes + Buffer.byteLength(added),
  }
  yield* Effect.sync(() => {
    if (added !== "") appendFileSync(rejectedPath(file), added, { flush: true })
    keep(file, progress)
  })
  return progress
})

/** Imports a line. Returns why it was rejected; fails if the store does. */
const importLine = Effect.fnUntraced(
  function* (kind: Kind, shop: string, text: string) {
    if (text.trim() === "") return undefined
    const record = parseLine(text)
    if (typeof record === "string") return record
    const { id, ...input } = record
    if (kind === "customizers") yield* importCustomizer(shop, id as never, input as never)
    else if (kind === "designs") yield* importDesign(shop, id as never, input as never)
    else yield* placeOrder(shop, id as never, input as never)
    return undefined
  },
  Effect.catch((error) => (error._tag === "StorageError" ? Effect.fail(error) : Effect.succeed(error.message))),
)

const parseLine = (text: string): { readonly [name: string]: unknown } | string => {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== "object" || value === null || Array.isArray(value)) return "The line is not a JSON object"
    return "id" in value ? (value as { readonly [name: string]: unknown }) : "The object has no id"
  } catch (cause) {
    return `The line is not JSON: ${reasonOf(cause)}`
  }
}
