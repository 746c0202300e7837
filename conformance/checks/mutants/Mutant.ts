/** The adapters that faults are planted in. */
export const areas = ["memory", "sql", "sender"] as const

/** One of them. */
export type Area = (typeof areas)[number]

/** The suite whose cases must catch the faults of an area. */
export const suites: Readonly<Record<Area, "storage" | "sender">> = {
  memory: "storage",
  sql: "storage",
  sender: "sender",
}

/** A fault that is planted in the code to see whether it is caught. */
export interface Mutant {
  /** Stable and unique within its area: `claim.limit`. */
  readonly id: string
  readonly area: Area
  /** From the root of the checkout. */
  readonly file: string
  /** Text that stands in the file exactly once. */
  readonly find: string
  /** Its replacement. */
  readonly replace: string
  /** The ids of the shared cases that are meant to catch it. */
  readonly caughtBy: ReadonlyArray<string>
  /**
   * The adapter that shows it, if not the area's own: the embedded database does not look for new work every second.
   */
  readonly subject?: "pglite"
  /** Why nothing catches it. */
  readonly reason?: string
  /** Planted by every run of the tests. Few are. */
  readonly sample?: true
}

/** The mutants of one file of an area. */
export const inFile = (area: Area, file: string, mutants: ReadonlyArray<Omit<Mutant, "area" | "file">>) =>
  mutants.map((mutant): Mutant => ({ area, file, ...mutant }))

/** A source with the fault in it. Throws unless the text to replace occurs exactly once. */
export const plant = ({ find, replace }: Pick<Mutant, "find" | "replace">, source: string): string => {
  const parts = source.split(find)
  if (parts.length !== 2) throw new Error(`found ${parts.length - 1} times instead of once: ${find}`)
  return parts.join(replace)
}

/** The environment variable with the fault to plant, as the JSON of a mutant's `file`, `find` and `replace`. */
export const plantedVariable = "DESIGNWIRE_MUTANT"

/** The fault that this process must plant, if any. */
export const plantedIn = (
  environment: Readonly<Record<string, string | undefined>>,
): Pick<Mutant, "file" | "find" | "replace"> | undefined => {
  const text = environment[plantedVariable]
  return text === undefined ? undefined : (JSON.parse(text) as Mutant)
}
