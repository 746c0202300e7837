import { Effect, Option } from "effect"
import type { Definition } from "../../model/Definition.ts"
import { CustomizerStore } from "../../ports/CustomizerStore.ts"
import { productionKeys } from "../../rules/exports/DesignTable.ts"
import { listCustomizers, listVersions } from "../customizers/ListCustomizers.ts"

const limit = 100

/**
 * The production keys of a shop's designs: of every version that its customizers ever published, because every design
 * is bound to one of them (D5). Customizers come by id, their versions newest first.
 */
export const productionKeysOf = Effect.fnUntraced(function* (shop: string) {
  const store = yield* CustomizerStore
  const keys = new Set<string>()
  for (let after = 0; ; ) {
    const customizers = yield* listCustomizers({ shop, after, limit })
    for (const { id } of customizers) {
      for (let before: number | undefined; ; ) {
        const versions = yield* listVersions({ shop, id, before, limit })
        for (const { version } of versions) {
          const text = yield* store.definition(shop, id, version)
          if (Option.isNone(text)) continue
          for (const key of productionKeys(JSON.parse(text.value) as Definition)) keys.add(key)
        }
        before = versions.at(-1)?.version
        if (versions.length < limit) break
      }
    }
    after = customizers.at(-1)?.id ?? 0
    if (customizers.length < limit) break
  }
  return keys as ReadonlySet<string>
})
