/** What the package has for coding agents: an index of its guides, and skills. */
import { globSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { validate } from "skills-ref"
import manifest from "../../../../package.json" with { type: "json" }

const root = join(import.meta.dirname, "../../../..")
const index = readFileSync(join(root, "AGENTS.md"), "utf8")
const skills = globSync("skills/*", { cwd: root }).toSorted()

/** The guides of the package. */
const guides = globSync(
  manifest.files.filter((pattern) => pattern.endsWith(".md")),
  { cwd: root },
).filter((path) => path !== "AGENTS.md")

describe("AGENTS.md", () => {
  it("MUST have at most 8 KiB, so that an agent can hold it all the time", () => {
    expect(statSync(join(root, "AGENTS.md")).size).toBeLessThanOrEqual(8192)
  })

  it("MUST lead to every guide and every skill of the package", () => {
    const leadsTo = (path: string) => index.includes(`](${path})`) || index.includes(`](${path}#`)
    expect(guides.length).toBeGreaterThan(12)
    expect(skills.length).toBe(4)
    expect([...guides, ...skills.map((skill) => `${skill}/SKILL.md`)].filter((path) => !leadsTo(path))).toEqual([])
  })
})

describe("Skills", () => {
  for (const skill of skills) {
    it(`MUST follow the Agent Skills specification, in at most 500 lines: ${skill}`, async () => {
      expect(await validate(join(root, skill))).toEqual([])
      const lines = readFileSync(join(root, skill, "SKILL.md"), "utf8").split("\n").length
      expect(lines).toBeLessThanOrEqual(500)
    })
  }
})
