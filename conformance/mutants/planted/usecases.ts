import type { Mutant } from "../Mutant.ts"
import { access } from "./usecases/Access.ts"
import { dispatch } from "./usecases/Dispatch.ts"
import { orders } from "./usecases/Orders.ts"
import { webhooks } from "./usecases/Webhooks.ts"

/** Faults in the use cases. */
export const usecases: ReadonlyArray<Mutant> = [...dispatch, ...orders, ...access, ...webhooks]
