/** What publint and Are The Types Wrong find in the tarball. */
import { install } from "../../testkit/processes/Install.ts"
import { node } from "./Installation.ts"

/** The reports of those that find something. */
export const lintProblems = async (tarball: string): Promise<ReadonlyArray<string>> => {
  const tools = await install(new URL("./tools/", import.meta.url))
  const reports = await Promise.all([
    node(tools, "node_modules/publint/src/cli.js", "run", tarball, "--strict"),
    node(tools, "node_modules/@arethetypeswrong/cli/dist/index.js", tarball, "--profile", "esm-only"),
  ])
  return reports.flatMap(({ stderr, stdout, succeeded }) => (succeeded ? [] : `${stdout}\n${stderr}`))
}
