/** Customizers, drafts and published (§2.3, §9, D5, D38). */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeWorld } from "../../../conformance/testkit/workers/TestWorker.ts"
import type { CustomizerInput } from "../../model/catalog/Customizer.ts"
import type { Definition, PublishInput } from "../../model/catalog/Definition.ts"
import { maximumDefinition } from "../../model/json/JsonSize.ts"
import { etagOf } from "../../support/Etag.ts"
import { publishCustomizer } from "./PublishCustomizer.ts"
import { putCustomizer } from "./PutCustomizer.ts"
import { readCustomizer } from "./ReadCustomizer.ts"

const mug = { title: "Mug", platformProductId: "gid://p/Product/2", assetBase: "https://a.example" }

const definitionOf = (title: string): Definition => ({
  schemaVersion: 1,
  steps: [{ id: "s", title, view: "front" }],
  questions: [],
  rules: [],
})

describe("A customizer", () => {
  it.effect("MUST be a draft until it is published, and return each version with a tag of its bytes (§2.3, D17)", () =>
    Effect.gen(function* () {
      const { run, shop } = yield* makeWorld()
      const answers = [
        yield* run(putCustomizer(shop, 8, mug)),
        yield* run(publishCustomizer(shop, 8, { definition: definitionOf("first") })),
        yield* run(publishCustomizer(shop, 8, { definition: definitionOf("second") })),
        yield* run(putCustomizer(shop, 8, { ...mug, title: "Cup" })),
      ]
      const kept = { id: 8, ...mug }
      expect(answers.map(({ value }) => value)).toEqual([
        { ...kept, status: "draft", version: null, definition: null },
        { ...kept, status: "published", version: 1, definition: definitionOf("first") },
        { ...kept, status: "published", version: 2, definition: definitionOf("second") },
        { ...kept, title: "Cup", status: "published", version: 2, definition: definitionOf("second") },
      ])
      for (const { etag, text } of answers) expect(etag).toBe(yield* run(etagOf(text)))
      expect(yield* run(readCustomizer(shop, 8))).toEqual(answers.at(-1))
    }),
  )

  it.effect("MUST be refused with the name of the invalid field", () =>
    Effect.gen(function* () {
      const { run, shop } = yield* makeWorld()
      const refusals = [
        [run(putCustomizer(shop, 0, mug)), "InvalidInput", "id"],
        [run(putCustomizer(shop, 8, { ...mug, title: "" })), "InvalidInput", "title"],
        [run(putCustomizer(shop, 8, {} as CustomizerInput)), "InvalidInput", "title"],
        [run(publishCustomizer(shop, 101, {} as PublishInput)), "InvalidInput", "definition"],
        [
          run(publishCustomizer(shop, 101, { definition: { ...definitionOf("S"), steps: [] as never } })),
          "Refused",
          "steps",
        ],
      ] as const
      for (const [call, tag, path] of refusals) {
        const refused = yield* Effect.flip<unknown, unknown, never>(call)
        expect(refused).toMatchObject({
          _tag: tag,
          problems: expect.arrayContaining([expect.objectContaining({ path })]),
        })
      }
      expect((yield* run(readCustomizer(shop, 101))).value.version).toBe(1)
    }),
  )

  it.effect("MUST be checked if its definition has 512 KiB, and refused unread if it has more (D38)", () =>
    Effect.gen(function* () {
      const { run, shop } = yield* makeWorld()
      const publish = (bytes: number) => {
        const definition = { note: "x".repeat(bytes - '{"note":""}'.length) } as unknown as Definition
        return Effect.flip(run(publishCustomizer(shop, 101, { definition })))
      }
      expect((yield* publish(maximumDefinition))._tag).toBe("Refused")
      expect((yield* publish(maximumDefinition + 1))._tag).toBe("TooLarge")
    }),
  )
})
