import { type Go, inTurn, submit, type View } from "./View.ts"

/** The pages of no store. */
export const signInViews = (go: Go, signIn: View["open"]): ReadonlyArray<View> => [
  { name: "sign-in", open: go("/sign-in") },
  { name: "sign-in-refused", open: inTurn((page) => page.fill("#key", "not the key"), submit) },
  { name: "sign-in-used-link", open: go("/sign-in?once=used") },
  { name: "stores", open: inTurn(signIn, go("/stores")) },
  { name: "stores-next", open: (page) => page.click("main [rel=next]") },
  { name: "stores-searched", open: go("/stores?q=store-1") },
  { name: "stores-none", open: go("/stores?q=nobody") },
  { name: "session", open: go("/sign-out") },
]
