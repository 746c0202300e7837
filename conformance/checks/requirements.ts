/**
 * Writes `conformance/REQUIREMENTS.md`, and adds the ids of new cases to `conformance/suites/ids.json`, from which none
 * is ever removed: `npm run requirements`.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { allCases } from "../suites/cases.ts"
import { page } from "../suites/requirements/page.ts"
import { citingTests } from "../testkit/processes/CitingTests.ts"

const ids = new URL("../suites/ids.json", import.meta.url)
const recorded: Readonly<Record<string, ReadonlyArray<string>>> = JSON.parse(readFileSync(ids, "utf8"))

const known = Object.entries(allCases).map(([suite, cases]) => [
  suite,
  [...new Set([...(recorded[suite] ?? []), ...cases.map(({ id }) => id)])].toSorted(),
])
writeFileSync(ids, `${JSON.stringify(Object.fromEntries(known), null, 2)}\n`)
writeFileSync(
  new URL("../REQUIREMENTS.md", import.meta.url),
  page(citingTests(fileURLToPath(new URL("../../", import.meta.url)))),
)
