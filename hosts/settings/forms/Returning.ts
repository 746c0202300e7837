/** The way back from an action: to the page that sent the form, with its filter and its place in the list. */
import { Effect } from "effect"
import { nextPage } from "../../../core/model/access/SettingsLink.ts"
import { Form } from "../Form.ts"
import { Visit } from "../Visit.ts"

/** The page that sent the current form, by its path in the app without a slash before it; `""` if it does not say. */
export const sender = Effect.map(Form, ({ text }) => nextPage(text("page").replace(/^\//, "")))

/**
 * The one of these pages of the store that sent the current form, with its query; otherwise the last of them, without
 * one.
 */
export const backTo = Effect.fnUntraced(function* (...pages: readonly [string, ...ReadonlyArray<string>]) {
  const { shopId } = yield* Visit
  const from = yield* sender
  const [path = "", query] = from.split("?")
  const page = pages.find((each) => `${shopId}/${each}` === path)
  return page === undefined || query === undefined ? (page ?? (pages.at(-1) as string)) : `${page}?${query}`
})
