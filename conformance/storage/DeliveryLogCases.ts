import { activityCases } from "./ActivityCases.ts"
import { logCases } from "./LogCases.ts"
import { pruneCases } from "./PruneCases.ts"
import { pruneShopsCases } from "./PruneShopsCases.ts"
import type { StorageCase } from "./StorageCase.ts"
import { alone } from "./Webhooks.ts"

/** What `DeliveryLog` and `Upkeep` promise. */
export const deliveryLogCases: ReadonlyArray<StorageCase> = alone([
  ...logCases,
  ...activityCases,
  ...pruneCases,
  ...pruneShopsCases,
])
