import type { Mutant } from "./Mutant.ts"
import { hosts } from "./planted/hosts.ts"
import { memory } from "./planted/memory.ts"
import { rules } from "./planted/rules.ts"
import { sender } from "./planted/sender.ts"
import { sql } from "./planted/sql.ts"
import { usecases } from "./planted/usecases.ts"

/** Every fault that is planted. */
export const mutants: ReadonlyArray<Mutant> = [...memory, ...sql, ...sender, ...rules, ...usecases, ...hosts]
