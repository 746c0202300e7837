/** The parts of guides that are made from declarations, from measurements, or from another guide: `npm run guides`. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { readLedger } from "../bench/ledger/Ledger.ts"
import { withCapacity } from "./CapacityTable.ts"
import { withDefinitionTables } from "./DefinitionTables.ts"
import { withErrorTables } from "./ErrorTables.ts"
import { withLedger } from "./LedgerTable.ts"
import { withSettings } from "./SettingsTable.ts"

const root = join(import.meta.dirname, "../..")

/** A section of a guide, with its heading. */
const section = (heading: string): RegExp => new RegExp(`^## ${heading}\\n[^]*?(?=^## |$(?![^]))`, "m")

const guesses = section("What is often guessed wrong")

/** The index for agents has a section of the guide of words, for those that read no further. */
const withGuesses = (index: string): string => {
  const [text] = guesses.exec(readFileSync(join(root, "core/WORDS.md"), "utf8")) ?? []
  if (text === undefined) throw new Error("core/WORDS.md has no section of what is often guessed wrong")
  return index.replace(guesses, () => `${text.trimEnd()}\n\n`)
}

interface Written {
  readonly path: string
  readonly written: (guide: string) => string
}

export const writtenGuides: ReadonlyArray<Written> = [
  { path: "README.md", written: (guide) => withLedger(guide, readLedger().at(-1)) },
  { path: "adapters/cells/README.md", written: withCapacity },
  { path: "AGENTS.md", written: withGuesses },
  { path: "hosts/cli/REFERENCE.md", written: withSettings },
  { path: "core/FIELDS.md", written: withDefinitionTables },
  { path: "core/WORDS.md", written: withErrorTables },
]

/** A guide as it is, and as it must be. */
export const readWritten = ({ path, written }: Written): readonly [is: string, must: string] => {
  const text = readFileSync(join(root, path), "utf8")
  return [text, written(text)]
}
