import { goTo } from "../Page.tsx"
import type { Route } from "../Routes.ts"

/** The app's first page. */
export const homeRoutes: ReadonlyArray<Route> = [{ method: "GET", path: "/", for: "store", answer: goTo("tokens") }]
