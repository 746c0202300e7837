import { type Go, inTurn, submit, type View } from "./View.ts"

const add = (name: string) => inTurn((page) => page.fill("#name", name), submit)

/** The tokens of a store with a few. */
export const tokenViews = (go: Go): ReadonlyArray<View> => [
  { name: "tokens", open: go("/tokens") },
  { name: "tokens-refused", open: add("   ") },
  {
    name: "token-delete",
    open: async (page) => {
      await go("/tokens")(page)
      const address = await page.locator("main table a").first().getAttribute("href")
      await page.goto(new URL(address ?? "", page.url()).href)
    },
  },
  {
    name: "token-delete-dialog",
    open: async (page) => {
      await go("/tokens")(page)
      await page.locator("main table a").first().click()
      await page.waitForSelector("dialog[open]")
    },
  },
  { name: "token-created", open: inTurn(go("/tokens"), add("Warehouse")) },
]

/** The tokens of a store with many. */
export const manyTokensViews = (go: Go): ReadonlyArray<View> => [
  { name: "tokens-next", open: (page) => page.click("main [rel=next]") },
  { name: "tokens-searched", open: go("/tokens?q=System+1") },
  { name: "tokens-none", open: go("/tokens?q=nobody") },
]
