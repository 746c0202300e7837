import { Option, Tracer } from "effect"

type Options = Parameters<Tracer.Tracer["span"]>[0]

/** A span that no trace has. */
class OutsideTraces extends Tracer.NativeSpan {
  constructor(options: Options) {
    super({ ...options, sampled: false })
  }
}

/**
 * Whether a span without a parent begins a trace. A statement does not: a host runs many of them every minute to look
 * for work.
 */
const isBeginning = ({ kind, name, root }: Options): boolean =>
  root || (kind !== "client" && name !== "sql.transaction")

/** A tracer without the traces that would begin with a statement. A span within such a statement may begin one. */
export const withoutLoneStatements = (tracer: Tracer.Tracer): Tracer.Tracer =>
  Tracer.make({
    span: (given) => {
      const isInside = Option.isSome(given.parent) && !(given.parent.value instanceof OutsideTraces)
      if (isInside) return tracer.span(given)
      const options = { ...given, parent: Option.none() }
      return isBeginning(options) ? tracer.span(options) : new OutsideTraces(options)
    },
  })
