import { describe, expect, it } from "@effect/vitest"
import { Effect, type Option } from "effect"
import { CustomizerStore } from "../ports/CustomizerStore.ts"
import { StorageError } from "../ports/StorageError.ts"
import { compiledDefinition, viewsOf } from "./CompiledDefinition.ts"

/** A definition with these views. */
const definition = (...views: ReadonlyArray<string>): string =>
  JSON.stringify({
    schemaVersion: 1,
    steps: views.map((view, index) => ({ id: `s${index}`, title: view, view })),
    questions: [],
    rules: [],
  })

const down = new StorageError({ message: "down", cause: undefined, isRetryable: true })

/** A store whose definition reads a test scripts and counts. */
const makeStore = (read: () => Effect.Effect<Option.Option<string>, StorageError>) => {
  let reads = 0
  const never = () => Effect.die(new Error("not asked for"))
  const store = CustomizerStore.of({
    find: never,
    summary: never,
    list: never,
    versions: never,
    put: never,
    publish: never,
    definition: () =>
      Effect.suspend(() => {
        reads += 1
        return read()
      }),
  })
  return { provide: Effect.provideService(CustomizerStore, store), reads: () => reads }
}

const first = { id: 7, version: 1, digest: "a" }

describe("compiledDefinition", () => {
  it.effect("MUST read a version once, however often it is requested", () =>
    Effect.gen(function* () {
      const { provide, reads } = makeStore(() => Effect.succeedSome(definition("front")))
      for (let times = 0; times < 3; times++) {
        expect((yield* provide(compiledDefinition("s", first))).views).toEqual(["front"])
      }
      expect(reads()).toBe(1)
      yield* provide(compiledDefinition("s", { ...first, version: 2 }))
      yield* provide(compiledDefinition("s", { ...first, id: 8 }))
      yield* provide(compiledDefinition("other", first))
      expect(reads()).toBe(4)
    }),
  )

  it.effect("MUST NOT cache a failed read: the next call reads again", () =>
    Effect.gen(function* () {
      let failures = 2
      const { provide, reads } = makeStore(() =>
        failures-- > 0 ? Effect.fail(down) : Effect.succeedSome(definition("front")),
      )
      for (const _ of [1, 2]) expect(yield* Effect.flip(provide(compiledDefinition("s", first)))).toBe(down)
      for (const _ of [1, 2]) expect((yield* provide(compiledDefinition("s", first))).views).toEqual(["front"])
      expect(reads()).toBe(3)
    }),
  )

  it.effect("MUST NOT return a version that was rolled back for the one published again under its number", () =>
    Effect.gen(function* () {
      let kept = definition("front")
      const { provide } = makeStore(() => Effect.succeedSome(kept))
      expect((yield* provide(compiledDefinition("s", first))).views).toEqual(["front"])
      kept = definition("back")
      expect((yield* provide(compiledDefinition("s", { ...first, digest: "b" }))).views).toEqual(["back"])
    }),
  )

  it.effect("MUST be kept up to 64 MiB, the least recently used dropped first (D46)", () =>
    Effect.gen(function* () {
      // 500,000 characters: about 4 MB compiled.
      const text = definition("front").padEnd(500_000, " ")
      const { provide, reads } = makeStore(() => Effect.succeedSome(text))
      const ask = (version: number) => provide(compiledDefinition("s", { ...first, version }))
      const fit = Math.floor((64 * 1024 * 1024) / (8 * text.length))
      for (let version = 1; version <= fit; version++) yield* ask(version)
      yield* ask(1)
      expect(reads()).toBe(fit)
      yield* ask(fit + 1)
      yield* ask(1)
      expect(reads()).toBe(fit + 1)
      yield* ask(2)
      expect(reads()).toBe(fit + 2)
    }),
  )

  it.effect("MUST be kept by the thousand if they are small", () =>
    Effect.gen(function* () {
      const { provide, reads } = makeStore(() => Effect.succeedSome(definition("front")))
      for (const _ of [1, 2]) {
        for (let id = 1; id <= 2000; id++) yield* provide(compiledDefinition("s", { ...first, id }))
      }
      expect(reads()).toBe(2000)
    }),
  )

  it.effect("MUST keep the definitions of each store separate", () =>
    Effect.gen(function* () {
      const one = makeStore(() => Effect.succeedSome(definition("one")))
      const two = makeStore(() => Effect.succeedSome(definition("two")))
      expect((yield* one.provide(compiledDefinition("s", first))).views).toEqual(["one"])
      expect((yield* two.provide(compiledDefinition("s", first))).views).toEqual(["two"])
    }),
  )
})

describe("viewsOf", () => {
  it.effect("MUST return the views in the order in which the steps name them, as they are now (D7)", () =>
    Effect.gen(function* () {
      let kept = definition("20", "3", "20")
      const { provide } = makeStore(() => Effect.succeedSome(kept))
      expect(yield* provide(viewsOf("s", 7, 1))).toEqual(["20", "3"])
      kept = definition("front")
      expect(yield* provide(viewsOf("s", 7, 1))).toEqual(["front"])
    }),
  )
})
