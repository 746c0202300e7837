/** The log of a process on stdout: lines of JSON for programs, or of text for people. */
import { Cause, Console, Context, type Fiber, Formatter, Layer, Logger, References, Tracer } from "effect"
import * as OutageLog from "../../core/support/OutageLog.ts"
import { readLog } from "./ReadConfig.ts"

const write = (fiber: Fiber.Fiber<unknown, unknown>, line: string): void => {
  const console = fiber.getRef(Console.Console)
  if (fiber.getRef(References.LogToStderr)) console.error(line)
  else console.log(line)
}

const partsOf = (message: unknown): ReadonlyArray<unknown> => (Array.isArray(message) ? message : [message])

const textOf = (parts: ReadonlyArray<unknown>): string =>
  parts.map((part) => (typeof part === "string" ? part : Formatter.format(part))).join(" ")

/**
 * The ids of the current span, while spans go anywhere. Without an exporter nobody could find a trace by them, and the
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
  write(fiber, Formatter.formatJson({ time: date.toISOString(), level: logLevel.toLowerCase(), ...line }))
})

/** Like Effect's own logger, but without the fields: they say once more what the text says. */
const prettyLogger = Logger.make<unknown, void>(({ cause, date, fiber, logLevel, message }) => {
  const parts = [...partsOf(message), ...(cause.reasons.length === 0 ? [] : [Cause.pretty(cause)])]
  const text = parts.map((part) => (part instanceof Error ? (part.stack ?? part.message) : textOf([part]))).join(" ")
  write(fiber, `[${date.toISOString().slice(11, 23)}] ${logLevel.toUpperCase()} (#${fiber.id}): ${text}`)
})

/** The log for people. */
export const layerPretty = Logger.layer([prettyLogger, Logger.tracerLogger])

const levels = { debug: "Debug", info: "Info", warn: "Warn", error: "Error" } as const

/**
 * The configured log, which is short during outages of the store. Without a format it is for people if one reads
 * stdout: at a terminal, and in the demo (`forPeople`).
 */
export const layer = (forPeople: boolean) =>
  Layer.suspend(() => {
    const { format, level } = readLog(process.env)
    const isPretty = format === undefined ? forPeople || process.stdout.isTTY === true : format === "pretty"
    return OutageLog.layer.pipe(
      Layer.provide(Logger.layer([isPretty ? prettyLogger : jsonLogger, Logger.tracerLogger])),
      Layer.merge(level === undefined ? Layer.empty : Layer.succeed(References.MinimumLogLevel, levels[level])),
    )
  })
