import { type Node, parseSync } from "oxc-parser"
import { isCode, type Source } from "./Source.ts"

/** A function that takes more lines than its kind may. */
export interface LongFunction {
  readonly kind: Kind
  readonly path: string
  readonly line: number
  readonly lines: number
}

/** A test callback is what `it`, `test` or one of their variants runs. */
type Kind = "function" | "test callback"

/** How many lines a function of each kind may have. */
const maximumLines: Readonly<Record<Kind, number>> = { function: 100, "test callback": 80 }

const shortest = Math.min(...Object.values(maximumLines))

/**
 * The functions of a file that are too long. A group of tests (`describe`, `layer(…)`) is a heading: only the functions
 * in it count.
 */
export const longFunctions = (source: Source): ReadonlyArray<LongFunction> => {
  if (!isCode(source) || source.text.split("\n").length <= shortest) return []
  const { errors, program } = parseSync(source.path, source.text)
  if (errors[0] !== undefined) throw new Error(`${source.path}: ${errors[0].message}`)
  const lineAt = lineFinder(source.text)
  const found: Array<LongFunction> = []
  const visit = (node: Node, parent: Node | undefined): void => {
    const kind = kindOf(node, parent)
    const lines = lineAt(node.end) - lineAt(node.start) + 1
    if (kind !== undefined && lines > maximumLines[kind]) {
      found.push({ kind, path: source.path, line: lineAt(node.start), lines })
    }
    for (const child of childrenOf(node)) visit(child, node)
  }
  visit(program, undefined)
  return found
}

const functions = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"])

const kindOf = (node: Node, parent: Node | undefined): Kind | undefined => {
  if (!functions.has(node.type)) return undefined
  if (parent?.type !== "CallExpression" || !parent.arguments.some((argument) => argument === node)) return "function"
  const name = calledName(parent.callee)
  if (name === "it" || name === "test") return "test callback"
  return name === "describe" || isGroupOfTests(node) ? undefined : "function"
}

/** The name that a call begins with: `it` of `it.effect.each([])("title", …)`. */
const calledName = (node: Node): string | undefined => {
  switch (node.type) {
    case "Identifier":
      return node.name
    case "CallExpression":
      return calledName(node.callee)
    case "MemberExpression":
      return calledName(node.object)
    case "TaggedTemplateExpression":
      return calledName(node.tag)
    default:
      return undefined
  }
}

/** `layer(…)("title", (it) => …)` hands its group an `it` of its own. */
const isGroupOfTests = (node: Node): boolean => {
  const [first] = "params" in node && Array.isArray(node.params) ? node.params : []
  return first?.type === "Identifier" && first.name === "it"
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string"

const childrenOf = (node: Node): ReadonlyArray<Node> => Object.values(node).flat().filter(isNode)

/** Finds the line, from 1, of an offset. */
const lineFinder = (text: string) => {
  const ends = [...text.matchAll(/\n/g)].map(({ index }) => index)
  return (offset: number): number => {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ends[middle] as number) < offset) low = middle + 1
      else high = middle
    }
    return low + 1
  }
}
