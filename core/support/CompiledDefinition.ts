import { Effect, Option } from "effect"
import type { Definition } from "../model/Definition.ts"
import { CustomizerStore } from "../ports/CustomizerStore.ts"
import { type CompiledDefinition, compile } from "../rules/Compile.ts"

/** Definitions that are kept compiled, per store; the one used longest ago goes first. */
const capacity = 1000

/**
 * By store, and by the text's digest beside the version: a version that was published in a transaction which was rolled back is published again, with other
 * content.
 */
const compiled = new WeakMap<CustomizerStore["Service"], Map<string, CompiledDefinition>>()

/** A published version of a customizer, as it can be asked for. */
export interface PublishedVersion {
  readonly id: number
  readonly version: number
  /** Of its definition's text. */
  readonly digest: string | null
}

/** A published version of a customizer, ready to evaluate selections. Only what was loaded is kept: after a failure the next call loads again. */
export const compiledDefinition = Effect.fnUntraced(function* (
  shop: string,
  { digest, id, version }: PublishedVersion,
) {
  const store = yield* CustomizerStore
  const known = compiled.get(store) ?? new Map<string, CompiledDefinition>()
  compiled.set(store, known)
  const key = `${shop}/${id}/${version}/${digest}`
  const definition = known.get(key) ?? (yield* load(store, shop, id, version))
  known.delete(key)
  known.set(key, definition)
  const [oldest] = known.keys()
  if (known.size > capacity && oldest !== undefined) known.delete(oldest)
  return definition
})

/** Published versions are kept for ever: without the one that a customizer names the store is broken. */
const load = (store: CustomizerStore["Service"], shop: string, id: number, version: number) =>
  Effect.map(store.definition(shop, id, version), (text) => compile(JSON.parse(Option.getOrThrow(text)) as Definition))

/** The names of the views of a published version of a customizer, the first one first. Reads the store at each call. */
export const viewsOf = Effect.fnUntraced(function* (shop: string, id: number, version: number) {
  const { views } = yield* load(yield* CustomizerStore, shop, id, version)
  return views
})
