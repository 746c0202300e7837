/** The tables of the guide to growing, from what `npm run bench:capacity` has measured. */
import { readFileSync } from "node:fs"
import type { Capacity } from "../bench/capacity.ts"
import { paddedTable } from "./PaddedTable.ts"

const capacity = JSON.parse(readFileSync(new URL("../bench/capacity.json", import.meta.url), "utf8")) as Capacity

/** Two digits that count. */
const count = (value: number): string => Number(value.toPrecision(2)).toLocaleString("en")

const bytes = (value: number): string => `${count(value / 1e9)} GB`

const kilobytes = (value: number): string => `${(value / 1_000).toFixed(1)} KB`

/** Microseconds of processor time of an order of two designs, whose events go to one endpoint each. */
const ofOrder = ({ alone: { deliveries, orders } }: Capacity): number =>
  orders.own + orders.postgres + 2 * (deliveries.own + deliveries.postgres)

const share = (cores: number): string =>
  cores < 0.0005 ? "next to nothing" : cores < 1 ? `${count(cores * 100)} % of a core` : `${count(cores)} cores`

const secondsOfYear = 365 * 86_400

const sizing = (): string => {
  const { events, kept } = capacity.sizes
  const rows = [1e5, 1e6, 1e7, 1e8].map((year) => {
    const peak = (20 * year) / secondsOfYear
    const stored = [bytes(year * kept), bytes((year * events * 30) / 365)]
    return [year.toLocaleString("en"), ...stored, count(peak), share((peak * ofOrder(capacity)) / 1e6)]
  })
  const heads = ["orders a year", "stored each year", "events of 30 days", "orders a second, 20 times the mean"]
  return `An order with two designs keeps ${kilobytes(kept)} in the database for good, and ${kilobytes(events)} for the 30 days
in which its events are kept:

${paddedTable([[...heads, "processor for them"], ...rows])}
`
}

const names = {
  reads: "designs read by the REST API",
  orders: "orders of two designs, with ten deliveries",
  deliveries: "deliveries sent",
} as const

const carried = (): string => {
  const within = (p99: number | null) => (p99 === null ? "" : `${count(p99)} ms`)
  const rows = (Object.keys(names) as ReadonlyArray<keyof typeof names>).map((kind) => {
    const [alone, together] = [capacity.alone[kind], capacity.together[kind]]
    const core = 1e6 / (alone.own + alone.postgres)
    const [one, all] = [alone, together].map(({ p99, perSecond }) => [count(perSecond), within(p99)])
    return [names[kind], count(core), ...(one ?? []), ...(all ?? [])]
  })
  const { date, designs, node, pending, processors } = capacity
  const heads = ["a second", "of a core", "alone", "p99", "all at once", "p99"]
  return `Two hosts and two workers on one Postgres with ${designs.toLocaleString("en")} designs and ${pending.toLocaleString("en")}
pending deliveries, on ${processors} cores that had the load and the receiver, too:

${paddedTable([heads, ...rows])}

Measured on ${date}, on Node ${node.slice(1)}. A core counts the time of hosts, workers and Postgres together.`
}

/** The guide with these tables in the place of those that it has. */
export const withCapacity = (guide: string): string =>
  guide
    .replace(/^An order with two designs keeps [^|]*(?:\|.*\n)+/m, sizing)
    .replace(/^Two hosts and two workers on [\s\S]*?^Measured on .*$/m, carried)
