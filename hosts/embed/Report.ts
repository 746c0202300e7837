import { Result } from "effect"
import { unknownField } from "../../core/model/Nearest.ts"
import type { Problem } from "./DesignwireError.ts"

type Given = { readonly [name: string]: unknown }

/** Reads options that have no environment variable, and collects the problems of all. */
export class Report {
  readonly problems: Array<Problem>
  readonly #given: Given
  readonly #prefix: string

  constructor(given: Given, prefix = "", problems: Array<Problem> = []) {
    this.#given = given
    this.#prefix = prefix
    this.problems = problems
  }

  /** A reader of the parts of one option. */
  part(name: string, given: Given): Report {
    return new Report(given, `${this.#prefix}${name}.`, this.problems)
  }

  /** Notes the options that do not exist. */
  noteUnknown(known: ReadonlyArray<string>): void {
    for (const [name, value] of Object.entries(this.#given)) {
      if (value !== undefined && !known.includes(name)) this.note(name, unknownField(name, known))
    }
  }

  note(name: string, message: string): void {
    this.problems.push({ path: this.#prefix + name, message })
  }

  /** Reads a text. `problemOf` returns a sentence if it can't be used. */
  judge<B>(name: string, problemOf: (text: string) => string | undefined, fallback: B): string | B {
    const value = this.#given[name]
    if (value === undefined) return fallback
    const text = typeof value === "string" ? value : ""
    const problem = problemOf(text)
    if (problem === undefined) return text
    this.note(name, problem)
    return fallback
  }

  /** Parses a text. `parse` fails with words that complete "must be …". */
  parse<A>(name: string, parse: (text: string) => Result.Result<A, string>): A | undefined {
    const value = this.#given[name]
    if (value === undefined) return undefined
    const parsed = parse(typeof value === "string" ? value : "")
    if (Result.isFailure(parsed)) this.note(name, `must be ${parsed.failure}`)
    return Result.getOrUndefined(parsed)
  }

  /** Reads a value of any type. */
  check<A, B>(name: string, is: (value: unknown) => value is A, message: string, fallback: B): A | B {
    const value = this.#given[name]
    if (value === undefined) return fallback
    if (is(value)) return value
    this.note(name, message)
    return fallback
  }
}
