/** Counters of events that platforms send. */
import { type Effect, Metric } from "effect"
import type { InboxEntry, IngestSource } from "../../model/ingest/InboxItem.ts"
import { combinations, counters } from "../../model/log/Counters.ts"

const source: ReadonlyArray<IngestSource> = ["shopify", "woocommerce"]

const tried = counters(
  "designwire_platform_events_total",
  "Events of shop platforms that were tried, by their platform and what became of them",
  combinations({ source, outcome: ["applied", "ignored", "waiting", "failed", "unpaid"] as ReadonlyArray<string> }),
)

const refused = counters(
  "designwire_platform_events_refused_total",
  "Events of shop platforms that were refused because their shop has no room left for them",
  combinations({ source }),
)

/** Counts an event that was tried, by what became of it. */
export const countTried = ({ source, state }: Pick<InboxEntry, "source" | "state">): Effect.Effect<void> =>
  Metric.update(tried({ source, outcome: state }), 1)

/** Counts an event that was refused. */
export const countRefused = (source: IngestSource): Effect.Effect<void> => Metric.update(refused({ source }), 1)
