/** As much of GraphQL as Shopify's API needs: selections, their cost, and what they select. */

/** A field of a selection. */
export interface Field {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  readonly fields: ReadonlyArray<Field>
}

const token = /"(?:[^"\\]|\\.)*"|\$?[A-Za-z_][A-Za-z0-9_]*|\d+|[{}():!,[\]]/g

/** Parses the selection of an operation; variables stand for their values. */
export const parseQuery = (query: string, variables: Readonly<Record<string, unknown>>): ReadonlyArray<Field> => {
  const tokens: ReadonlyArray<string> = query.match(token) ?? []
  let at = tokens.indexOf("{")
  // The types of variables come first, in parentheses.
  const value = (): unknown => {
    const text = tokens[at++] ?? ""
    if (text === "{") {
      const entries: Array<readonly [string, unknown]> = []
      while (tokens[at] !== "}") {
        const name = tokens[at] ?? ""
        at += 2
        entries.push([name, value()])
        if (tokens[at] === ",") at++
      }
      at++
      return Object.fromEntries(entries)
    }
    if (text.startsWith("$")) return variables[text.slice(1)]
    return /^\d+$/.test(text) ? Number(text) : text
  }
  const selection = (): ReadonlyArray<Field> => {
    const fields: Array<Field> = []
    at++
    while (tokens[at] !== "}") {
      if (at >= tokens.length) throw new Error(`The query has no end: ${query}`)
      const name = tokens[at++] ?? ""
      const args: Record<string, unknown> = {}
      if (tokens[at] === "(") {
        at++
        while (tokens[at] !== ")") {
          const arg = tokens[at] ?? ""
          at += 2
          args[arg] = value()
          if (tokens[at] === ",") at++
        }
        at++
      }
      fields.push({ name, args, fields: tokens[at] === "{" ? selection() : [] })
    }
    at++
    return fields
  }
  return selection()
}

/** The cost that Shopify requests for a selection: 1 for each object, 2 for a connection, 10 for a mutation. */
export const costOf = (fields: ReadonlyArray<Field>): number =>
  fields.reduce((sum, { args, fields: inner, name }) => {
    if (inner.length === 0) return sum
    const nodes = inner.find((field) => field.name === "nodes")
    const first = typeof args["first"] === "number" ? args["first"] : 1
    if (name === "nodes") return sum + (args["ids"] as ReadonlyArray<string>).length
    if (name === "pageInfo") return sum
    return sum + (nodes === undefined ? first * (1 + costOf(inner)) : 2 + first * (1 + costOf(nodes.fields)))
  }, 0)

/** A value of the schema: an object's fields may be functions of their arguments. */
type Source = unknown

/** What a selection selects of an object. A field that it does not have is an error. */
export const select = (source: Source, fields: ReadonlyArray<Field>): unknown => {
  if (Array.isArray(source)) return source.map((each) => select(each, fields))
  if (source === null || typeof source !== "object" || fields.length === 0) return source
  return Object.fromEntries(
    fields.map(({ args, fields: inner, name }) => {
      if (!(name in source)) throw new Error(`Field '${name}' doesn't exist`)
      const found = (source as Readonly<Record<string, unknown>>)[name]
      return [name, select(typeof found === "function" ? found(args) : found, inner)]
    }),
  )
}

/** A page of a list as a connection. Cursors are places in the list. */
export const connection =
  (list: ReadonlyArray<unknown>) =>
  ({ after, first }: Readonly<Record<string, unknown>>) => {
    const begin = typeof after === "string" ? Number(after) : 0
    const end = begin + Number(first)
    return {
      nodes: list.slice(begin, end),
      pageInfo: { hasNextPage: end < list.length, endCursor: list.length === 0 ? null : String(end) },
    }
  }
