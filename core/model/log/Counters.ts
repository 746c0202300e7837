/** The counters of the metrics, which are declared once and shown from 0 (D85). */
import { Effect, Metric } from "effect"

type Labels = Readonly<Record<string, string>>

/** Counters of one name that are made when they are asked for. */
export type CounterFamily<L extends Labels> = (labels: L) => Metric.Counter<number>

const declared: Array<() => ReadonlyArray<Metric.Counter<number>>> = []

/**
 * Declares counters of one name. `known` has the labels that can be known in advance: {@link showCounters} shows these
 * from 0, so that an alert sees the step of the first event, unlike a series that begins with it.
 */
export const counters = <L extends Labels>(
  name: string,
  description: string,
  known: ReadonlyArray<L>,
): CounterFamily<L> => {
  const of: CounterFamily<L> = (attributes) => Metric.counter(name, { description, incremental: true, attributes })
  declared.push(() => known.map(of))
  return of
}

/** Every combination of the values of labels. */
export const combinations = <const L extends Readonly<Record<string, ReadonlyArray<string>>>>(
  values: L,
): ReadonlyArray<{ readonly [K in keyof L]: L[K][number] }> =>
  Object.entries(values).reduce<ReadonlyArray<Labels>>(
    (all, [label, each]) => all.flatMap((labels) => each.map((value) => ({ ...labels, [label]: value }))),
    [{}],
  ) as ReadonlyArray<{ readonly [K in keyof L]: L[K][number] }>

/** Shows every counter that is known in advance, also while it is at 0. */
export const showCounters: Effect.Effect<void> = Effect.suspend(() =>
  Effect.forEach(
    declared.flatMap((known) => known()),
    (counter) => Metric.update(counter, 0),
    { discard: true },
  ),
)
