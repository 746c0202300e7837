/**
 * Checks the package as users get it, from the tarball in an empty project where nothing resolves but what is declared:
 * every entry type-checks and runs, with all optional packages and without them; what the guides say comes true; and
 * nothing has become larger than `sizes.json` says. With `WHOLE=true` also what an import loads, and types as bundlers
 * find them. `npm run check:tarball`; `npm run sizes` writes `sizes.json` instead. Packs what the last build made.
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import manifest from "../../../package.json" with { type: "json" }
import { type Entry, entries } from "./Entries.ts"
import { guideProblems } from "./guides/guideProblems.ts"
import { install, installMore, isWhole, pack } from "./Installation.ts"
import { lintProblems } from "./Lints.ts"
import { bundlesIn, compare, loadsIn } from "./Sizes.ts"
import { typeErrors } from "./Types.ts"
import { copyUses, failureOf, failuresOf } from "./Uses.ts"

const record = join(import.meta.dirname, "sizes.json")

/** Like pnpm's, its `node_modules` holds of each package only what that declares. */
const strictly = "--install-strategy=linked"

const useOf = ({ name }: Entry): string => `uses/${name}.ts`

/** With all optional packages. */
const checkAll = async (project: string): Promise<ReadonlyArray<string>> => {
  copyUses(project)
  return [...(await typeErrors(project, entries.map(useOf), ["node"])), ...(await failuresOf(project))]
}

/** The sentence that says which packages are missing, and how to install them. */
const sentence = /^Error: (\S+ needs the packages? .+?, which (?:is|are) not installed: npm install (.+))$/m

/**
 * Checks the entries without optional packages, and without the types of Node if nothing needs them. An entry works,
 * or says what it needs and then works with that.
 */
const checkWithout = async (project: string): Promise<ReadonlyArray<string>> => {
  copyUses(project)
  const problems: Array<string> = []
  const working: Array<Entry> = []
  const needs = new Map<Entry, ReadonlyArray<string>>()
  for (const entry of entries) {
    const failure = await failureOf(project, entry)
    const [, text, packages] = sentence.exec(failure ?? "") ?? []
    if (failure === undefined) working.push(entry)
    else if (text === undefined || packages === undefined)
      problems.push(`${entry.specifier} does not say what it needs:\n${failure}`)
    else {
      console.log(text)
      needs.set(entry, packages.split(" "))
    }
  }
  problems.push(...(await typeErrors(project, working.map(useOf), [])))
  await installMore(project, ...new Set([...needs.values()].flat()), "--omit=optional", strictly)
  for (const entry of needs.keys()) {
    const failure = await failureOf(project, entry)
    if (failure !== undefined)
      problems.push(`${entry.specifier} does not work with what it says that it needs:\n${failure}`)
  }
  return problems
}

const directory = await mkdtemp(join(tmpdir(), "designwire-package-"))
try {
  const tarball = await pack(join(directory, "packed"))
  const all = join(directory, "all")
  await install(all, tarball, `@types/node@${manifest.devDependencies["@types/node"]}`, strictly)
  if (process.argv.includes("--write-sizes")) {
    const sizes = { loads: await loadsIn(all), bundles: await bundlesIn(all) }
    await writeFile(record, `${JSON.stringify(sizes, null, 2)}\n`)
  } else {
    const without = join(directory, "without")
    await install(without, tarball, "--omit=optional", strictly)
    const recorded = JSON.parse(await readFile(record, "utf8"))
    // A process for each entry counts what that loads.
    const loads = isWhole ? await loadsIn(all) : recorded.loads
    const otherSizes = compare({ loads, bundles: await bundlesIn(all) }, recorded)
    const guide = await guideProblems(join(directory, "guides"), tarball)
    const problems = [
      ...(await lintProblems(tarball)),
      ...(await checkAll(all)),
      ...(await checkWithout(without)),
      ...otherSizes,
      ...guide,
    ]
    for (const problem of problems) console.error(problem)
    if (otherSizes.length > 0) console.error("If the sizes are meant: npm run sizes")
    if (problems.length > 0) process.exitCode = 1
  }
} finally {
  await rm(directory, { recursive: true })
}
