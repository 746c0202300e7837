import { Clock, Effect, Layer, Logger, type LogLevel, Queue } from "effect"
import { logged } from "../model/log/LogEvent.ts"

/** Milliseconds without a failure after which an outage is over: workers try again every second. */
const quiet = 10_000

/** Milliseconds between two lines about an outage that continues. */
const interval = 60_000

/** The most reasons of one outage that have a line of their own. */
const mostReasons = 5

interface Outage {
  readonly since: number
  last: number
  toldAt: number
  failures: number
  /** The reasons that have been logged. */
  readonly reasons: Set<string>
}

/** A failure of the store that may pass without a change. */
interface Failure {
  readonly _tag: "StorageError" | "SqlError"
  readonly message: string
}

/**
 * Keeps the log of a process short while its store can't be reached, although every request and every look for
 * deliveries fails. Of the lines with a failure of the store that may pass, the first for each reason is logged. Then
 * there is one line a minute, and one when the outage is over, with the number of failures.
 */
export const layerOutageLog: Layer.Layer<never> = Layer.effect(
  Logger.CurrentLoggers,
  Effect.gen(function* () {
    const loggers = yield* Logger.CurrentLoggers
    const begun = yield* Queue.sliding<void>(1)
    const going = yield* Queue.sliding<{ readonly level: LogLevel.Severity; readonly line: string }>(1)
    let outage: Outage | undefined

    const logger = Logger.make<unknown, void>((entry) => {
      const pass = () => {
        for (const each of loggers) each.log(entry)
      }
      const parts = Array.isArray(entry.message) ? entry.message : [entry.message]
      const failure = parts.find(isFailure)
      if (failure === undefined) return pass()
      const now = entry.date.getTime()
      if (outage === undefined) {
        outage = { since: now, last: now, toldAt: now, failures: 0, reasons: new Set() }
        Queue.offerUnsafe(begun, undefined)
      }
      outage.failures++
      outage.last = now
      // What failed comes before the colon.
      const reason = failure.message.replace(/^[^:]*: /, "")
      if (!outage.reasons.has(reason) && outage.reasons.size < mostReasons) {
        outage.reasons.add(reason)
        pass()
      } else if (now >= outage.toldAt + interval) {
        outage.toldAt = now
        const line = `The store has failed ${timesWithin(outage)}, the last time: ${failure.message}`
        // Not by this logger: the line has an event of its own.
        Queue.offerUnsafe(going, { level: entry.logLevel as LogLevel.Severity, line })
      }
    })

    const untilOver = Effect.gen(function* () {
      while (outage !== undefined) {
        const left = outage.last + quiet - (yield* Clock.currentTimeMillis)
        if (left > 0) yield* Effect.sleep(left)
        else {
          const over = outage
          outage = undefined
          yield* Effect.log(
            `The store has not failed for ${quiet / 1000} seconds; before, it failed ${timesWithin(over)}`,
          ).pipe(logged("store.recovered", { failures: over.failures }))
        }
      }
    })
    yield* Queue.take(begun).pipe(Effect.andThen(untilOver), Effect.forever, Effect.forkScoped)
    yield* Queue.take(going).pipe(
      Effect.flatMap(({ level, line }) => Effect.logWithLevel(level)(line).pipe(logged("store.failing"))),
      Effect.forever,
      Effect.forkScoped,
    )
    return new Set([logger])
  }),
)

const isFailure = (part: unknown): part is Failure =>
  typeof part === "object" &&
  part !== null &&
  "_tag" in part &&
  (part._tag === "StorageError" || part._tag === "SqlError") &&
  "isRetryable" in part &&
  part.isRetryable === true

const timesWithin = ({ failures, last, since }: Outage): string =>
  `${failures === 1 ? "once" : `${failures} times`} within ${Math.ceil((last - since) / 1000)} seconds`
