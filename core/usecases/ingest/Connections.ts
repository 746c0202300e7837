import { Context, Effect } from "effect"
import type { IngestSource } from "../../model/ingest/InboxItem.ts"
import { defaultSettings, type PlatformSettings } from "../../model/ingest/PlatformSettings.ts"
import type { StorageError } from "../../ports/StorageError.ts"

/** The settings of a shop's connection to a platform (D80). Hosts give the settings of their configuration. */
export const Connections = Context.Reference<
  (shop: string, source: IngestSource) => Effect.Effect<PlatformSettings, StorageError>
>("designwire/Connections", { defaultValue: () => () => Effect.succeed(defaultSettings) })
