/**
 * Plants a fault for each row of the requirements and prints which are caught by the cases and tests of the row:
 * `npm run mutants:rows -- §6-20 D25` tries these rows alone. Exits with 1 unless all are caught.
 */
import process from "node:process"
import { requirements } from "../../../suites/requirements/index.ts"
import { rowFaults } from "./index.ts"
import { RowTrials } from "./RowTrials.ts"

const only = process.argv.slice(2)
const wanted = rowFaults.filter(({ row }) => only.length === 0 || only.includes(row))
const trials = await RowTrials.open()
let missed = 0
for (const fault of wanted) {
  const row = requirements.find(({ id }) => id === fault.row)
  if (row === undefined) throw new Error(`There is no row ${fault.row}`)
  const from = Date.now()
  const verdict = await trials.try(row, fault)
  if (!("caughtBy" in verdict)) missed++
  console.log(`${fault.row} ${JSON.stringify(verdict)} (${((Date.now() - from) / 1000).toFixed(1)} s)`)
}
await trials.close()
console.log(`${wanted.length - missed} of ${wanted.length} faults are caught by the rows that they break`)
process.exit(missed === 0 ? 0 : 1)
