import type { StorageCase } from "../StorageCase.ts"
import { alone } from "../support/Webhooks.ts"
import { claimCases } from "./ClaimCases.ts"
import { claimContractCases } from "./ClaimContractCases.ts"
import { claimOrderCases } from "./ClaimOrderCases.ts"
import { claimShareCases } from "./ClaimShareCases.ts"
import { orderingCases } from "./OrderingCases.ts"
import { paceCases } from "./PaceCases.ts"
import { recoverCases } from "./RecoverCases.ts"
import { releaseCases } from "./ReleaseCases.ts"
import { resendCases } from "./ResendCases.ts"
import { settleBesideCases } from "./SettleBesideCases.ts"
import { settleCases } from "./SettleCases.ts"
import { switchOffCases } from "./SwitchOffCases.ts"
import { tryNowCases } from "./TryNowCases.ts"
import { walkCases } from "./WalkCases.ts"

/** The contract of `DeliveryQueue`. */
export const deliveryQueueCases: ReadonlyArray<StorageCase> = alone([
  ...claimCases,
  ...claimOrderCases,
  ...claimShareCases,
  ...claimContractCases,
  ...settleCases,
  ...settleBesideCases,
  ...releaseCases,
  ...switchOffCases,
  ...walkCases,
  ...recoverCases,
  ...tryNowCases,
  ...resendCases,
  ...orderingCases,
  ...paceCases,
])
