/** Exports that are written to their clients. */
import { Context, Effect, type Pull, Stream } from "effect"
import type { NonEmptyReadonlyArray } from "effect/Array"
import { HttpServerResponse } from "effect/http"
import { StoodStill } from "../../core/api/CountedBody.ts"
import { Unavailable } from "../../core/api/Errors.ts"
import type { Conflict } from "../../core/model/Errors.ts"
import { logged } from "../../core/model/log/LogEvent.ts"
import type { StorageError } from "../../core/ports/StorageError.ts"
import { exportShop } from "../../core/usecases/bulk/ExportShop.ts"
import { exportTypes } from "./contract/Export.ts"

/** How many exports are written at once. */
interface ExportLimits {
  readonly ofAll: number
  readonly ofShop: number
  /** A client that takes nothing for as long, in milliseconds, loses the rest. */
  readonly patience: number
}

/** The exports of a process that are under way, by shop. */
export class ExportsUnderWay {
  readonly limits: ExportLimits
  readonly #shops: Array<string> = []

  constructor(limits: ExportLimits = { ofAll: 4, ofShop: 2, patience: 30_000 }) {
    this.limits = limits
  }

  /** Takes a place, and returns what gives it back; `undefined` if there is none. */
  take(shop: string): (() => void) | undefined {
    const ofShop = this.#shops.filter((each) => each === shop).length
    if (this.#shops.length >= this.limits.ofAll || ofShop >= this.limits.ofShop) return undefined
    this.#shops.push(shop)
    let isTaken = true
    return () => {
      if (isTaken) this.#shops.splice(this.#shops.indexOf(shop), 1)
      isTaken = false
    }
  }
}

/** The one count of a process, for all its hosts and handlers. */
export const ProcessExports = Context.Reference<ExportsUnderWay>("designwire/manage/ProcessExports", {
  defaultValue: () => new ExportsUnderWay(),
})

const noPlace = new Unavailable({
  message: "As many exports are being written as the service writes at once: try again once one has ended",
})

/** The answer with an export. Whatever fails once its first bytes are sent breaks the connection. */
export const exportAnswer = Effect.fnUntraced(function* (
  shop: string,
  parameters: Readonly<Record<string, string | ReadonlyArray<string>>>,
) {
  const exports = yield* ProcessExports
  const release = exports.take(shop)
  if (release === undefined) return yield* noPlace
  return yield* Effect.gen(function* () {
    const { format, text } = yield* exportShop(shop, parameters)
    const pieces = Stream.flatMap(Stream.encodeText(Stream.tapError(text, report)), piecesOf)
    const written = yield* whileRead(Stream.rechunk(pieces, 1), exports.limits.patience, release)
    return HttpServerResponse.stream(written, { contentType: exportTypes[format] })
  }).pipe(Effect.onError(() => Effect.sync(release)))
})

/** Bytes that are handed over at once, so that a slow client is seen to read. */
const piece = 65_536

const piecesOf = (bytes: Uint8Array) =>
  Stream.fromIterable(
    Array.from({ length: Math.ceil(bytes.length / piece) }, (_, at) => bytes.subarray(at * piece, (at + 1) * piece)),
  )

const report = (error: Conflict | StorageError) =>
  Effect.logError(`An export was broken off: ${error.message}`).pipe(logged("http.export_failed"))

/** The next piece of an export. */
type Piece = Pull.Pull<NonEmptyReadonlyArray<Uint8Array>, Conflict | StorageError | StoodStill>

/** The same stream, which ends early if nobody takes its next piece in time. `released` runs once at its end. */
const whileRead = Effect.fnUntraced(function* (
  bytes: Stream.Stream<Uint8Array, Conflict | StorageError>,
  patience: number,
  released: () => void,
) {
  /** Pieces that were taken; `undefined` once the client has lost the rest. */
  let taken: number | undefined = 0
  let isReading = false
  // Nobody may ever read the body, or end it.
  const watch = Effect.gen(function* () {
    for (let seen = -1; isReading || seen !== taken; ) {
      seen = taken ?? -1
      yield* Effect.sleep(patience)
    }
    taken = undefined
    released()
  })
  const watching = yield* Effect.forkDetach(watch)
  const ended = Effect.sync(() => {
    watching.interruptUnsafe()
    released()
  })
  return Stream.ensuring(
    Stream.transformPull(bytes, (pull) =>
      Effect.succeed(
        Effect.suspend((): Piece => {
          if (taken === undefined) return Effect.fail(new StoodStill({ message: "The client stopped reading" }))
          taken += 1
          isReading = true
          return Effect.ensuring(
            pull,
            Effect.sync(() => {
              isReading = false
            }),
          )
        }),
      ),
    ),
    ended,
  )
})
