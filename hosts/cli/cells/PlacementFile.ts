import { readFile, stat } from "node:fs/promises"
import { Data, Effect, Schedule } from "effect"
import { reasonOf } from "../../../adapters/sql/statements/Reason.ts"
import { logged } from "../../../core/model/log/LogEvent.ts"
import { parsePlaces } from "./Places.ts"

/** The map can't be read. */
export class MapError extends Data.TaggedError("MapError")<{ readonly message: string }> {}

/** Reads the map: the cell of each shop. */
export const readPlaces = (file: string): Effect.Effect<ReadonlyMap<string, string>, MapError> =>
  Effect.flatMap(
    Effect.tryPromise({
      try: () => readFile(file, "utf8"),
      catch: (cause) => new MapError({ message: `DESIGNWIRE_CELLS_FILE: ${reasonOf(cause)}` }),
    }),
    (text) => {
      const { places, problems } = parsePlaces(text)
      return problems.length === 0
        ? Effect.succeed(places)
        : Effect.fail(new MapError({ message: `DESIGNWIRE_CELLS_FILE: ${problems.slice(0, 10).join("; ")}` }))
    },
  )

/**
 * Whether the map places a shop in this cell. Reads the file again within a second of a change, until the scope closes.
 * While it can't be read, the map before holds.
 */
export const followPlaces = Effect.fnUntraced(function* (cell: string, file: string) {
  const version = Effect.promise(() =>
    stat(file).then(
      ({ ino, mtimeMs, size }) => `${ino} ${mtimeMs} ${size}`,
      () => "",
    ),
  )
  let known = yield* version
  let places = yield* readPlaces(file)
  const look = Effect.gen(function* () {
    const now = yield* version
    if (now === known) return
    known = now
    places = yield* readPlaces(file)
  }).pipe(
    Effect.catch(({ message }) =>
      Effect.logWarning(`${message}. The map before holds`).pipe(logged("cells.map_unreadable")),
    ),
  )
  yield* Effect.forkScoped(Effect.repeat(look, Schedule.spaced("250 millis")))
  return (shop: string): boolean => places.get(shop) === cell
})
