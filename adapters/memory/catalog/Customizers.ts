import { Effect, Option } from "effect"
import type { CustomizerRecord } from "../../../core/model/catalog/Customizer.ts"
import { CustomizerStore, type CustomizerSummary } from "../../../core/ports/CustomizerStore.ts"
import { addChange } from "../audit/Audit.ts"
import { type CustomizerState, holdingsOf, type State } from "../State.ts"

/** Customizers in memory. */
export const makeCustomizers = (state: State): CustomizerStore["Service"] => {
  const kept = (shop: string, id: number) => Option.fromUndefinedOr(state.holdings.get(shop)?.customizers.get(id))

  return CustomizerStore.of({
    find: (shop, id) => Effect.sync(() => Option.map(kept(shop, id), recordOf)),

    summary: (shop, id) => Effect.sync(() => Option.map(kept(shop, id), summaryOf)),

    list: ({ after, limit, shop }) =>
      Effect.sync(() =>
        [...(state.holdings.get(shop)?.customizers ?? [])]
          .filter(([id]) => id > after)
          .sort(([left], [right]) => left - right)
          .slice(0, limit)
          .map(([, customizer]) => summaryOf(customizer)),
      ),

    versions: ({ before, id, limit, shop }) =>
      Effect.sync(() =>
        (state.holdings.get(shop)?.customizers.get(id)?.definitions ?? [])
          .map(({ publishedAt }, index) => ({ version: index + 1, publishedAt }))
          .filter(({ version }) => version < before)
          .reverse()
          .slice(0, limit),
      ),

    definition: (shop, id, version) =>
      Effect.sync(() =>
        Option.flatMap(kept(shop, id), ({ definitions }) =>
          Option.fromUndefinedOr(definitions[version - 1]?.definition),
        ),
      ),

    put: ({ shop, id, title, platformProductId, assetBase }, audited) =>
      Effect.sync(() => {
        const { customizers } = holdingsOf(state, shop)
        const description = { shop, id, title, platformProductId, assetBase }
        addChange(state, audited, customizers.get(id)?.description, description)
        const customizer = customizers.get(id) ?? { description, definitions: [] }
        customizer.description = description
        customizers.set(id, customizer)
        return recordOf(customizer)
      }),

    publish: (shop, id, published, now, audited) =>
      Effect.sync(() =>
        Option.map(kept(shop, id), (customizer) => {
          const before = recordOf(customizer)
          customizer.definitions.push({ ...published, publishedAt: now })
          addChange(state, audited, before, recordOf(customizer))
          return recordOf(customizer)
        }),
      ),
  })
}

const recordOf = ({ definitions, description }: CustomizerState): CustomizerRecord => ({
  ...description,
  version: definitions.length === 0 ? null : definitions.length,
  definition: definitions.at(-1)?.definition ?? null,
  digest: definitions.at(-1)?.digest ?? null,
})

const summaryOf = (customizer: CustomizerState): CustomizerSummary => {
  const { definition: _, ...summary } = recordOf(customizer)
  return summary
}
