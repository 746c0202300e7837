import { auditedChangeCases, auditedDeliveryCases } from "./audit/AuditedChangeCases.ts"
import { auditStoreCases } from "./audit/AuditStoreCases.ts"
import { eventCases } from "./events/EventCases.ts"
import { eventStoreCases } from "./events/EventStoreCases.ts"
import { feedCases } from "./events/FeedCases.ts"
import { feedTransactionCases } from "./events/FeedTransactionCases.ts"
import { faultCases } from "./FaultCases.ts"
import { harnessCases } from "./HarnessCases.ts"
import { listOrderCases } from "./ListOrderCases.ts"
import { deliveryLogCases } from "./log/DeliveryLogCases.ts"
import { draftCases } from "./orders/DraftCases.ts"
import { orderStoreCases } from "./orders/OrderStoreCases.ts"
import { withdrawnCancellationCases } from "./orders/WithdrawnCancellationCases.ts"
import { deliveryQueueCases } from "./queue/DeliveryQueueCases.ts"
import { signalCases } from "./queue/SignalCases.ts"
import { scaleCases } from "./ScaleCases.ts"
import type { StorageCase } from "./StorageCase.ts"
import { customizerCases } from "./shops/CustomizerCases.ts"
import { inboxCases } from "./shops/InboxCases.ts"
import { inboxWorkCases } from "./shops/InboxWorkCases.ts"
import { keptAnswersCases } from "./shops/KeptAnswersCases.ts"
import { platformCases } from "./shops/PlatformCases.ts"
import { removeShopCases } from "./shops/RemoveShopCases.ts"
import { shopStoreCases } from "./shops/ShopStoreCases.ts"
import { shopViewsCases } from "./shops/ShopViewsCases.ts"
import { rateLimitsCases } from "./tokens/RateLimitsCases.ts"
import { settingsSessionsCases } from "./tokens/SettingsSessionsCases.ts"
import { tokenStoreCases } from "./tokens/TokenStoreCases.ts"
import { droppedCases } from "./webhooks/DroppedCases.ts"
import { endpointStoreCases } from "./webhooks/EndpointStoreCases.ts"
import { noticeCases } from "./webhooks/NoticeCases.ts"
import { rotationCases } from "./webhooks/RotationCases.ts"
import { sealedSecretsCases } from "./webhooks/SealedSecretsCases.ts"
import { wantedCases } from "./webhooks/WantedCases.ts"

/** All requirements for storage adapters. The first case proves that the harness is honest. */
export const storageCases: ReadonlyArray<StorageCase> = [
  ...harnessCases,
  ...shopStoreCases,
  ...customizerCases,
  ...orderStoreCases,
  ...withdrawnCancellationCases,
  ...draftCases,
  ...tokenStoreCases,
  ...rateLimitsCases,
  ...endpointStoreCases,
  ...droppedCases,
  ...wantedCases,
  ...rotationCases,
  ...sealedSecretsCases,
  ...keptAnswersCases,
  ...inboxCases,
  ...inboxWorkCases,
  ...platformCases,
  ...shopViewsCases,
  ...settingsSessionsCases,
  ...auditStoreCases,
  ...auditedChangeCases,
  ...auditedDeliveryCases,
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
