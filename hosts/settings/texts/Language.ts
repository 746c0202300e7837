import { english } from "./English.ts"

/** Every text of the app, by page. A text with something in it is a function. */
export type Texts = typeof english

/** A language of the app. */
export interface Language {
  /** Its BCP 47 tag, e.g. `en`: the language of the pages. */
  readonly tag: string
  /** The locale whose forms numbers, amounts and times have, if that is not `tag`, e.g. `en-GB`. */
  readonly locale?: string | undefined
  readonly texts: Texts
}

/** English, the language of the app unless an option names another. */
export const defaultLanguage: Language = { tag: "en", locale: "en-GB", texts: english }

/** The locale whose forms the numbers, amounts and times of a language have. */
export const localeOf = ({ locale, tag }: Pick<Language, "locale" | "tag">): string => locale ?? tag

/** The `lang` of texts that are in English in every language of the app, such as texts of schemas. */
export const englishIn = ({ tag }: Pick<Language, "tag">): "en" | undefined => (/^en\b/i.test(tag) ? undefined : "en")
