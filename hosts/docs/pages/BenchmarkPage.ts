/** Measurements as charts. The figures are those that the guides state, with what they say about the run. */
import { execFileSync } from "node:child_process"
import { lastAlike, readLedger } from "../../../conformance/bench/ledger/Ledger.ts"
import sizes from "../../../conformance/checks/package/sizes.json" with { type: "json" }
import { type Bar, barChart, type Chart } from "./BarChart.ts"
import { guidePaths, root } from "./Guides.ts"
import { lineChart } from "./LineChart.ts"
import { plain } from "./Markdown.ts"
import type { Page } from "./Page.ts"

/** The guide with the figures. */
const file = "conformance/bench/README.md"

type Rows = ReadonlyArray<ReadonlyArray<string>>

const numbersIn = (text: string): ReadonlyArray<number> =>
  (text.match(/\d[\d,]*(?:\.\d+)?/g) ?? []).map((digits) => Number(digits.replaceAll(",", "")))

/** A figure such as `5,200`, or a range such as `5,200 to 6,700`. */
const barOf = (name: string, text: string, own: boolean): Bar | undefined => {
  const numbers = numbersIn(text)
  const [from] = numbers
  const to = numbers.at(-1)
  return from === undefined || to === undefined ? undefined : { name, from, to, own }
}

const present = (bars: ReadonlyArray<Bar | undefined>): ReadonlyArray<Bar> => bars.filter((bar) => bar !== undefined)

/** A chart for each row, whose last cell has others: `Fastify: 1,850; pg-boss: 4,600`. */
const besideOthers = (rows: Rows): ReadonlyArray<Chart> =>
  rows.slice(1).map(([title = "", own = "", beside = ""]) => ({
    title: `${plain(title)}, per second`,
    bars: present([
      barOf("designwire", own, true),
      ...beside.split(";").map((part) => {
        const [, name = "", value = ""] = /^(.*): ([^:]*)$/.exec(plain(part)) ?? []
        return barOf(name.split(", ")[0] ?? name, value, false)
      }),
    ]),
  }))

/** A chart for each column but the first, with a bar for each row. */
const columns = ([head = [], ...rows]: Rows): ReadonlyArray<Chart> =>
  head.slice(1).map((title, index) => ({
    title: `${plain(head[0] ?? "")}, ${plain(title)}`,
    bars: present(rows.map((row) => barOf(plain(row[0] ?? ""), row[index + 1] ?? "", true))),
  }))

/** The sections with a table of figures, and what is drawn of it. */
const measured: Readonly<Record<string, (rows: Rows) => ReadonlyArray<Chart>>> = {
  "Reads and deliveries": besideOthers,
  "Commits that notify workers": columns,
}

const git = (...parameters: ReadonlyArray<string>): string =>
  execFileSync("git", parameters, { cwd: root, encoding: "utf8" }).trim()

/** When a text was written into a file, as far as the history reaches. */
const recorded = (text: string): string => {
  if (git("rev-parse", "--is-shallow-repository") === "true") return ""
  const [commit = "", date = ""] = git("log", "-1", `-S${text}`, "--format=%h %cs", "--", file).split(" ")
  return commit === "" ? "" : `Recorded on ${date}, in commit \`${commit}\`.`
}

/** The site's additions to a section of the guide: to its text, and for browsers. */
interface Added {
  readonly body: string
  readonly shown: string
}

const tables = /^\|.*per second(?:.*\n\|)+.*$/m

/** The charts of a table, which stand before it, and when its figures were written down. */
const drawn = (heading: string, section: string): string => {
  const [table] = tables.exec(section) ?? []
  const charts = measured[heading]
  if (table === undefined || charts === undefined)
    throw new Error(`${file}, ${heading}: no table of figures per second`)
  const rows = table
    .split("\n")
    .map((line) => line.split("|").slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim()))
    .filter(([first = ""]) => !/^:?-+:?$/.test(first))
  const pictures = charts(rows).map(barChart).join("\n")
  return section.replace(table, () => [pictures, table, recorded(rows[1]?.[1] ?? "")].join("\n\n"))
}

const kilobytes = (name: string, bytes: number): Bar => {
  const value = bytes / 1000
  return { name, from: value, to: value, own: true }
}

/** The sizes of imports and bundles, from the record that checks of the package compare. */
const sizesText = (): Added => {
  const loads = Object.entries(sizes.loads).map(([name, { bytes }]) => kilobytes(name, bytes))
  const bundles = Object.entries(sizes.bundles).flatMap(([name, { bytes, gzip }]) => [
    kilobytes(`${name}, minified`, bytes),
    kilobytes(`${name}, compressed`, gzip),
  ])
  const rows = [...loads, ...bundles].map(({ name, to }) => `| ${name} | ${to.toFixed(1)} |\n`).join("")
  const charts = [
    { title: "Loaded by an import, in KB", bars: loads },
    { title: "Bundles, in KB", bars: bundles },
  ]
  return { body: `| what | KB |\n| --- | ---: |\n${rows}`, shown: charts.map(barChart).join("\n") }
}

/** What each operation costs, from run to run. */
const ledgerText = (): Added => {
  const lines = readLedger()
  const names = [...new Set(lines.flatMap(({ rows }) => Object.keys(rows)))]
  const head = `| commit | ${names.join(" | ")} |\n| --- |${" ---: |".repeat(names.length)}\n`
  const rows = lines.map(
    ({ commit, rows }) => `| \`${commit}\` | ${names.map((name) => rows[name]?.ratio ?? "").join(" | ")} |\n`,
  )
  const charts = names.map((name) => ({
    title: `${name}, ratio`,
    points: lines.map(({ commit, rows }, index) => {
      const row = rows[name]
      const against = row && lastAlike(lines.slice(0, index), name, row)
      const comparesWith = against === undefined ? -1 : lines.indexOf(against)
      return { name: commit, value: row?.ratio ?? null, spread: row?.spread ?? 0, comparesWith }
    }),
  }))
  return { body: head + rows.join(""), shown: charts.map(lineChart).join("\n") }
}

/** The page of the guide with figures, with what is drawn of them. Other pages as they are. */
export const withCharts = (page: Page): Page => {
  if (page.path !== guidePaths.get(file)) return page
  const added: Readonly<Record<string, () => Added>> = { "The ledger": ledgerText, Sizes: sizesText }
  const parts = page.body.split(/^(?=## )/m).map((section) => {
    const heading = /^## (.*)/.exec(section)?.[1] ?? ""
    const { body, shown } = added[heading]?.() ?? { body: "", shown: "" }
    const text = heading in measured ? drawn(heading, section) : section
    return {
      body: body === "" ? section : `${section}${body}\n`,
      shown: shown === "" ? text : `${section}${shown}\n\n`,
    }
  })
  return { ...page, body: parts.map(({ body }) => body).join(""), shown: parts.map(({ shown }) => shown).join("") }
}
