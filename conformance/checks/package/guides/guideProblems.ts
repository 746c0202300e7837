/** Follows the guides that are in the package, with nothing but Node and the tarball. */
import { spawnSync } from "node:child_process"
import { globSync, mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import manifest from "../../../../package.json" with { type: "json" }
import { startPostgres } from "../../../testkit/databases/EmbeddedPostgres.ts"
import { install, isWhole } from "../Installation.ts"
import { parse } from "./Guide.ts"
import { deadLinks } from "./Links.ts"
import { follow } from "./Reader.ts"

/** Programs that the commands of a guide may need alongside Node. */
const missing = ["curl", "python3"].filter((program) => spawnSync(program, ["--version"]).status !== 0)

/**
 * Guides that say again what others say, those for other people's adapters and services, and those for the command and
 * for embedding, as tests start the one's processes and run the other's examples: only with `WHOLE=true`.
 */
const seldom = ["skills/", "conformance/", "hosts/cli/", "hosts/embed/"]

/** Whether the steps of a guide are followed. Its links are checked each time. */
const isFollowed = (path: string): boolean =>
  isWhole || process.env["GUIDE"] === path || !seldom.some((folder) => path.startsWith(folder))

/** What guides promise and does not come true. With `GUIDE=hosts/cli/README.md` it is one guide alone. */
export const guideProblems = async (directory: string, tarball: string): Promise<ReadonlyArray<string>> => {
  mkdirSync(directory)
  const installed = join(directory, "installed")
  await install(installed, tarball)
  const guides = join(installed, "node_modules", manifest.name)
  const postgres = await startPostgres()
  const problems: Array<string> = []
  try {
    for (const path of globSync("**/*.md", { cwd: guides, exclude: ["node_modules"] }).toSorted()) {
      if (![undefined, path].includes(process.env["GUIDE"])) continue
      const text = readFileSync(join(guides, path), "utf8")
      const guide = parse(text)
      const needs = missing.filter((program) =>
        guide.steps.some((step) => "code" in step && step.code.includes(program)),
      )
      const began = performance.now()
      const project = join(directory, path.replaceAll(/[/.]/g, "-"))
      const around = { directory: project, installed, tarball, postgres: postgres.url }
      if (needs.length > 0) console.log(`${path} is left out: it needs ${needs.join(" and ")}`)
      const unkept = needs.length > 0 || !isFollowed(path) ? [] : await follow(guide, around)
      const dead = deadLinks(join(guides, path)).map((link) => `the link ${link} leads nowhere`)
      problems.push(...[...guide.problems, ...dead, ...unkept].map((problem) => `${path}: ${problem}`))
      const seconds = ((performance.now() - began) / 1000).toFixed(1)
      console.log(
        isFollowed(path) ? `${path}: ${guide.steps.length} steps in ${seconds} s` : `${path}: its links alone`,
      )
    }
  } finally {
    await postgres.stop()
  }
  return problems
}
