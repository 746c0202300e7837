import type { Mutant } from "./Mutant.ts"
import { memory } from "./planted/memory.ts"
import { sender } from "./planted/sender.ts"
import { sql } from "./planted/sql.ts"

/** Every fault that is planted. */
export const mutants: ReadonlyArray<Mutant> = [...memory, ...sql, ...sender]
