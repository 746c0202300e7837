/** Counters of events that platforms send. */
import { type Effect, Metric } from "effect"
import type { InboxEntry, IngestSource } from "../../model/ingest/InboxItem.ts"

/** Counts an event that was tried, by what became of it. */
export const countTried = ({ source, state }: Pick<InboxEntry, "source" | "state">, events = 1): Effect.Effect<void> =>
  Metric.update(
    Metric.counter("designwire_platform_events_total", {
      description: "Events of shop platforms that were tried, by their platform and what became of them",
      incremental: true,
      attributes: { source, outcome: state },
    }),
    events,
  )

/** Counts an event that was refused. */
export const countRefused = (source: IngestSource, events = 1): Effect.Effect<void> =>
  Metric.update(
    Metric.counter("designwire_platform_events_refused_total", {
      description: "Events of shop platforms that were refused because their shop has no room left for them",
      incremental: true,
      attributes: { source },
    }),
    events,
  )
