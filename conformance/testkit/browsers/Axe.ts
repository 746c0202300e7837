/** What is wrong with a shown page: for people who can't see it well, and because it is wider than the window. */
import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import type { Page } from "playwright-core"

/** The script that {@link violations} needs in a page. */
export const axe: Promise<string> = readFile(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8")

/** The violations that axe finds on a page that it was loaded into: the rule and the element of each. */
export const violations = (page: Page): Promise<ReadonlyArray<string>> =>
  page.evaluate(`axe.run({ resultTypes: ["violations"] }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html.slice(0, 200))))`)

/** By how many pixels a page is wider than the window. */
export const excess = (page: Page): Promise<number> =>
  page.evaluate<number>("document.documentElement.scrollWidth - innerWidth")
