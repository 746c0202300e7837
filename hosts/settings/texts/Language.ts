import { english } from "./English.ts"

/** Every text of the app, by page. A text with something in it is a function. */
export type Texts = typeof english

/** A language of the app. */
export interface Language {
  /** Its BCP 47 tag, e.g. `en`: the language of the pages, and of their numbers, amounts and times. */
  readonly tag: string
  readonly texts: Texts
}

/** The language of the app unless an option names another. */
export const defaultLanguage: Language = { tag: "en", texts: english }
