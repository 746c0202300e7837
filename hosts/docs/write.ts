/** Writes the pages of the site from the guides of this repository. `--clean` removes the pages of former runs. */
import process from "node:process"
import { sitePages } from "./pages/sitePages.ts"
import { writePages } from "./pages/writePages.ts"

const site = sitePages()
writePages(site, process.argv.includes("--clean"))
console.log(`${site.pages.length} pages`)
