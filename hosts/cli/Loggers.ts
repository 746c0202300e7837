/** The loggers of the command: lines of JSON for programs, or of text for people. */
import { Cause, Context, type Fiber, Formatter, Logger, References, Tracer } from "effect"
import { lineLogger, partsOf, textOf, writeLine } from "../../core/model/log/LineLogger.ts"
import { printable } from "../../core/model/log/Printable.ts"

/**
 * The ids of the current span, while spans go anywhere. Without an exporter nobody could find a trace by them, and
 * every line would have the span of the process.
 */
const traceOf = (fiber: Fiber.Fiber<unknown, unknown>) => {
  if (fiber.getRef(Tracer.Tracer) === Tracer.nativeTracer) return {}
  const span = Context.getOrUndefined(fiber.context, Tracer.ParentSpan)
  return span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId }
}

const describe = (error: Error) => ({
  type: "_tag" in error ? String(error._tag) : error.name,
  message: error.message,
})

/** One object a line. The text is its last member: it may end in an address that people look for. */
export const jsonLogger = Logger.make<unknown, void>(({ cause, date, fiber, logLevel, message }) => {
  const parts = partsOf(message)
  const error = parts.find((part) => part instanceof Error)
  const words = parts.filter((part) => part !== error)
  const line = {
    ...fiber.getRef(References.CurrentLogAnnotations),
    ...traceOf(fiber),
    ...(error === undefined ? {} : { error: describe(error) }),
    ...(cause.reasons.length === 0 ? {} : { cause: Cause.pretty(cause) }),
    message: words.length === 0 && error !== undefined ? error.message : textOf(words),
  }
  // JSON leaves half of the characters as they are that a terminal acts on.
  writeLine(
    fiber,
    printable(Formatter.formatJson({ time: date.toISOString(), level: logLevel.toLowerCase(), ...line })),
  )
})

/** Only the text. */
export const prettyLogger = lineLogger({ fields: false })
