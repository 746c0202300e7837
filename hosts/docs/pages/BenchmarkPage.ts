/** Measurements as charts. The figures are those that the guides state, with what they say about the run. */
import { execFileSync } from "node:child_process"
import { readLedger } from "../../../conformance/bench/ledger/Ledger.ts"
import sizes from "../../../conformance/checks/package/sizes.json" with { type: "json" }
import { type Bar, barChart, type Chart } from "./BarChart.ts"
import { guidePaths, root, textOf } from "./Guides.ts"
import { lineChart } from "./LineChart.ts"
import type { Links } from "./Links.ts"
import { headingsOf, plain, withLinks } from "./Markdown.ts"
import { addressOf, type Page } from "./Page.ts"

/** The guide with the figures. */
const file = "conformance/bench/README.md"

/** A section of it with a table of figures. */
interface Measured {
  readonly heading: string
  readonly charts: (rows: ReadonlyArray<ReadonlyArray<string>>) => ReadonlyArray<Chart>
}

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
const besideOthers = (rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<Chart> =>
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
const columns = ([head = [], ...rows]: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<Chart> =>
  head.slice(1).map((title, index) => ({
    title: `${plain(head[0] ?? "")}, ${plain(title)}`,
    bars: present(rows.map((row) => barOf(plain(row[0] ?? ""), row[index + 1] ?? "", true))),
  }))

const measured: ReadonlyArray<Measured> = [
  { heading: "Reads and deliveries", charts: besideOthers },
  { heading: "Commits that notify workers", charts: columns },
]

const paragraphsOf = (heading: string): ReadonlyArray<string> => {
  const [, section] = textOf(file).split(`\n## ${heading}\n`)
  if (section === undefined) throw new Error(`${file} has no section ${heading}, whose figures the site shows`)
  return (
    section
      .split(/\n(?=#{1,2} )/)[0]
      ?.trim()
      .split(/\n{2,}/) ?? []
  )
}

/** The table of figures in a section, and the paragraph before it, which is about the run. */
const tableOf = ({ heading }: Measured) => {
  const paragraphs = paragraphsOf(heading)
  const index = paragraphs.findIndex((paragraph) => /^\|.*per second/.test(paragraph))
  const table = paragraphs[index]
  if (table === undefined) throw new Error(`${file}, ${heading}: no table of figures per second`)
  const rows = table.split("\n").map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
  return { about: paragraphs[index - 1] ?? "", table, rows: rows.filter(([first = ""]) => !/^:?-+:?$/.test(first)) }
}

const git = (...parameters: ReadonlyArray<string>): string =>
  execFileSync("git", parameters, { cwd: root, encoding: "utf8" }).trim()

/** When a text was written into a file, as far as the history reaches. */
const recorded = (text: string): string => {
  if (git("rev-parse", "--is-shallow-repository") === "true") return ""
  const [commit = "", date = ""] = git("log", "-1", `-S${text}`, "--format=%h %cs", "--", file).split(" ")
  return commit === "" ? "" : `Recorded on ${date}, in commit \`${commit}\`.`
}

const section = (one: Measured, links: Links) => {
  const { about, rows, table } = tableOf(one)
  const { anchor } = headingsOf(`# ${one.heading}`)[0] ?? { anchor: "" }
  const source = `From [${file}](${addressOf(guidePaths.get(file) ?? "")}#${anchor}).`
  const run = recorded(rows[1]?.[1] ?? "")
  const resolved = (text: string) => withLinks(text, (href) => links.resolve(file, href))
  const lead = `## ${one.heading}\n\n${resolved(about)}\n\n`
  const end = `${resolved(table)}\n\n${[source, run].filter(Boolean).join(" ")}\n`
  return { body: lead + end, shown: `${lead}${one.charts(rows).map(barChart).join("\n")}\n${end}` }
}

/** The picture of the run over ten minutes, with the paragraph about it. */
const soak = (links: Links): string => {
  const paragraphs = paragraphsOf("What does not grow")
  const index = paragraphs.findIndex((paragraph) => paragraph.includes("soak.svg"))
  const text = paragraphs.slice(index - 1, index + 1).join("\n\n")
  return `## Everything at once\n\n${withLinks(text, (href) => links.resolve(file, href))}\n`
}

const kilobytes = (name: string, bytes: number): Bar => {
  const value = bytes / 1000
  return { name, from: value, to: value, own: true }
}

/** The sizes of imports and bundles, from the record that checks of the package compare. */
const sizesText = (): { readonly body: string; readonly shown: string } => {
  const loads = Object.entries(sizes.loads).map(([name, { bytes }]) => kilobytes(name, bytes))
  const bundles = Object.entries(sizes.bundles).flatMap(([name, { bytes, gzip }]) => [
    kilobytes(`${name}, minified`, bytes),
    kilobytes(`${name}, compressed`, gzip),
  ])
  const lead = [
    "## Sizes\n",
    "What an import loads beyond `effect`, as bytes of source, and the bundles of three programs, `effect` included.",
    "Measured by `npm run sizes`; the checks of the package fail if they are larger.\n\n",
  ].join("\n")
  const rows = [...loads, ...bundles].map(({ name, to }) => `| ${name} | ${to.toFixed(1)} |\n`).join("")
  const charts = [
    { title: "Loaded by an import, in KB", bars: loads },
    { title: "Bundles, in KB", bars: bundles },
  ]
  return {
    body: `${lead}| what | KB |\n| --- | ---: |\n${rows}`,
    shown: lead + charts.map(barChart).join("\n"),
  }
}

/** What each operation costs, from run to run. */
const ledgerText = (): { readonly body: string; readonly shown: string } => {
  const lines = readLedger()
  const names = [...new Set(lines.flatMap(({ rows }) => Object.keys(rows)))]
  const lead = [
    "## The ledger\n",
    "What each operation costs, as a ratio to a bare contender of the same run: half of all rounds are within the",
    "vertical line. `npm run bench:ledger` measures a commit and adds a line to",
    "`conformance/bench/ledger.jsonl`.\n\n",
  ].join("\n")
  const head = `| commit | ${names.join(" | ")} |\n| --- |${" ---: |".repeat(names.length)}\n`
  const rows = lines.map(
    ({ commit, rows }) => `| \`${commit}\` | ${names.map((name) => rows[name]?.ratio ?? "").join(" | ")} |\n`,
  )
  const charts = names.map((name) => ({
    title: `${name}, ratio`,
    points: lines.map(({ commit, rows }) => {
      const { ratio = null, spread = 0 } = rows[name] ?? {}
      return { name: commit, value: ratio, spread }
    }),
  }))
  return { body: lead + head + rows.join(""), shown: lead + charts.map(lineChart).join("\n") }
}

/** The page of all measurements. */
export const benchmarkPage = (links: Links): Page => {
  const sections = [...measured.map((one) => section(one, links)), ledgerText(), sizesText()]
  const lead = `The figures that the guides state, drawn. \`npm run bench:…\` measures them on your machines.\n\n`
  return {
    path: "benchmarks",
    title: "Benchmarks",
    description: "Reads, deliveries and commits per second, alongside the alternatives, with the runs they come from.",
    body: [lead, ...sections.map(({ body }) => body), soak(links)].join("\n"),
    shown: [lead, ...sections.map(({ shown }) => shown), soak(links)].join("\n"),
    group: "Project",
  }
}
