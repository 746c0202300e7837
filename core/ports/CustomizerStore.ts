import { Context, type Effect, type Option } from "effect"
import type { Audited } from "../model/audit/AuditEntry.ts"
import type { CustomizerRecord, PublishedDefinition } from "../model/catalog/Customizer.ts"
import type { Instant } from "../model/Instant.ts"
import type { StorageError } from "./StorageError.ts"

/** A customizer without its definition, which may be long. */
export type CustomizerSummary = Omit<CustomizerRecord, "definition">

/** A published version of a customizer. */
export interface CustomizerVersion {
  readonly version: number
  readonly publishedAt: Instant
}

/** What `CustomizerStore.put` replaces. */
export type CustomizerDescription = Omit<CustomizerSummary, "version" | "digest">

/**
 * Customizers and every published version of their definitions.
 *
 * Callers guarantee: ids, texts and instants that passed the schemas of `core/model`. Adapters guarantee: every method
 * may be called concurrently; nothing of one shop is visible through another; texts are returned byte for byte; a
 * method that fails has changed nothing. Adapters should not retry: callers do.
 */
export class CustomizerStore extends Context.Service<
  CustomizerStore,
  {
    /** A customizer with the definition of its published version, if there is such a customizer. */
    readonly find: (shop: string, id: number) => Effect.Effect<Option.Option<CustomizerRecord>, StorageError>

    /** The same without its definition. */
    readonly summary: (shop: string, id: number) => Effect.Effect<Option.Option<CustomizerSummary>, StorageError>

    /** The shop's customizers without their definitions, by id, of those whose id is above `after`: at most `limit`. */
    readonly list: (query: {
      readonly shop: string
      readonly after: number
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<CustomizerSummary>, StorageError>

    /** The published versions below `before`, newest first: at most `limit`. */
    readonly versions: (query: {
      readonly shop: string
      readonly id: number
      readonly before: number
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<CustomizerVersion>, StorageError>

    /** The JSON text of one published version of a customizer, if there is such a version. */
    readonly definition: (
      shop: string,
      id: number,
      version: number,
    ) => Effect.Effect<Option.Option<string>, StorageError>

    /**
     * Creates a customizer or replaces its description; published versions stay. Returns the stored record. Stores the
     * entry that `audited` makes (D59).
     */
    readonly put: (
      customizer: CustomizerDescription,
      audited?: Audited<CustomizerDescription>,
    ) => Effect.Effect<CustomizerRecord, StorageError>

    /**
     * Adds a version and makes it the published one, atomically: concurrent calls get consecutive numbers, from 1.
     * None if the customizer does not exist. Earlier versions are kept forever.
     * Stores the entry that `audited` makes of the versions before and after (D59).
     */
    readonly publish: (
      shop: string,
      id: number,
      published: PublishedDefinition,
      now: Instant,
      audited?: Audited<CustomizerSummary>,
    ) => Effect.Effect<Option.Option<CustomizerRecord>, StorageError>
  }
>()("designwire/CustomizerStore") {}
