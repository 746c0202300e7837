/**
 * Counts what keeps the repository readable, and fails if a count is above its limit in `Bars.ts`.
 *
 * `npm run check:form`; `-- --show longLines` lists every place of a count, `-- --install` measures `node_modules` too.
 */
import { execFileSync } from "node:child_process"
import { resolve } from "node:path"
import process from "node:process"
import { parseArgs } from "node:util"
import { bars } from "./Bars.ts"
import { type Count, countsOf } from "./Counts.ts"
import { failuresOf, tableOf } from "./Report.ts"
import { sourcesIn } from "./Source.ts"

const { values } = parseArgs({ options: { show: { type: "string" }, install: { type: "boolean", default: false } } })

const root = resolve(import.meta.dirname, "../../..")

const installSize = (): Count => {
  const [kilobytes] = execFileSync("du", ["-sk", "node_modules"], { cwd: root, encoding: "utf8" }).split("\t")
  const value = Number(kilobytes) / 1024
  return { bar: "installSize", title: "megabytes of node_modules", value, places: () => [] }
}

const counts = [...countsOf(sourcesIn(root)), ...(values.install ? [installSize()] : [])]

if (values.show !== undefined) {
  const count = counts.find(({ bar }) => bar === values.show)
  if (count === undefined) throw new Error(`--show takes one of ${counts.map(({ bar }) => bar).join(", ")}`)
  for (const place of count.places()) console.log(place)
}

console.log(tableOf(counts, bars))
for (const failure of failuresOf(counts, bars)) {
  process.exitCode = 1
  console.error(`\n${failure}`)
}
