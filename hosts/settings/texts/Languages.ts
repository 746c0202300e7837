import { german } from "./German.ts"
import { defaultLanguage, type Language } from "./Language.ts"

/** The languages that come with the app, by the names that options have for them. */
export const languages = { en: defaultLanguage, de: german } as const

/** A language of the app by its name, or one of your own. */
export type LanguageOption = keyof typeof languages | Language

const isName = (option: unknown): option is keyof typeof languages =>
  typeof option === "string" && Object.hasOwn(languages, option)

/** The language that an option chooses. */
export const languageOf = (option: LanguageOption = "en"): Language => (isName(option) ? languages[option] : option)

const isLocale = (text: unknown): boolean => {
  try {
    return typeof text === "string" && Intl.DateTimeFormat.supportedLocalesOf(text).length > 0
  } catch {
    return false
  }
}

/** Whether `given` has a text wherever `sample` has one. */
const hasTextsOf = (sample: unknown, given: unknown): boolean => {
  if (typeof sample !== "object" || sample === null) return typeof given === typeof sample
  if (typeof given !== "object" || given === null) return false
  return Object.entries(sample).every(([name, text]) => hasTextsOf(text, (given as Record<string, unknown>)[name]))
}

/** Whether a value is a language: the name of one that comes with the app, or a tag with every text of the app. */
export const isLanguage = (option: unknown): option is LanguageOption => {
  if (isName(option)) return true
  if (typeof option !== "object" || option === null) return false
  const { locale, tag, texts } = option as Partial<Language>
  return isLocale(tag) && (locale === undefined || isLocale(locale)) && hasTextsOf(defaultLanguage.texts, texts)
}
