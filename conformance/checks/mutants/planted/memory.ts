import type { Mutant } from "../Mutant.ts"
import { audit } from "./memory/Audit.ts"
import { endpoints } from "./memory/Endpoints.ts"
import { events } from "./memory/Events.ts"
import { orders } from "./memory/Orders.ts"
import { queue } from "./memory/Queue.ts"
import { repair } from "./memory/Repair.ts"
import { search } from "./memory/Search.ts"
import { settings } from "./memory/Settings.ts"
import { shops } from "./memory/Shops.ts"
import { upkeep } from "./memory/Upkeep.ts"

/** Faults in the adapter in memory. */
export const memory: ReadonlyArray<Mutant> = [
  ...queue,
  ...repair,
  ...orders,
  ...audit,
  ...endpoints,
  ...shops,
  ...events,
  ...upkeep,
  ...search,
  ...settings,
]
