import type { Mutant } from "../Mutant.ts"
import { audit } from "./sql/Audit.ts"
import { claim } from "./sql/Claim.ts"
import { endpoints } from "./sql/Endpoints.ts"
import { events } from "./sql/Events.ts"
import { orders } from "./sql/Orders.ts"
import { paces } from "./sql/Paces.ts"
import { queue } from "./sql/Queue.ts"
import { repair } from "./sql/Repair.ts"
import { search } from "./sql/Search.ts"
import { settle } from "./sql/Settle.ts"
import { shops } from "./sql/Shops.ts"
import { statements } from "./sql/Statements.ts"
import { upkeep } from "./sql/Upkeep.ts"

/** Faults in the adapter over SQL. */
export const sql: ReadonlyArray<Mutant> = [
  ...claim,
  ...settle,
  ...queue,
  ...paces,
  ...repair,
  ...orders,
  ...upkeep,
  ...audit,
  ...endpoints,
  ...shops,
  ...events,
  ...search,
  ...statements,
]
