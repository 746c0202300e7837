import type { StorageCase } from "../StorageCase.ts"
import { alone } from "../support/Webhooks.ts"
import { attemptCountsCases } from "./AttemptCountsCases.ts"
import { deliverySearchCases } from "./DeliverySearchCases.ts"
import { logCases } from "./LogCases.ts"
import { pruneCases } from "./PruneCases.ts"
import { pruneShopsCases } from "./PruneShopsCases.ts"
import { timeCases } from "./TimeCases.ts"

/** The contracts of `DeliveryLog` and `Upkeep`. */
export const deliveryLogCases: ReadonlyArray<StorageCase> = [
  ...timeCases,
  ...alone([...logCases, ...attemptCountsCases, ...deliverySearchCases, ...pruneCases, ...pruneShopsCases]),
]
