import { Effect, Option } from "effect"
import type { Definition } from "../model/catalog/Definition.ts"
import { CustomizerStore } from "../ports/CustomizerStore.ts"
import { type CompiledDefinition, compile } from "../rules/catalog/Compile.ts"

/** Bytes of compiled definitions to keep per store; the least recently used one is dropped first. */
const capacity = 64 * 1024 * 1024

/** A compiled definition takes about this many bytes for each character of its text: 120 of 500 KB took 424 MiB. */
const bytesPerCharacter = 8

/** The compiled definitions of a store, the least recently used first. */
interface Known {
  readonly entries: Map<string, { readonly definition: CompiledDefinition; readonly bytes: number }>
  bytes: number
}

/**
 * By store, and by the text's digest as well as the version: a version published in a transaction that was rolled back
 * can be published again with other content.
 */
const compiled = new WeakMap<CustomizerStore["Service"], Known>()

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
  const known = compiled.get(store) ?? { entries: new Map(), bytes: 0 }
  compiled.set(store, known)
  const key = `${shop}/${id}/${version}/${digest}`
  const entry = known.entries.get(key) ?? (yield* load(store, shop, id, version))
  forget(known, key)
  known.entries.set(key, entry)
  known.bytes += entry.bytes
  for (const oldest of known.entries.keys()) {
    if (known.bytes <= capacity) break
    forget(known, oldest)
  }
  return entry.definition
})

const forget = (known: Known, key: string): void => {
  known.bytes -= known.entries.get(key)?.bytes ?? 0
  known.entries.delete(key)
}

/** Published versions are kept forever: a store without the one that a customizer names is corrupt. */
const load = (store: CustomizerStore["Service"], shop: string, id: number, version: number) =>
  Effect.map(store.definition(shop, id, version), (found) => {
    const text = Option.getOrThrow(found)
    return { definition: compile(JSON.parse(text) as Definition), bytes: text.length * bytesPerCharacter }
  })

/** View names of a published customizer version, the first view first. Reads the store at each call. */
export const viewsOf = Effect.fnUntraced(function* (shop: string, id: number, version: number) {
  const { definition } = yield* load(yield* CustomizerStore, shop, id, version)
  return definition.views
})
