import { Array as Arr, Console, Data, Effect, type Option, Result, Schedule } from "effect"
import { layerCrypto } from "../../../adapters/node/index.ts"
import { command } from "../../../core/model/audit/Actor.ts"
import type { OrderInput } from "../../../core/model/Order.ts"
import { StorageError } from "../../../core/ports/StorageError.ts"
import { CurrentActor } from "../../../core/support/CurrentActor.ts"
import { importCustomizer } from "../../../core/usecases/bulk/ImportCustomizer.ts"
import { importDesigns } from "../../../core/usecases/bulk/ImportDesigns.ts"
import { type Imported, orRefused } from "../../../core/usecases/bulk/Imported.ts"
import { importOrders } from "../../../core/usecases/bulk/ImportOrders.ts"
import { configError, readConfig } from "../ReadConfig.ts"
import { stores } from "../Stores.ts"
import { openFiles, type Progress, type Rejected, rejectedOf } from "./ImportFiles.ts"
import type { Line } from "./Lines.ts"
import { makeMeter } from "./Meter.ts"
import { shopNamed } from "./Shop.ts"
import { windowsOf } from "./Windows.ts"

/** The parameters of the command. */
export interface ImportOptions {
  readonly kind: "customizers" | "designs" | "orders"
  readonly file: string
  readonly shop: Option.Option<string>
}

/** Some lines of the file were refused. */
class LinesRejected extends Data.TaggedError("LinesRejected")<{ readonly message: string }> {}

type Value = Readonly<Record<string, unknown>>

/** The effect of the import of a value, or the reason why it is refused. */
type Outcome = Result.Result<Imported, { readonly message: string }>

/** How the values of a kind are stored. */
interface Kind {
  /** Values that are stored by one call. */
  readonly batch: number
  /** Calls at once. */
  readonly calls: number
  /** The names in a value: two values with the same name are stored one after the other. */
  readonly namesOf: (value: Value) => ReadonlyArray<unknown>
  readonly store: (
    shop: string,
    values: ReadonlyArray<Value>,
  ) => ReturnType<typeof storeCustomizer> | ReturnType<typeof storeDesigns> | ReturnType<typeof storeOrders>
}

const storeCustomizer = (shop: string, [value = {}]: ReadonlyArray<Value>) => {
  const { id, ...input } = value
  return Effect.map(orRefused(importCustomizer(shop, id, input)), (outcome) => [outcome])
}

const storeDesigns = (shop: string, values: ReadonlyArray<Value>) =>
  importDesigns(
    shop,
    values.map(({ id, ...input }) => ({ id, input })),
  )

const storeOrders = (shop: string, values: ReadonlyArray<Value>) =>
  importOrders(
    shop,
    values.map(({ id, ...input }) => ({ id, input })),
  )

const ownId = ({ id }: Value): ReadonlyArray<unknown> => [id]

const kinds: Readonly<Record<ImportOptions["kind"], Kind>> = {
  customizers: { batch: 1, calls: 1, namesOf: ownId, store: storeCustomizer },
  designs: { batch: 100, calls: 4, namesOf: ownId, store: storeDesigns },
  orders: {
    batch: 100,
    calls: 4,
    namesOf: ({ id, lines }) => [
      `order ${id}`,
      ...(Array.isArray(lines) ? lines.map((line: Partial<OrderInput["lines"][number]> | null) => line?.designId) : []),
    ],
    store: storeOrders,
  },
}

/**
 * `designwire import`: stores the objects of a file, one JSON object a line, as the management API would. Run again
 * after it was broken off, it goes on; run again after it has ended, it finds everything unchanged.
 */
export const importFile = Effect.fn("import")(function* ({ file, kind, shop: named }: ImportOptions) {
  const config = yield* readConfig(process.env, [])
  yield* Effect.gen(function* () {
    const shop = yield* shopNamed(named)
    const files = yield* openFiles(file, kind, shop)
    const { begin } = files
    if (files.goesOn) yield* Console.error(`Going on after line ${begin.line}`)
    const meter = makeMeter(begin)
    const { batch, calls, namesOf, store } = kinds[kind]
    const windows = windowsOf(file, begin, namesOf)
    let progress = begin
    for (;;) {
      const read = yield* Effect.tryPromise({
        try: () => windows.next(),
        catch: (error) => configError(`${file} can't be read: ${error}`),
      })
      if (read.done === true) break
      const { end, entries } = read.value
      const [rejected, valid]: [Array<Rejected>, Array<{ readonly line: Line; readonly value: Value }>] = [[], []]
      for (const { line, value } of entries) {
        if (value === undefined) continue
        if (Result.isFailure(value)) rejected.push({ line, reason: value.failure })
        else valid.push({ line, value: value.success })
      }
      const outcomes = yield* Effect.forEach(
        Arr.chunksOf(valid, batch),
        (part) =>
          patiently(
            store(
              shop,
              part.map(({ value }) => value),
            ),
          ),
        { concurrency: calls },
      )
      const counts = { ...progress.counts }
      for (const [index, outcome] of (outcomes.flat() as ReadonlyArray<Outcome>).entries()) {
        const { line } = valid[index] as (typeof valid)[number]
        if (Result.isSuccess(outcome)) counts[outcome.success] += 1
        else rejected.push({ line, reason: outcome.failure.message })
      }
      counts.rejected += rejected.length
      rejected.sort((left, right) => left.line.number - right.line.number)
      const rejectedBytes = rejected.length === 0 ? progress.rejectedBytes : yield* files.reject(rejected)
      progress = { ...progress, ...end, rejectedBytes, counts }
      yield* files.keep(progress)
      yield* meter.show(progress)
    }
    yield* files.complete
    yield* meter.end
    yield* Console.log(summary(progress, kind))
    if (progress.counts.rejected > 0) {
      yield* new LinesRejected({
        message: `${rejectedOf(file)} has the refused ${progress.counts.rejected === 1 ? "line" : "lines"} with the reasons`,
      })
    }
  }).pipe(
    Effect.onInterrupt(() => Console.error(`\nStopped: run the same command again to go on`)),
    Effect.provide(stores(config)),
    Effect.provide(layerCrypto),
    Effect.provideService(CurrentActor, command("designwire import")),
  )
})

/** A store that is away for some seconds does not end an import. */
const patiently = <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.retry(call, {
    times: 6,
    schedule: Schedule.exponential("250 millis"),
    while: (error) => error instanceof StorageError && error.isRetryable,
  })

const number = new Intl.NumberFormat("en")

const summary = ({ counts }: Progress, kind: string): string =>
  `Imported ${kind}: ${Object.entries(counts)
    .map(([name, count]) => `${number.format(count)} ${name}`)
    .join(", ")}`
