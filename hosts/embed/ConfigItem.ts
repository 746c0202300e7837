/** How items of a configuration are declared, and read from a source of texts. */
import { Result } from "effect"
import { parseSwitch } from "../../core/rules/catalog/ConfigValues.ts"
import type { DesignwireOptions } from "./Options.ts"

interface More {
  /** Its option of `createDesignwire`; `database.url` is the option `url` of the option `database`. */
  readonly option?: Exclude<keyof DesignwireOptions, "database"> | `database.${string}`
  /** Its usual value as guides show it, if it is not the text of `fallback`. */
  readonly shown?: string
}

/** One item of the configuration. */
export interface Item<A> extends More {
  /** Its environment variable. */
  readonly variable: string
  /** Its meaning, as guides say it, in Markdown. Links are relative to `hosts/cli`. */
  readonly words: string
  /** Fails with words that complete "must be …" and do not repeat the text, which may be a secret. */
  readonly parse: (text: string) => Result.Result<A, string>
  /** The value if none is given. */
  readonly fallback: A
  /** Whether programs give `true` or `false` rather than a text. */
  readonly isSwitch: boolean
  /** Whether the text is a list with commas, for which programs may give an array. */
  readonly isList: boolean
}

/** An item that is written as a text. `parse` fails with words that complete "must be …". */
export const item = <A, B>(
  variable: string,
  words: string,
  parse: (text: string) => Result.Result<A, string>,
  fallback: B,
  more: More = {},
): Item<A | B> => ({ ...more, variable, words, parse, fallback, isSwitch: false, isList: false })

/** An item that is a list, with commas in a text. `parse` fails with words that complete "must be …". */
export const list = <A, B>(
  variable: string,
  words: string,
  parse: (text: string) => Result.Result<A, string>,
  fallback: B,
  more?: More,
): Item<A | B> => ({ ...item(variable, words, parse, fallback, more), isList: true })

/** An item that is `true` or `false`. */
export const flag = (variable: string, words: string, fallback: boolean, more?: More): Item<boolean> => ({
  ...item(variable, words, parseSwitch, fallback, more),
  isSwitch: true,
})

/** Items, in groups. */
export interface Items {
  readonly [key: string]: Item<unknown> | Items
}

/** The values of items. */
export type Values<I> = { readonly [K in keyof I]: I[K] extends Item<infer A> ? A : Values<I[K]> }

/** A problem of a value, under its name in its source. */
export interface Problem {
  readonly name: string
  readonly message: string
}

/** Gives the text of an item, and its name there; `undefined` if the source does not have it. */
export type Source = (item: Item<unknown>) => { readonly name: string; readonly text: string } | undefined

/** Reads every item from a source. The value of an item with a problem is its fallback. */
export const readItems = <I extends Items>(
  items: I,
  source: Source,
): { readonly values: Values<I>; readonly problems: ReadonlyArray<Problem> } => {
  const problems: Array<Problem> = []
  const valueOf = (item: Item<unknown>): unknown => {
    const given = source(item)
    if (given === undefined) return item.fallback
    return Result.getOrElse(item.parse(given.text), (expected) => {
      problems.push({ name: given.name, message: `must be ${expected}` })
      return item.fallback
    })
  }
  const valuesOf = (group: Items): unknown =>
    Object.fromEntries(Object.entries(group).map(([key, part]) => [key, isItem(part) ? valueOf(part) : valuesOf(part)]))
  return { values: valuesOf(items) as Values<I>, problems }
}

const isItem = (part: Item<unknown> | Items): part is Item<unknown> => typeof part["parse"] === "function"

/** All items of all groups. */
export const listItems = (group: Items): ReadonlyArray<Item<unknown>> =>
  Object.values(group).flatMap((part) => (isItem(part) ? [part] : listItems(part)))
