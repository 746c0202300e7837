/** The file of the map, as hosts read it: what is wrong with it, and a change while they run. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { TestClock } from "effect/testing"
import { followPlaces, readPlaces } from "./PlacementFile.ts"

const directory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "designwire-map-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true })),
)

it.effect(
  "a map that can't be read MUST be refused by the name of its setting, with the reason or its first ten (D94)",
  () =>
    Effect.gen(function* () {
      const file = join(yield* directory, "map")
      expect((yield* Effect.flip(readPlaces(file))).message).toMatch(/^DESIGNWIRE_CELLS_FILE: .*ENOENT/)
      writeFileSync(file, "a first\nb\na second\n")
      expect((yield* Effect.flip(readPlaces(file))).message).toBe(
        "DESIGNWIRE_CELLS_FILE: line 2 is not a shop and a cell; a is in first and in second",
      )
      writeFileSync(file, "x\n".repeat(12))
      expect((yield* Effect.flip(readPlaces(file))).message.match(/line/g)).toHaveLength(10)
    }).pipe(Effect.scoped),
)

it.effect(
  "a host MUST heed a change of the map, and keep the one before while it can't be read, and say so (D94)",
  () => {
    const lines: Array<string> = []
    return Effect.gen(function* () {
      const file = join(yield* directory, "map")
      writeFileSync(file, "a first\nb second\n")
      const isHere = yield* followPlaces("first", file)
      const becomes = (text: string, expected: ReadonlyArray<boolean>, said: number) =>
        Effect.gen(function* () {
          writeFileSync(file, text)
          const isThere = () => [isHere("a"), isHere("b")].join() === expected.join() && lines.length === said
          const look = Effect.andThen(
            TestClock.adjust("1 second"),
            Effect.promise(() => new Promise(setImmediate)),
          )
          yield* Effect.repeat(look, { until: isThere })
        })
      expect([isHere("a"), isHere("b")]).toEqual([true, false])
      yield* becomes("b first\na second and more\nb second\n", [true, false], 1)
      expect(lines[0]).toMatch(/^DESIGNWIRE_CELLS_FILE: line 2 .*\. The map before holds$/)
      yield* becomes("b first\na second\n", [false, true], 1)
      yield* becomes("b first\na\n", [false, true], 2)
      yield* becomes("a first\nb second\n", [true, false], 2)
    }).pipe(
      Effect.scoped,
      Effect.provide(Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))])),
    )
  },
)
