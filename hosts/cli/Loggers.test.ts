/** Texts of others in the log of the command. */
import { expect, it } from "@effect/vitest"
import { Console, Effect, Logger } from "effect"
import { jsonLogger, prettyLogger } from "./Loggers.ts"

/** Every control character, separator of lines, and character that changes the direction of text. */
const harmful = [
  ...Array.from({ length: 0x20 }, (_, code) => code),
  ...Array.from({ length: 0x21 }, (_, index) => 0x7f + index),
  ...[0x61c, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069],
].map((code) => String.fromCharCode(code))

/** The lines that a logger prints for an effect. */
const linesOf = Effect.fnUntraced(function* (logger: Logger.Logger<unknown, void>, effect: Effect.Effect<void>) {
  const lines: Array<string> = []
  const console = { ...globalThis.console, log: (line: string) => void lines.push(line) } as Console.Console
  yield* effect.pipe(Effect.provide(Logger.layer([logger])), Effect.provideService(Console.Console, console))
  return lines
})

const logging = (text: string) =>
  Effect.annotateLogs(Effect.logError(`said: ${text}`, new Error(`failed: ${text}`)), { field: text })

it.effect.each(harmful)("MUST NOT print %j of others as it is, and keep it for programs", (character) =>
  Effect.gen(function* () {
    const text = `before${character}after`
    const [line = "", ...others] = yield* linesOf(jsonLogger, logging(text))
    expect(others).toEqual([])
    expect(line).not.toContain(character)
    expect(JSON.parse(line)).toMatchObject({
      ...{ field: text, message: `said: ${text}` },
      error: { message: `failed: ${text}` },
    })
    const pretty = (yield* linesOf(prettyLogger, logging(text))).join("\n")
    if (!["\n", "\t"].includes(character)) expect(pretty).not.toContain(character)
    expect(pretty).toContain("before")
  }),
)

it.effect("MUST print other texts as they are", () =>
  Effect.gen(function* () {
    const text = "M\u00fcller \u{1f600} \u05d0\u05d1 e\u0301 \u200d \u65e5\u672c"
    for (const logger of [jsonLogger, prettyLogger]) {
      expect((yield* linesOf(logger, logging(text))).join("\n")).toContain(`said: ${text}`)
    }
  }),
)
