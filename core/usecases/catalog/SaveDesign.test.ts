import { NodeCrypto } from "@effect/platform-node"
import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { layer as memory } from "../../../adapters/memory/index.ts"
import type { Definition } from "../../model/catalog/Definition.ts"
import { CustomizerStore } from "../../ports/CustomizerStore.ts"
import { StorageError } from "../../ports/StorageError.ts"
import { putShop } from "../shops/ManageShops.ts"
import { publishCustomizer } from "./PublishCustomizer.ts"
import { putCustomizer } from "./PutCustomizer.ts"
import { saveDesign } from "./SaveDesign.ts"

const definition: Definition = {
  schemaVersion: 1,
  steps: [{ id: "s", title: "S", view: "front" }],
  questions: [],
  rules: [],
}

/**
 * A shop with a published customizer, over a store that counts reads of definitions and fails as often as the test
 * says.
 */
const prepared = Effect.gen(function* () {
  const stores = yield* Layer.build(Layer.merge(memory, NodeCrypto.layer))
  const customizers = Context.get(stores, CustomizerStore)
  const reading = { reads: 0, failures: 0 }
  const counting = CustomizerStore.of({
    ...customizers,
    definition: (shop, id, version) =>
      Effect.suspend(() => {
        reading.reads += 1
        return reading.failures-- > 0
          ? Effect.fail(new StorageError({ message: "down", cause: undefined, isRetryable: true }))
          : customizers.definition(shop, id, version)
      }),
  })
  const run = Effect.provideContext(Context.add(stores, CustomizerStore, counting))
  yield* run(putShop("s", { domain: "a.example", currency: "EUR", imageBase: "https://i.example" }))
  const product = { title: "T", platformProductId: "gid://p/Product/1", assetBase: "https://a.example" }
  yield* run(putCustomizer("s", 7, product))
  const publish = run(publishCustomizer("s", 7, { definition }))
  yield* publish
  const save = (id: string) => run(saveDesign("s", id, { customizerId: 7, selection: {}, basePrice: 100 }))
  return { reading, publish, save }
})

describe("saveDesign", () => {
  it.effect("MUST read the definition of a version once for all designs that use it", () =>
    Effect.gen(function* () {
      const { publish, reading, save } = yield* prepared
      for (const id of ["a", "b", "a", "c"]) yield* save(id)
      expect(reading.reads).toBe(1)
      yield* publish
      yield* save("d")
      expect(reading.reads).toBe(2)
      // A draft moves to the new version: the views of the old version decide which image addresses it keeps.
      yield* save("a")
      expect(reading.reads).toBe(3)
      yield* save("a")
      expect(reading.reads).toBe(3)
    }),
  )

  it.effect("MUST save again once the store works, after reading the definition has failed", () =>
    Effect.gen(function* () {
      const { reading, save } = yield* prepared
      reading.failures = 2
      for (const _ of [1, 2]) expect(yield* Effect.flip(save("a"))).toMatchObject({ _tag: "StorageError" })
      expect((yield* save("a")).created).toBe(true)
      expect((yield* save("b")).created).toBe(true)
      expect(reading.reads).toBe(3)
    }),
  )
})
