import { Option, Tracer } from "effect"

/** Whether to keep a span, by the span above it, and by the id of its trace if there is none. */
export interface Sampler {
  readonly child: (parent: Tracer.AnySpan) => boolean
  readonly root: (traceId: string) => boolean
}

/** The part of a trace's id that is random in every version of the standard: 56 bits. */
const randomDigits = 14

/** Keeps the given share of traces. Every service that samples by the id of the trace decides alike. */
const ratio = (share: number) => {
  const threshold = Math.ceil((1 - share) * 2 ** (randomDigits * 4)).toString(16)
  // Every request is judged: numbers in hexadecimal of the same length compare as texts, without being read.
  const lowest = threshold.padStart(randomDigits, "0")
  return (traceId: string): boolean => threshold.length <= randomDigits && traceId.slice(-randomDigits) >= lowest
}

const always = () => true
const never = () => false
const likeParent = ({ sampled }: Tracer.AnySpan): boolean => sampled

/** The samplers of `OTEL_TRACES_SAMPLER`, with a share of traces that those by ratio keep. */
const samplers: Readonly<Record<string, (share: number) => Sampler>> = {
  always_on: () => ({ root: always, child: always }),
  always_off: () => ({ root: never, child: never }),
  traceidratio: (share) => ({ root: ratio(share), child: ({ traceId }) => ratio(share)(traceId) }),
  parentbased_always_on: () => ({ root: always, child: likeParent }),
  parentbased_always_off: () => ({ root: never, child: likeParent }),
  parentbased_traceidratio: (share) => ({ root: ratio(share), child: likeParent }),
}

/**
 * Reads `OTEL_TRACES_SAMPLER` and `OTEL_TRACES_SAMPLER_ARG`. As OpenTelemetry demands, a value that is not supported
 * gets a warning and is ignored.
 */
export const readSampler = (
  name = "parentbased_always_on",
  argument = "1",
): { readonly sampler: Sampler; readonly warnings: ReadonlyArray<string> } => {
  const [share, make] = [Number(argument), Object.hasOwn(samplers, name) ? samplers[name] : undefined]
  const isShare = share >= 0 && share <= 1 && argument.trim() !== ""
  const warnings = [
    ...(make === undefined
      ? [`OTEL_TRACES_SAMPLER: is none of ${Object.keys(samplers).join(", ")}; all traces are kept`]
      : []),
    ...(isShare ? [] : ["OTEL_TRACES_SAMPLER_ARG: is not a number from 0 to 1; 1 is taken"]),
  ]
  const used = make ?? (samplers["parentbased_always_on"] as (share: number) => Sampler)
  return { sampler: used(isShare ? share : 1), warnings }
}

/** The first span of a trace that is not kept: with the id that was judged. */
class DroppedRoot extends Tracer.NativeSpan {
  readonly #traceId: string

  constructor(options: ConstructorParameters<typeof Tracer.NativeSpan>[0], traceId: string) {
    super(options)
    this.#traceId = traceId
  }

  override get traceId(): string {
    return this.#traceId
  }
}

/** A tracer that passes on the spans that a sampler keeps. The others have ids, and cost little. */
export const sampled = (tracer: Tracer.Tracer, sampler: Sampler): Tracer.Tracer =>
  Tracer.make({
    span: (options) => {
      if (Option.isSome(options.parent) && !sampler.child(options.parent.value)) {
        return new Tracer.NativeSpan({ ...options, sampled: false })
      }
      const span = tracer.span({ ...options, sampled: true })
      return Option.isSome(options.parent) || sampler.root(span.traceId)
        ? span
        : new DroppedRoot({ ...options, sampled: false }, span.traceId)
    },
  })
