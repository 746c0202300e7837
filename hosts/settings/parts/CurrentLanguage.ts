import { createContext } from "preact"
import { useContext } from "preact/hooks"
import { defaultLanguage, type Language, localeOf } from "../texts/Language.ts"
import { figuresOf } from "./Figures.ts"

const Current = createContext<Language>(defaultLanguage)

/** Gives the language of the page to its parts. */
export const LanguageProvider = Current.Provider

/** The texts of the page's language. Only for components, while they are rendered. */
export const useTexts = () => useContext(Current).texts

/** The forms of numbers, amounts and times in the page's language. Only for components, while they are rendered. */
export const useFigures = () => figuresOf(localeOf(useContext(Current)))
