import { expect, it } from "vitest"
import { anchorsOf, firstParagraph, headingsOf, headingWithId, plain, withLinks, withoutComments } from "./Markdown.ts"

const text = `## Read \`it\`, then _act_

A [link](other.md#part), \`[no link](in code)\` and [\`code\`](code.md).

\`\`\`md
## No heading
[no link](in a block)
\`\`\`

## Read it, then act
`

it("MUST make the anchors of headings as GitHub does, and number those with the same words", () => {
  expect(headingsOf(text)).toEqual([
    { level: 2, text: "Read `it`, then _act_", anchor: "read-it-then-act" },
    { level: 2, text: "Read it, then act", anchor: "read-it-then-act-1" },
  ])
  expect(headingsOf("## §2.1-3 `POST …/webhooks/{id}`")).toMatchObject([{ anchor: "21-3-post-webhooksid" }])
})

it("MUST change links in prose, also around code, and none in code", () => {
  expect(withLinks(text, (href) => `/${href}`)).toBe(
    text.replace("(other.md#part)", "(/other.md#part)").replace("(code.md)", "(/code.md)"),
  )
})

it("MUST find ids as anchors, but not those in code", () => {
  expect([...anchorsOf('<a id="D25"></a>\n\n## One\n\n```html\n<a id="none"></a>\n```\n')]).toEqual(["one", "D25"])
})

it("MUST give a heading an id of its own only if its anchor is another one", () => {
  expect(headingWithId("token", "## Token")).toBe("## Token")
  expect(headingWithId("orders.place", "## Orders.place")).toBe('<a id="orders.place"></a>\n\n## Orders.place')
})

it("MUST take the first paragraph, without marks, as what a page is about", () => {
  expect(firstParagraph("| a | b |\n| - | - |\n\nThe **first** [one](a.md),\nin `two` lines.\n\nThe next.")).toBe(
    "The first one, in two lines.",
  )
  expect(plain("![picture](a.png) __bold__ and snake_case_name")).toBe("bold and snake_case_name")
})

it("MUST leave out the comments that checks read, but not those in code", () => {
  const code = "```html\n<!-- shown -->\n```\n"
  expect(withoutComments(`One\n\n<!-- from: a.ts -->\n${code}<!-- run\nnpm ci\n-->\nTwo\n`)).toBe(`One\n\n${code}Two\n`)
})
