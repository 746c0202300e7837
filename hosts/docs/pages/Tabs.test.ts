import { expect, it } from "vitest"
import { withTabs } from "./Tabs.ts"

const block = (code: string) => `\`\`\`ts\n${code}\n\`\`\`\n`

const labelsOf = (text: string) => [...text.matchAll(/<summary>\n\n(.+)\n\n<\/summary>/g)].map(([, label]) => label)

it("MUST make tabs of blocks with an introduction each, and keep what an introduction says beyond its name", () => {
  const text = `Before.\n\nWith Express:\n\n${block("express")}\nWith Next, as \`route.ts\`:\n\n${block("next")}\nAfter.\n`
  const shown = withTabs(text)
  expect(labelsOf(shown)).toEqual(["Express", "Next"])
  expect(shown).toMatch(/^Before\.\n\n<div class="tabs">/)
  expect(shown).toContain("With Next, as `route.ts`:\n\n```ts\nnext")
  expect(shown).not.toContain("With Express:")
  expect(shown).toMatch(/<\/div>\n\n\nAfter\.\n$/)
})

it("MUST open the first tab of each group, and one tab of a group at a time", () => {
  const shown = withTabs(`With A:\n\n${block("1")}\nWith B:\n\n${block("2")}\nText.\n\n${block("3")}`)
  expect(shown.match(/<details name="[^"]+"(?: open)?>/g)).toEqual([
    '<details name="tabs-0-0" open>',
    '<details name="tabs-0-0">',
  ])
})

it("MUST make tabs of neighbouring sections about languages, whose headings stay, with tabs in them", () => {
  const sections = `## TypeScript\n\nWith A:\n\n${block("a")}\nWith B:\n\n${block("b")}\n## Go\n\n${block("go")}\n## Next steps\n`
  expect(labelsOf(withTabs(sections))).toEqual(["## TypeScript", "A", "B", "## Go"])
  expect(withTabs(sections)).toMatch(/<\/div>\n\n## Next steps\n$/)
})

it.each([
  `With pg:\n\n${block("alone")}`,
  `## Python\n\n${block("alone")}\n## Limits\n`,
  `With pg:\n\n${block("one")}\n${block("two")}\nWith care: text.\n`,
])("MUST leave other texts as they are: %j", (text) => {
  expect(withTabs(text)).toBe(text)
})
