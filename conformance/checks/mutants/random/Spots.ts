import { type Node, parseSync } from "oxc-parser"
import { type Change, operators } from "./Operators.ts"

/** A place in a file where an operator can plant a fault. */
export interface Spot extends Change {
  readonly operator: string
  /** From the root of the checkout. */
  readonly file: string
  /** Counted from 1. */
  readonly line: number
}

/** What only types and modules are made of. */
const isErased = (node: Node): boolean =>
  /^(Import|ExportAll)|^TS(?!As|Satisfies|NonNull)/.test(node.type) ||
  (node.type === "VariableDeclaration" && node.declare === true)

const erased = new Set([
  ...["typeAnnotation", "typeParameters", "typeArguments", "returnType", "superTypeArguments", "implements"],
])

/** What a node is made of, without types and the names of properties. */
const childrenOf = (node: Node): ReadonlyArray<Node> =>
  Object.entries(node).flatMap(([name, value]: [string, unknown]) => {
    const isName = name === "key" && !("computed" in node && node.computed)
    return isName || erased.has(name)
      ? []
      : (Array.isArray(value) ? value : [value]).filter(
          (child): child is Node => typeof child === "object" && child !== null && "type" in child,
        )
  })

/** Every spot of a source. Its file must parse. */
export const spotsIn = (file: string, source: string): ReadonlyArray<Spot> => {
  const { errors, program } = parseSync(file, source)
  if (errors[0] !== undefined) throw new Error(`${file}: ${errors[0].message}`)
  const found: Array<Spot> = []
  const visit = (node: Node, parent: Node | undefined): void => {
    if (isErased(node)) return
    for (const [operator, changes] of Object.entries(operators)) {
      for (const change of changes({ source, node, parent })) {
        const line = source.slice(0, change.start).split("\n").length
        found.push({ operator, file, line, ...change })
      }
    }
    for (const child of childrenOf(node)) visit(child, node)
  }
  visit(program, undefined)
  return found
}

/** The source with the fault of a spot. */
export const planted = ({ end, replacement, start }: Change, source: string): string =>
  source.slice(0, start) + replacement + source.slice(end)

/** Whether a source can still be read. */
export const parses = (file: string, source: string): boolean =>
  parseSync(file, source, { showSemanticErrors: true }).errors.length === 0

/** The numbers of the lines that a difference of git without context adds, by their files. */
export const addedLines = (difference: string): ReadonlyMap<string, ReadonlySet<number>> => {
  const added = new Map<string, Set<number>>()
  let lines = new Set<number>()
  for (const [_, file, from, count] of difference.matchAll(/^\+\+\+ b\/(.+)$|^@@ -\S+ \+(\d+)(?:,(\d+))? @@/gm)) {
    if (file !== undefined) {
      lines = new Set()
      added.set(file, lines)
    }
    const last = Number(from) + Number(count ?? 1)
    for (let line = Number(from); line < last; line++) lines.add(line)
  }
  return added
}

/** Numbers of 0 to 1 that a seed decides (mulberry32). */
const numbersOf = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * As many spots as are wanted, no two alike. The operator is drawn first, so that each is tried as often as others:
 * most spots are texts.
 */
export const draw = (seed: number, count: number, spots: ReadonlyArray<Spot>): ReadonlyArray<Spot> => {
  const next = numbersOf(seed)
  const left = new Map(Object.entries(Object.groupBy(spots, ({ operator }) => operator)))
  const drawn: Array<Spot> = []
  while (drawn.length < count && left.size > 0) {
    const names = [...left.keys()]
    const name = names[Math.floor(next() * names.length)] ?? ""
    const among = left.get(name) ?? []
    const [spot] = among.splice(Math.floor(next() * among.length), 1)
    if (spot === undefined) left.delete(name)
    else drawn.push(spot)
  }
  return drawn
}
