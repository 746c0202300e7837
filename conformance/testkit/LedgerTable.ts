/** The figures of the front page, from the newest line of the ledger. */
import type { LedgerLine } from "../bench/ledger/Ledger.ts"
import { paddedTable } from "./PaddedTable.ts"

/** Rows of the ledger that readers look for: what is measured, and the contender of the same run. */
const shown: Readonly<Record<string, readonly [what: string, contender: string]>> = {
  read: ["a design by the REST API, processor time", "`node:http` and `pg`, without tokens or limits"],
  "page of 25": ["a page of 25 orders", "the same server, which reads one design"],
  "commit of an order, 5 endpoints": ["an order placed, with five deliveries queued", "the same rows by hand"],
  arrival: ["from an order to the receiver", "a job of graphile-worker"],
  start: ["the start of a process", "a server of `node:http`"],
  "idle, memory": ["memory of a process without requests", "a server of `node:http`"],
}

const figure = (value: number, unit: string): string => {
  const [amount, name] = unit === "µs" && value >= 1000 ? [value / 1000, "ms"] : [value, unit]
  return `${Number(amount.toPrecision(amount >= 100 ? 3 : 2))} ${name}`
}

/** The table of these rows, and the line about the run. */
const ledgerTable = ({ commit, date, node, rows }: LedgerLine): string => {
  const table = paddedTable([
    ["operation", "designwire", "bare", "ratio", "the bare one is"],
    ...Object.entries(shown).flatMap(([name, [what, contender]]) => {
      const row = rows[name]
      if (row === undefined) return []
      return [[what, figure(row.own, row.unit), figure(row.bare, row.unit), row.ratio.toFixed(2), contender]]
    }),
  ])
  return `${table}\n\nMeasured on ${date} at commit \`${commit}\`, on Node ${node.slice(1)}.`
}

/** The page with these figures in the place of those that it has. */
export const withLedger = (page: string, line: LedgerLine | undefined): string =>
  line === undefined
    ? page
    : page.replace(/^\| operation +\| designwire .*\n(?:\|.*\n)+\nMeasured on .*$/m, () => ledgerTable(line))
