import { logCases } from "./LogCases.ts"
import { pruneCases } from "./PruneCases.ts"
import { recoverCases } from "./RecoverCases.ts"
import type { StorageCase } from "./StorageCase.ts"
import { alone } from "./Webhooks.ts"

/** What `DeliveryLog` promises. */
export const deliveryLogCases: ReadonlyArray<StorageCase> = alone([...logCases, ...recoverCases, ...pruneCases])
