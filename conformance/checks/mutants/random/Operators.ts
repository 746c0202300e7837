import type { Node } from "oxc-parser"

/** A change of a piece of a source. */
export interface Change {
  readonly start: number
  readonly end: number
  readonly replacement: string
}

/** What an operator may look at. */
interface Looking {
  readonly source: string
  readonly node: Node
  readonly parent: Node | undefined
}

const text = ({ source }: Looking, { end, start }: Node): string => source.slice(start, end)

const whole = ({ end, start }: Node, replacement: string): Change => ({ start, end, replacement })

/** Replaces the operator of a binary node by those that a table names for it. */
const swapped =
  (type: string, table: Readonly<Record<string, string>>) =>
  (looking: Looking): ReadonlyArray<Change> => {
    const { node, source } = looking
    if (node.type !== type || !("operator" in node) || !("left" in node)) return []
    const other = table[node.operator]
    if (other === undefined) return []
    const start = source.indexOf(node.operator, node.left.end)
    return [{ start, end: start + node.operator.length, replacement: other }]
  }

const testOf = (node: Node): Node | undefined =>
  node.type === "IfStatement" || node.type === "ConditionalExpression" || node.type === "WhileStatement"
    ? node.test
    : undefined

const condition =
  (change: (test: string) => string) =>
  (looking: Looking): ReadonlyArray<Change> => {
    const test = testOf(looking.node)
    return test === undefined ? [] : [whole(test, change(text(looking, test)))]
  }

/** Replaces a literal. Names of properties and modules are not values. */
const literal =
  (change: (value: unknown, raw: string) => string | undefined) =>
  (looking: Looking): ReadonlyArray<Change> => {
    const { node, parent } = looking
    if (node.type !== "Literal" || parent?.type === "ImportExpression") return []
    const replacement = change(node.value, text(looking, node))
    return replacement === undefined ? [] : [whole(node, replacement)]
  }

const functions = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"])

/** The name of a called method, with its object. */
const methodOf = ({
  node,
}: Looking): { readonly name: string; readonly object: Node; readonly at: Node } | undefined =>
  node.type === "CallExpression" &&
  node.callee.type === "MemberExpression" &&
  node.callee.property.type === "Identifier"
    ? { name: node.callee.property.name, object: node.callee.object, at: node.callee.property }
    : undefined

const removedMethods = new Set([
  ...["sort", "toSorted", "filter", "reverse", "toReversed", "slice", "trim", "toLowerCase", "toUpperCase", "concat"],
  ...["replace", "replaceAll", "normalize"],
])

const otherMethods: Readonly<Record<string, string>> = {
  some: "every",
  every: "some",
  startsWith: "endsWith",
  endsWith: "startsWith",
  min: "max",
  max: "min",
}

/** Combinators of Effect that guard what they are applied to. */
const guards = new Set([
  ...["ensuring", "onInterrupt", "onExit", "onError", "uninterruptible", "interruptible", "retry", "timeoutOrElse"],
  ...["catch", "catchTag", "catchCause", "catchDefect", "tapError", "tap", "tapCause", "orDie", "ignore", "scoped"],
  ...["withSpan", "annotateLogs", "delay", "repeat", "forever", "forkScoped", "raceFirst"],
])

const isGuard = (node: Node): boolean =>
  node.type === "MemberExpression" &&
  node.object.type === "Identifier" &&
  node.object.name === "Effect" &&
  node.property.type === "Identifier" &&
  guards.has(node.property.name)

/** `Effect.ensuring(x, y)` becomes `x`; within `pipe` it becomes the identity. */
const unguarded = (looking: Looking): ReadonlyArray<Change> => {
  const { node, parent, source } = looking
  const isPiped =
    parent?.type === "CallExpression" &&
    parent.callee.type === "MemberExpression" &&
    source.slice(parent.callee.property.start, parent.callee.property.end) === "pipe"
  if (isGuard(node) && isPiped) return [whole(node, "((same: any) => same)")]
  if (node.type !== "CallExpression" || !isGuard(node.callee)) return []
  if (isPiped) return [whole(node, "((same: any) => same)")]
  const [first] = node.arguments
  return first === undefined ? [] : [whole(node, text(looking, first))]
}

/** A statement of SQL, or a part of one, has a keyword in capitals. */
const keyword = /\b(?:SELECT|FROM|WHERE|AND|OR|UPDATE|INSERT|DELETE|JOIN|ORDER BY|GROUP BY|SET|EXISTS|UNION)\b/

/** Replaces what a pattern finds in the SQL of a template by what a table names for it. */
const inSql =
  (table: Readonly<Record<string, string>>) =>
  (looking: Looking): ReadonlyArray<Change> => {
    if (looking.node.type !== "TemplateElement") return []
    const { start } = looking.node
    const sql = text(looking, looking.node)
    if (!keyword.test(sql)) return []
    return Object.entries(table).flatMap(([found, replacement]) =>
      [...sql.matchAll(new RegExp(found, "g"))].map(({ 0: { length }, index }) => ({
        start: start + index,
        end: start + index + length,
        replacement,
      })),
    )
  }

/** The kinds of changes: those of Stryker, and those that programs on Effect and statements of SQL suffer from. */
export const operators: Readonly<Record<string, (looking: Looking) => ReadonlyArray<Change>>> = {
  "condition true": condition(() => "true"),
  "condition false": condition(() => "false"),
  "condition negated": condition((test) => `!(${test})`),
  boundary: swapped("BinaryExpression", { "<": "<=", "<=": "<", ">": ">=", ">=": ">" }),
  comparison: swapped("BinaryExpression", { "===": "!==", "!==": "===", "<": ">=", ">": "<=", "<=": ">", ">=": "<" }),
  arithmetic: swapped("BinaryExpression", { "+": "-", "-": "+", "*": "/", "/": "*", "%": "*" }),
  logical: swapped("LogicalExpression", { "&&": "||", "||": "&&" }),
  nullish: swapped("LogicalExpression", { "??": "&&" }),
  assignment: swapped("AssignmentExpression", { "+=": "-=", "-=": "+=", "??=": "=" }),
  boolean: literal((value) => (typeof value === "boolean" ? String(!value) : undefined)),
  number: literal((value) => (typeof value === "number" ? String(value === 0 ? 1 : value * 2) : undefined)),
  string: literal((value) => (typeof value !== "string" ? undefined : value === "" ? '"planted"' : '""')),
  template: ({ node, parent }) =>
    node.type === "TemplateLiteral" && parent?.type !== "TaggedTemplateExpression" ? [whole(node, "``")] : [],
  block: ({ node, parent }) =>
    node.type === "BlockStatement" && node.body.length > 0 && parent !== undefined && functions.has(parent.type)
      ? [whole(node, "{}")]
      : [],
  arrow: ({ node }) =>
    node.type === "ArrowFunctionExpression" && node.body.type !== "BlockStatement"
      ? [whole(node.body, "(undefined as never)")]
      : [],
  array: ({ node }) => (node.type === "ArrayExpression" && node.elements.length > 0 ? [whole(node, "[]")] : []),
  object: ({ node }) => (node.type === "ObjectExpression" && node.properties.length > 0 ? [whole(node, "{}")] : []),
  chain: ({ node, source }) => {
    if (node.type !== "MemberExpression" || !node.optional || node.computed) return []
    const start = source.indexOf("?.", node.object.end)
    return [{ start, end: start + 2, replacement: "." }]
  },
  update: ({ node, source }) => {
    if (node.type !== "UpdateExpression") return []
    const start = node.prefix ? node.start : node.end - 2
    return [{ start, end: start + 2, replacement: source.slice(start, start + 2) === "++" ? "--" : "++" }]
  },
  method: (looking) => {
    const method = methodOf(looking)
    if (method === undefined) return []
    const other = otherMethods[method.name]
    if (other !== undefined) return [whole(method.at, other)]
    return removedMethods.has(method.name) ? [whole(looking.node, text(looking, method.object))] : []
  },
  guard: unguarded,
  statement: ({ node }) =>
    node.type === "ExpressionStatement" &&
    node.directive == null &&
    (node.expression.type === "YieldExpression" || node.expression.type === "CallExpression")
      ? [whole(node, ";")]
      : [],
  "SQL boundary": inSql({ " < ": " <= ", " <= ": " < ", " > ": " >= ", " >= ": " > " }),
  "SQL comparison": inSql({ " = ": " <> ", " <> ": " = ", " < ": " >= ", " > ": " <= " }),
  "SQL condition": inSql({
    " AND ": " OR ",
    " OR ": " AND ",
    "NOT EXISTS": "EXISTS",
    "(?<!NOT )EXISTS": "NOT EXISTS",
    "IS NULL": "IS NOT NULL",
    "IS NOT NULL": "IS NULL",
    "IS DISTINCT FROM": "=",
  }),
  "SQL order": inSql({
    " DESC\\b": "",
    "(ORDER BY \\w+(?:\\.\\w+)?)(?=$|[\\s),])": "ORDER BY 1",
    "\\bmin\\(": "max(",
    "\\bmax\\(": "min(",
  }),
  "SQL lock": inSql({
    " FOR (?:NO KEY )?UPDATE": "",
    " FOR (?:KEY )?SHARE": "",
    " SKIP LOCKED": "",
    " OF \\w+(?= SKIP)": "",
  }),
  "SQL rows": inSql({
    "UNION ALL": "UNION",
    "LEFT JOIN": "JOIN",
    " DISTINCT\\b(?! FROM)": "",
    " LIMIT ": " OFFSET ",
    "\\bgreatest\\(": "least(",
    "\\bleast\\(": "greatest(",
    "ON CONFLICT DO NOTHING": "",
  }),
}
