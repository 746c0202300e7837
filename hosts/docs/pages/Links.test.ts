import { expect, it } from "vitest"
import { brokenLinks } from "./brokenLinks.ts"
import { Links } from "./Links.ts"
import { llmsIndex, markdownOf } from "./Llms.ts"
import type { Page } from "./Page.ts"

const links = () => new Links(new Map([["section-2.1", "conformance/requirements/section-2-1"]]))

it.each([
  ["hosts/cli/README.md", "../embed/README.md#workers", "/hosts/embed/#workers"],
  ["README.md", "hosts/cli/OPERATING.md", "/hosts/cli/operating/"],
  ["hosts/embed/README.md", "../../README.md#embed-it", "/#embed-it"],
  ["README.md", "skills/embed-designwire/SKILL.md", "/skills/embed-designwire/"],
  ["AGENTS.md", "conformance/REQUIREMENTS.md#section-2.1", "/conformance/requirements/section-2-1/#section-2.1"],
  ["AGENTS.md", "conformance/REQUIREMENTS.md", "/conformance/requirements/"],
  ["hosts/embed/README.md", "examples/express.mts", "/files/hosts/embed/examples/express.mts/"],
  ["README.md", "hosts/settings/screenshots/readme-overview.png", "/hosts/settings/screenshots/readme-overview.png"],
  ["README.md", "https://effect.website", "https://effect.website"],
  ["README.md", "#licence", "#licence"],
])("MUST lead from %s by %s to %s", (file, href, address) => {
  const all = links()
  expect(all.resolve(file, href)).toBe(address)
  expect(all.problems).toEqual([])
})

it("MUST name a link that leads to no file, or out of the repository", () => {
  const all = links()
  all.resolve("README.md", "hosts/none/README.md")
  all.resolve("hosts/cli/README.md", "../../../other.md")
  expect(all.problems).toEqual([
    "README.md: hosts/none/README.md leads nowhere",
    "hosts/cli/README.md: ../../../other.md leads nowhere",
  ])
})

const page = (path: string, body: string, group?: string): Page => ({
  path,
  title: `Title of ${path}`,
  description: "About it.",
  body,
  ...(group === undefined ? {} : { group }),
})

it("MUST name links to pages and anchors that are not there, and no others", () => {
  const body = "[1](/b/#here) [2](/b/#gone) [3](/c/) [4](#own) [5](/a.png) [6](#none)\n\n## Own\n"
  expect(brokenLinks([page("a", body), page("b", '<a id="here"></a>\n')], new Set(["/a.png"]))).toEqual([
    "/a: no anchor /b/#gone",
    "/a: no page at /c/",
    "/a: no anchor #none",
  ])
})

it("MUST lead from Markdown to Markdown, and list the pages of the navigation", () => {
  const home = page("", "[b](/b/#x) [home](/#y) [own](#z) [file](/a.png) [out](https://example.com/)\n", "Use it")
  expect(markdownOf(home)).toBe(
    "# Title of \n\n[b](/b.md#x) [home](/index.md#y) [own](#z) [file](/a.png) [out](https://example.com/)\n",
  )
  expect(llmsIndex([home, page("b", "", "Use it"), page("c", "")])).toBe(
    "# Title of \n\n> About it.\n\n## Use it\n\n- [Title of ](/index.md): About it.\n- [Title of b](/b.md): About it.\n",
  )
})
