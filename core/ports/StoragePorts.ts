import type { AuditStore } from "./AuditStore.ts"
import type { CustomizerStore } from "./CustomizerStore.ts"
import type { DeliveryLog } from "./DeliveryLog.ts"
import type { DeliveryQueue } from "./DeliveryQueue.ts"
import type { DeliverySignal } from "./DeliverySignal.ts"
import type { EndpointStore } from "./EndpointStore.ts"
import type { EventStore } from "./EventStore.ts"
import type { Inbox } from "./Inbox.ts"
import type { KeptAnswers } from "./KeptAnswers.ts"
import type { NoticeStore } from "./NoticeStore.ts"
import type { OrderStore } from "./OrderStore.ts"
import type { RateLimits } from "./RateLimits.ts"
import type { SettingsSessions } from "./SettingsSessions.ts"
import type { ShopStore } from "./ShopStore.ts"
import type { TokenStore } from "./TokenStore.ts"
import type { Upkeep } from "./Upkeep.ts"

/** All storage ports, as a storage adapter implements them. */
export type StoragePorts =
  | ShopStore
  | CustomizerStore
  | OrderStore
  | TokenStore
  | RateLimits
  | EndpointStore
  | DeliveryQueue
  | DeliveryLog
  | DeliverySignal
  | EventStore
  | NoticeStore
  | KeptAnswers
  | SettingsSessions
  | AuditStore
  | Inbox
  | Upkeep
