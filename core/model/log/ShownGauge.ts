import { Effect, Metric, type Scope } from "effect"

const nothing = () => undefined

/** Shows a value as a gauge while the scope is open. The value is read only with the metrics. */
export const showGauge = (
  name: string,
  description: string,
  value: () => number,
  attributes?: Readonly<Record<string, string>>,
): Effect.Effect<void, never, Scope.Scope> =>
  Effect.asVoid(
    Effect.acquireRelease(
      Effect.contextWith((context) =>
        Effect.sync(() =>
          Metric.registerUnsafe(Metric.gauge(name, { description, attributes }), context, {
            get: () => ({ value: value() }),
            update: nothing,
            modify: nothing,
          }),
        ),
      ),
      (shown) => Effect.sync(shown.remove),
    ),
  )
