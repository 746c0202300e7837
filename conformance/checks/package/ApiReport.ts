/**
 * What users of an entry see: every export with its doc comment and its declaration as it is published, and the
 * declarations that those mention although no entry exports them.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import {
  isExportDeclaration,
  isImportDeclaration,
  isUnionTypeNode,
  isVariableDeclaration,
  type Node,
  type SourceFile,
  SyntaxKind,
} from "typescript/unstable/ast"
import { API, type Checker, type Project, type Symbol, SymbolFlags } from "typescript/unstable/sync"
import { type Entry, entries } from "./Entries.ts"

const root = resolve(import.meta.dirname, "../../..")

/** An export of an entry or of a namespace in it: `Orders.place`. */
interface Export {
  readonly name: string
  readonly symbol: Symbol
}

/** Opens the published declarations as a project, and closes it at the end. */
const withProject = <A>(use: (project: Project) => A): A => {
  const directory = mkdtempSync(join(tmpdir(), "designwire-api-"))
  const api = new API({ cwd: root })
  try {
    const config = join(directory, "tsconfig.json")
    const files = entries.map(({ types }) => join(root, types))
    writeFileSync(config, JSON.stringify({ extends: join(root, "tsconfig.json"), files, include: [] }))
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)
    if (project === undefined) throw new Error(`TypeScript does not open ${config}`)
    return use(project)
  } finally {
    api.close()
    rmSync(directory, { recursive: true })
  }
}

class Reporter {
  readonly #project: Project
  readonly #checker: Checker
  /** What entries export. */
  readonly #exported = new Set<Symbol>()
  /** What their declarations mention alongside that. */
  readonly #mentioned = new Set<Symbol>()

  constructor(project: Project) {
    this.#project = project
    this.#checker = project.checker
  }

  /** The text of each report by the name of its file, without the ending. */
  reports(): ReadonlyMap<string, string> {
    const found = entries.map((entry) => ({ entry, exports: this.#exports(this.#module(entry), entry.specifier) }))
    const reports = new Map(
      found.map(({ entry, exports }) => {
        const sections = exports.map((one) => this.#section(one))
        return [entry.name, page(entry.specifier, `What \`${entry.specifier}\` exports.`, sections)]
      }),
    )
    // A mentioned symbol may mention others: the set grows during the loop.
    const sections: Array<{ readonly key: string; readonly text: string }> = []
    for (const symbol of this.#mentioned) {
      if (this.#exported.has(symbol)) continue
      const file = this.#declarations(symbol)[0]
        ?.getSourceFile()
        .fileName.slice(root.length + 1)
      const text = this.#section({ name: `${symbol.name} (${file})`, symbol })
      sections.push({ key: `${file} ${symbol.name}`, text })
    }
    const sorted = sections.toSorted((one, other) => (one.key < other.key ? -1 : 1)).map(({ text }) => text)
    return reports.set(
      "not-exported",
      page("Not exported", "What exported declarations mention and no entry exports.", sorted),
    )
  }

  #module({ types }: Entry): Symbol {
    const file = this.#project.program.getSourceFile(join(root, types))
    const symbol = file === undefined ? undefined : this.#checker.getSymbolAtLocation(file)
    if (symbol === undefined) throw new Error(`${types} is not there, or exports nothing: npm run build`)
    return symbol
  }

  /** A module with what it exports, and what the namespaces in it export under their names. */
  #exports(module: Symbol, title: string, prefix = ""): ReadonlyArray<Export> {
    const members = this.#checker
      .getExportsOfModule(module)
      .map((symbol) => ({ name: prefix + symbol.name, symbol: this.#target(symbol) }))
      .toSorted((one, other) => (one.name < other.name ? -1 : 1))
      .flatMap((one) => {
        this.#exported.add(one.symbol)
        return isNamespace(one.symbol) ? this.#exports(one.symbol, one.name, `${one.name}.`) : one
      })
    return [{ name: title, symbol: module }, ...members]
  }

  #target(symbol: Symbol): Symbol {
    return symbol.flags & SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol
  }

  /** Its declarations in this package. */
  #declarations(symbol: Symbol): ReadonlyArray<Node> {
    return symbol.declarations
      .map((handle) => handle.resolve(this.#project))
      .filter((node) => node !== undefined)
      .map(statementOf)
      .filter((node) => node.getSourceFile().fileName.startsWith(join(root, "dist/")))
  }

  #section({ name, symbol }: Export): string {
    const texts = isNamespace(symbol) ? this.#moduleComment(symbol) : this.#texts(name, symbol)
    return texts.length === 0 ? `## ${name}\n` : `## ${name}\n\n\`\`\`ts\n${texts.join("\n")}\n\`\`\`\n`
  }

  /** A module's own comment: the first of its file, unless that belongs to the first declaration. */
  #moduleComment(module: Symbol): ReadonlyArray<string> {
    const file = module.declarations[0]?.resolve(this.#project) as SourceFile
    const [comment] = /^\/\*\*.*?\*\//s.exec(file.text) ?? []
    const [first] = file.statements
    return comment === undefined || first === undefined || startOf(first) === 0 ? [] : [comment]
  }

  /**
   * Its declarations with their comments. The nameless class that a class extends, which tsc calls `…_base`, stands
   * before it.
   */
  #texts(name: string, symbol: Symbol): ReadonlyArray<string> {
    const declarations = this.#declarations(symbol)
    if (declarations.length === 0) throw new Error(`${name} is declared outside of the package`)
    const mentions = declarations.flatMap((node) => this.#mentions(node)).filter((mentioned) => mentioned !== symbol)
    const { base = [], other = [] } = Object.groupBy(mentions, (mentioned) =>
      mentioned.name === `${symbol.name}_base` ? "base" : "other",
    )
    for (const mentioned of other) this.#mentioned.add(mentioned)
    const own = declarations.map((node) => textOf(node, startOf(node)).trimStart())
    return [...base.flatMap((one) => this.#texts(one.name, one)), ...own]
  }

  /**
   * What a declaration mentions of this package: not a parameter or whatever else it declares itself, and not whole
   * modules.
   */
  #mentions(declaration: Node): ReadonlyArray<Symbol> {
    const identifiers: Array<Node> = []
    const visit = (node: Node): void => {
      if (node.kind === SyntaxKind.Identifier) identifiers.push(node)
      node.forEachChild(visit)
    }
    visit(declaration)
    return this.#checker
      .getSymbolAtLocation(identifiers)
      .filter((symbol) => symbol !== undefined)
      .map((symbol) => this.#target(symbol))
      .filter((symbol) => this.#declarations(symbol)[0]?.parent?.kind === SyntaxKind.SourceFile)
  }
}

/** A variable's declaration is the statement that it stands in. */
const statementOf = (node: Node): Node => (isVariableDeclaration(node) ? node.parent.parent : node)

const isNamespace = (symbol: Symbol): boolean => (symbol.flags & SymbolFlags.ValueModule) !== 0

/**
 * Where a statement begins, with its doc comment: of several the last, as in every editor. Imports and exports of
 * others have none.
 */
const startOf = (node: Node): number =>
  isImportDeclaration(node) || isExportDeclaration(node)
    ? node.getStart()
    : (node.jsDoc?.at(-1)?.getFullStart() ?? node.getStart())

/**
 * The text of a node, with the members of its unions in alphabetical order: in which tsc writes them may change from
 * one build to the next.
 */
const textOf = (node: Node, start = node.getStart()): string => {
  if (isUnionTypeNode(node)) {
    return node.types
      .map((member) => textOf(member))
      .toSorted()
      .join(" | ")
  }
  const { text } = node.getSourceFile()
  let written = ""
  let end = start
  node.forEachChild((child) => {
    // Comments are children too.
    if (child.getStart() < end) return
    written += text.slice(end, child.getStart()) + textOf(child)
    end = child.getEnd()
  })
  return written + text.slice(end, node.getEnd())
}

const page = (title: string, lead: string, sections: ReadonlyArray<string>): string =>
  [`# ${title}\n`, `${lead} Written by \`npm run api\`.\n`, ...sections].join("\n")

/** The report of every entry by the name of its file, without the ending. */
export const apiReports = (): ReadonlyMap<string, string> => withProject((project) => new Reporter(project).reports())
