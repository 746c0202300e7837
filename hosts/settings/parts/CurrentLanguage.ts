import { createContext } from "preact"
import { useContext } from "preact/hooks"
import { defaultLanguage, type Language, localeOf } from "../texts/Language.ts"
import type { Visit } from "../Visit.ts"
import { figuresOf } from "./Figures.ts"

const Current = createContext<Language>(defaultLanguage)

/** Gives the language of the page to its parts. */
export const LanguageProvider = Current.Provider

/** The texts of the page's language. Only for components, while they are rendered. */
export const useTexts = () => useContext(Current).texts

/** The forms of numbers, amounts and times in the page's language. Only for components, while they are rendered. */
export const useFigures = () => figuresOf(localeOf(useContext(Current)))

/** The query of the current page, so that its filter stays, with other values of some parameters; `""` removes one. */
export const hereWith = (
  { path }: Pick<Visit["Service"], "path">,
  changes: Readonly<Record<string, string>> = {},
): string => {
  const query = new URLSearchParams(path.split("?").slice(1).join("?"))
  for (const [name, value] of Object.entries(changes)) {
    if (value === "") query.delete(name)
    else query.set(name, value)
  }
  return `?${query}`
}
