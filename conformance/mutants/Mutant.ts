/** Where a fault is planted, and so which cases or tests must catch it. */
export const areas = ["memory", "sql", "sender", "rules", "usecases", "hosts"] as const

/** One of them. */
export type Area = (typeof areas)[number]

/** Areas that the shared cases must catch, with the suite that those are of; in the others any test may. */
export const suites: { readonly [A in Area]?: "storage" | "sender" } = {
  memory: "storage",
  sql: "storage",
  sender: "sender",
}

/** A fault that is planted in the code to see whether it is caught. */
export interface Mutant {
  /** Stable: `claim.limit`, told apart within its area. */
  readonly id: string
  readonly area: Area
  /** From the root of the checkout. */
  readonly file: string
  /** What stands in the file exactly once. */
  readonly find: string
  /** What stands there instead. */
  readonly replace: string
  /**
   * What is meant to catch it: the ids of shared cases, or tests as `file > part of the title`. Nothing only where a reason is given.
   */
  readonly caughtBy: ReadonlyArray<string>
  /** The adapter that shows it, where that is not the area's own: the embedded database, in which nobody looks every second what others have added. */
  readonly subject?: "pglite"
  /** Why nothing catches it. */
  readonly reason?: string
  /** One of the few that every run of the tests plants. */
  readonly sample?: true
}

/** The mutants of an area that stand in one file: what all of them have in common is said once. */
export const inFile = (area: Area, file: string, mutants: ReadonlyArray<Omit<Mutant, "area" | "file">>) =>
  mutants.map((mutant): Mutant => ({ area, file, ...mutant }))

/** A source with the fault in it. Throws where what is to be replaced does not stand there exactly once. */
export const plant = ({ find, replace }: Pick<Mutant, "find" | "replace">, source: string): string => {
  const parts = source.split(find)
  if (parts.length !== 2) throw new Error(`found ${parts.length - 1} times instead of once: ${find}`)
  return parts.join(replace)
}

/** What is planted is named by this variable, as the JSON of a mutant's `file`, `find` and `replace`. */
export const plantedVariable = "DESIGNWIRE_MUTANT"

/** What the process is to plant, if anything. */
export const plantedIn = (
  environment: Readonly<Record<string, string | undefined>>,
): Pick<Mutant, "file" | "find" | "replace"> | undefined => {
  const text = environment[plantedVariable]
  return text === undefined ? undefined : (JSON.parse(text) as Mutant)
}

/** A test that is named as `file > part of the title`. */
export const testOf = (name: string): { readonly file: string; readonly title: string } => {
  const [file = "", ...title] = name.split(" > ")
  return { file, title: title.join(" > ") }
}
