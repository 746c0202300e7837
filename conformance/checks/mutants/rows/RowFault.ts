/** A fault that breaks one row of the requirements: a case or test of the row must fail with it. */
export interface RowFault {
  /** The id of the row: `§6-20`. */
  readonly row: string
  /** From the root of the checkout. */
  readonly file: string
  /** Text that stands in the file exactly once. */
  readonly find: string
  /** Its replacement. */
  readonly replace: string
}

/** Faults in one file. */
export const inFile = (
  file: string,
  faults: ReadonlyArray<readonly [row: string, find: string, replace: string]>,
): ReadonlyArray<RowFault> => faults.map(([row, find, replace]) => ({ row, file, find, replace }))
