import { Cause, Console, type Fiber, Formatter, Logger, References } from "effect"
import { printable, printableLines } from "./Printable.ts"

/** Writes to the console that the fiber uses. */
export const writeLine = (fiber: Fiber.Fiber<unknown, unknown>, line: string): void => {
  const console = fiber.getRef(Console.Console)
  if (fiber.getRef(References.LogToStderr)) console.error(line)
  else console.log(line)
}

/** The parts of a line, one after the other. */
export const partsOf = (message: unknown): ReadonlyArray<unknown> => (Array.isArray(message) ? message : [message])

/** Parts as one text. */
export const textOf = (parts: ReadonlyArray<unknown>): string =>
  parts.map((part) => (typeof part === "string" ? part : Formatter.format(part))).join(" ")

/** Fields as they follow a text. */
const shown = (fields: Readonly<Record<string, unknown>>): string =>
  Object.keys(fields).length === 0 ? "" : ` ${printable(Formatter.formatJson(fields))}`

/**
 * Like Effect's own logger, but texts of others can't act on a terminal or pass for another line: the logger escapes
 * them. It prints the fields of a line only if asked to: they say once more what the text says.
 */
export const lineLogger = ({ fields }: { readonly fields: boolean }): Logger.Logger<unknown, void> =>
  Logger.make(({ cause, date, fiber, logLevel, message }) => {
    const parts = [...partsOf(message), ...(cause.reasons.length === 0 ? [] : [Cause.pretty(cause)])]
    const text = parts.map((part) => (part instanceof Error ? (part.stack ?? part.message) : textOf([part]))).join(" ")
    const begin = `[${date.toISOString().slice(11, 23)}] ${logLevel.toUpperCase()} (#${fiber.id}):`
    const end = fields ? shown(fiber.getRef(References.CurrentLogAnnotations)) : ""
    writeLine(fiber, `${begin} ${printableLines(text)}${end}`)
  })
