import { layout } from "./english/Layout.ts"

/** The app's texts in English, by page. A text with something in it is a function. */
export const english = { layout }
