import { customizerCases } from "./CustomizerCases.ts"
import { deliveryLogCases } from "./DeliveryLogCases.ts"
import { deliveryQueueCases } from "./DeliveryQueueCases.ts"
import { endpointStoreCases } from "./EndpointStoreCases.ts"
import { eventCases } from "./EventCases.ts"
import { eventStoreCases } from "./EventStoreCases.ts"
import { faultCases } from "./FaultCases.ts"
import { feedCases } from "./FeedCases.ts"
import { feedTransactionCases } from "./FeedTransactionCases.ts"
import { harnessCases } from "./HarnessCases.ts"
import { listOrderCases } from "./ListOrderCases.ts"
import { noticeCases } from "./NoticeCases.ts"
import { orderStoreCases } from "./OrderStoreCases.ts"
import { rateLimitsCases } from "./RateLimitsCases.ts"
import { removeShopCases } from "./RemoveShopCases.ts"
import { rotationCases } from "./RotationCases.ts"
import { scaleCases } from "./ScaleCases.ts"
import { sealedSecretsCases } from "./SealedSecretsCases.ts"
import { shopStoreCases } from "./ShopStoreCases.ts"
import { signalCases } from "./SignalCases.ts"
import type { StorageCase } from "./StorageCase.ts"
import { tokenStoreCases } from "./TokenStoreCases.ts"

/** All requirements for storage adapters. The first case proves that the harness is honest. */
export const storageCases: ReadonlyArray<StorageCase> = [
  ...harnessCases,
  ...shopStoreCases,
  ...customizerCases,
  ...orderStoreCases,
  ...tokenStoreCases,
  ...rateLimitsCases,
  ...endpointStoreCases,
  ...rotationCases,
  ...sealedSecretsCases,
  ...eventCases,
  ...deliveryQueueCases,
  ...deliveryLogCases,
  ...noticeCases,
  ...eventStoreCases,
  // An open transaction of any shop may hold back a feed.
  ...[...feedCases, ...feedTransactionCases].map((each) => ({ ...each, alone: true })),
  ...removeShopCases,
  ...signalCases,
  ...listOrderCases,
  ...faultCases,
  ...scaleCases,
]
