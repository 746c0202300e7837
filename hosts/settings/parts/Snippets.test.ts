import { readFileSync } from "node:fs"
import { expect, it } from "vitest"

const shown = [
  ["TypeScript", "next.ts"],
  ["Python", "verify.py"],
  ["PHP", "verify.php"],
  ["Ruby", "verify.rb"],
  ["Go", "verify.go"],
] as const

/** A snippet as a template literal. */
const literal = (file: string): string => {
  const text = readFileSync(new URL(`../../receiver/snippets/${file}`, import.meta.url), "utf8").trimEnd()
  return `\`${text.replaceAll(/[\\`]|\$\{/g, "\\$&")}\``
}

it("MUST show the snippets that are tested; `npx vitest run hosts/settings/parts/Snippets.test.ts -u` writes them", async () => {
  const module = `/**
 * Code that verifies a delivery (§5, D41): the files of \`hosts/receiver/snippets\`, in a form that any bundler takes.
 */

/** With the library \`standardwebhooks\`. */
export const standardSnippet = ${literal("standard-webhooks.ts")}

/** By language. */
export const snippets: ReadonlyArray<{ readonly language: string; readonly code: string }> = [
${shown.map(([language, file]) => `  {\n    language: "${language}",\n    code: ${literal(file)},\n  },\n`).join("")}]
`
  await expect(module).toMatchFileSnapshot("./Snippets.ts")
})
