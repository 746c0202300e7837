/** Findings of linters in the documents. */
import type { ApiName } from "./Documents.ts"
import { tool } from "./Tools.ts"

/** A finding of a linter. */
export interface Finding {
  readonly rule: string
  readonly message: string
  readonly where: string
}

const listed = <A>(stdout: string, tool: string, output: string): A => {
  try {
    return JSON.parse(stdout) as A
  } catch {
    throw new Error(`${tool} did not answer with its findings:\n${output}`)
  }
}

/** Linters with their recommended rules; warnings and hints are findings too. */
export const linters: Readonly<Record<string, (api: ApiName) => ReadonlyArray<Finding>>> = {
  Redocly: (api) => {
    const { output, stdout } = tool("redocly", ["lint", `${api}.json`, "--extends=recommended", "--format=json"])
    const { problems } = listed<{
      readonly problems: ReadonlyArray<{
        readonly ruleId: string
        readonly message: string
        readonly location: ReadonlyArray<{ readonly pointer?: string }>
      }>
    }>(stdout, "Redocly", output)
    return problems.map(({ location, message, ruleId }) => ({
      rule: ruleId,
      message,
      where: location[0]?.pointer ?? "",
    }))
  },
  Spectral: (api) => {
    const { output, stdout } = tool("spectral", [
      ...["lint", `${api}.json`, "--ruleset", "spectral.yaml", "--format", "json"],
      ...["--fail-severity", "hint", "--quiet"],
    ])
    const problems = listed<
      ReadonlyArray<{ readonly code: string; readonly message: string; readonly path: ReadonlyArray<string | number> }>
    >(stdout, "Spectral", output)
    return problems.map(({ code, message, path }) => ({ rule: code, message, where: path.join("/") }))
  },
}
