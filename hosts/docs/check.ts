/** Builds the site and checks its links, anchors, blocks of code, weight and accessibility: `npm run check:docs`. */
import process from "node:process"
import { astro, write } from "./Astro.ts"
import { builtPages } from "./checks/Built.ts"
import { browserProblems } from "./checks/browserProblems.ts"
import { idsOf, pageProblems, weightOf } from "./checks/pageProblems.ts"

await write("--clean")
await astro("build", "--silent")

const pages = builtPages()
const ids = new Map(pages.map((page) => [page.address, new Set(idsOf(page))]))
const heaviest = pages.toSorted((one, other) => weightOf(other) - weightOf(one))[0]
if (heaviest !== undefined)
  console.log(`${pages.length} pages; the heaviest, ${heaviest.address}, ${weightOf(heaviest)} bytes`)

const problems = [...pages.flatMap((page) => pageProblems(page, ids)), ...(await browserProblems())]
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1
