import { appendFileSync } from "node:fs"
import { Clock, Console, Effect, Result, Stream } from "effect"
import { layerCrypto } from "../../../adapters/node/index.ts"
import { reasonOf } from "../../../adapters/sql/statements/Reason.ts"
import { command } from "../../../core/model/audit/Actor.ts"
import { summary } from "../../../core/model/Input.ts"
import { changedNumbers } from "../../../core/model/json/ExactNumbers.ts"
import { faultOf } from "../../../core/model/json/JsonFault.ts"
import { parseJson } from "../../../core/model/json/ParseJson.ts"
import { OrderStore } from "../../../core/ports/OrderStore.ts"
import { CurrentActor } from "../../../core/support/Auditing.ts"
import { shopOf } from "../../../core/support/ShopRecords.ts"
import { importCustomizers } from "../../../core/usecases/bulk/ImportCustomizers.ts"
import { importDesigns } from "../../../core/usecases/bulk/ImportDesigns.ts"
import type { ImportedRecord } from "../../../core/usecases/bulk/ImportMany.ts"
import { importOrders } from "../../../core/usecases/bulk/ImportOrders.ts"
import { readConfig } from "../ReadConfig.ts"
import { stores } from "../Stores.ts"
import { type Batch, batches, begin, end, ImportError, keep, type Progress, rejectedPath } from "./ImportFile.ts"
import { makeProgressBar } from "./ProgressBar.ts"

export const kinds = ["customizers", "designs", "orders"] as const
export type Kind = (typeof kinds)[number]

export interface ImportOptions {
  readonly kind: Kind
  readonly file: string
  readonly shop: string
  /** Whether what is imported is history, which is sent to nobody. */
  readonly quiet: boolean
}

/** The stores of an import whose events are history. */
const quietly = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  OrderStore.use((store) =>
    Effect.provideService(
      effect,
      OrderStore,
      OrderStore.of({
        ...store,
        commit: (change) => store.commit({ ...change, isQuiet: true }),
        commitOrders: (shop, changes) =>
          store.commitOrders(
            shop,
            changes.map((change) => ({ ...change, isQuiet: true })),
          ),
      }),
    ),
  )

/** `designwire import`: reads a file into a shop. Run again, it continues after the last line that is done. */
export const importFile = Effect.fn("import")(function* ({ file, kind, quiet, shop }: ImportOptions) {
  const config = yield* readConfig(process.env, [])
  return yield* Effect.gen(function* () {
    yield* shopOf(shop)
    const beginning = yield* Effect.tryPromise({ try: () => begin(file, { kind, shop }), catch: asImportError })
    let { progress } = beginning
    const first = progress.lines
    if (first > 0) yield* Console.error(`Going on after line ${first}`)
    const clock = yield* Clock.Clock
    const show = makeProgressBar(process.stderr.isTTY === true, () => clock.currentTimeMillisUnsafe())
    yield* Stream.runForEach(
      Stream.fromAsyncIterable(batches(file, beginning), asImportError),
      Effect.fnUntraced(function* (batch) {
        const importing = importBatch({ file, kind, quiet, shop }, batch, progress)
        progress = yield* quiet ? quietly(importing) : importing
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
const importBatch = Effect.fnUntraced(function* ({ file, kind, shop }: ImportOptions, batch: Batch, before: Progress) {
  const reasons = yield* importLines(kind, shop, batch.lines)
  const rejected = batch.lines.flatMap((text, index) => {
    const reason = reasons[index]
    return reason === undefined ? [] : [`${JSON.stringify({ line: before.lines + index + 1, reason, text })}\n`]
  })
  const blank = batch.lines.filter(isBlank).length
  const added = rejected.join("")
  const progress: Progress = {
    ...before,
    offset: batch.end,
    digest: batch.digest,
    lines: before.lines + batch.lines.length,
    imported: before.imported + batch.lines.length - rejected.length - blank,
    rejected: before.rejected + rejected.length,
    rejectedBytes: before.rejectedBytes + Buffer.byteLength(added),
  }
  yield* Effect.sync(() => {
    if (added !== "") appendFileSync(rejectedPath(file), added, { flush: true })
    keep(file, progress)
  })
  return progress
})

const importRecords = (kind: Kind, shop: string, records: ReadonlyArray<ImportedRecord>) => {
  if (kind === "customizers") return importCustomizers(shop, records)
  return kind === "designs" ? importDesigns(shop, records) : importOrders(shop, records)
}

/** Imports lines. Returns why each was rejected, if it was; fails if the store does. */
const importLines = Effect.fnUntraced(function* (kind: Kind, shop: string, lines: ReadonlyArray<string>) {
  const reasons: Array<string | undefined> = []
  const records: Array<ImportedRecord> = []
  const places: Array<number> = []
  for (const [index, text] of lines.entries()) {
    const record = isBlank(text) ? undefined : parseLine(text)
    if (typeof record === "string") reasons[index] = record
    if (typeof record !== "object") continue
    records.push(record)
    places.push(index)
  }
  for (const [index, outcome] of (yield* importRecords(kind, shop, records)).entries()) {
    if (Result.isFailure(outcome)) reasons[places[index] as number] = outcome.failure.message
  }
  return reasons
})

const isBlank = (text: string): boolean => text.trim() === ""

const parseLine = (text: string): ImportedRecord | string => {
  const parsed = parseJson(text)
  if (Result.isFailure(parsed)) return parsed.failure ?? `The line is not JSON from character ${faultOf(text) + 1} on`
  const changed = changedNumbers(text)
  if (changed.total > 0) return summary("The line is not allowed", changed)
  const value = parsed.success
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "The line is not a JSON object"
  if (!("id" in value)) return "The object has no id"
  const { id, ...input } = value
  return { id, input }
}
