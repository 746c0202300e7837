import { Effect, Option } from "effect"
import type { Definition } from "../model/Definition.ts"
import { CustomizerStore } from "../ports/CustomizerStore.ts"
import { type CompiledDefinition, compile } from "../rules/Compile.ts"

/** Number of compiled definitions to keep per store; the least recently used one is dropped first. */
const capacity = 1000

/**
 * By store, and by the text's digest as well as the version: a version published in a transaction that was rolled back
 * can be published again with other content.
 */
const compiled = new WeakMap<CustomizerStore["Service"], Map<string, CompiledDefinition>>()

/** Identifies a published version of a customizer. */
export interface PublishedVersion {
  readonly id: number
  readonly version: number
  /** Digest of the definition's text. */
  readonly digest: string | null
}

/** A published customizer version, ready to evaluate selections. Failures are not cached: the next call loads again. */
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

/** Published versions are kept forever: a store without the one that a customizer names is corrupt. */
const load = (store: CustomizerStore["Service"], shop: string, id: number, version: number) =>
  Effect.map(store.definition(shop, id, version), (text) => compile(JSON.parse(Option.getOrThrow(text)) as Definition))

/** View names of a published customizer version, the first view first. Reads the store at each call. */
export const viewsOf = Effect.fnUntraced(function* (shop: string, id: number, version: number) {
  const { views } = yield* load(yield* CustomizerStore, shop, id, version)
  return views
})
