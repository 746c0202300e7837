// Sorts the members of inferred unions in tsc's declarations: TypeScript 7 writes the members of generic types in an
// order that changes from one build to the next, and two builds of one commit are to have the same bytes.
import { globSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseSync, visitorKeys } from "oxc-parser"

const directory = join(import.meta.dirname, "../dist")

const childrenOf = (node) =>
  (visitorKeys[node.type] ?? []).flatMap((key) => node[key] ?? []).filter((child) => child !== null)

/** The text of a node in which the unions with a generic member are sorted. */
const sorted = (node, text) => {
  const children = childrenOf(node).toSorted((one, other) => one.start - other.start)
  const texts = children.map((child) => sorted(child, text))
  if (node.type === "TSUnionType" && node.types.some(({ typeArguments }) => typeArguments)) texts.sort()
  let written = ""
  let end = node.start
  for (const [index, child] of children.entries()) {
    // `{ name }` is one place for two nodes.
    if (child.start < end) continue
    written += text.slice(end, child.start) + texts[index]
    end = child.end
  }
  return written + text.slice(end, node.end)
}

for (const file of globSync("**/*.d.ts", { cwd: directory })) {
  const path = join(directory, file)
  const before = readFileSync(path, "utf8")
  const { errors, program } = parseSync(path, before)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`)
  const after = before.slice(0, program.start) + sorted(program, before) + before.slice(program.end)
  if (after !== before) writeFileSync(path, after)
}
