/**
 * What designwire must do, statement by statement. Doc comments and the titles of conformance cases cite these ids;
 * `conformance/REQUIREMENTS.md` in the package is the same as a page.
 */
import type { Requirement } from "./Requirement.ts"
import { sections } from "./sections.ts"

export type { Requirement } from "./Requirement.ts"

/** Every requirement, in the order of the page. */
export const requirements: ReadonlyArray<Requirement> = sections.flatMap(({ from, rows }) =>
  rows.map((row) => ({ ...row, from })),
)

/**
 * The requirements that a citation means: one for the id of a row (`§6-14`, `D6a`, `F-27`), all rows of a section for a
 * bare section (`§6`; `§2` means §2.1 to §2.5), and none for an id that does not exist.
 *
 * @example
 * findRequirements("D6a")[0]?.title // "Currency of an order"
 */
export const findRequirements = (citation: string): ReadonlyArray<Requirement> =>
  requirements.filter(
    ({ id }) =>
      id === citation || (citation.startsWith("§") && (id.startsWith(`${citation}-`) || id.startsWith(`${citation}.`))),
  )
