/** The ports that adapters implement, with their contracts, and the records that they exchange. */

export type { TokenRecord, TokenScope } from "../model/access/Token.ts"
export type { Actor } from "../model/audit/Actor.ts"
export type { AuditAction, AuditEntry, Audited, AuditPosition, SubjectType } from "../model/audit/AuditEntry.ts"
export type { CustomizerRecord, PublishedDefinition } from "../model/catalog/Customizer.ts"
export type { DesignRecord } from "../model/catalog/Design.ts"
export type { EventKind, EventRecord, Subject } from "../model/events/Event.ts"
export type { Health } from "../model/Health.ts"
export type { Instant } from "../model/Instant.ts"
export type {
  InboxChange,
  InboxEntry,
  InboxItem,
  InboxOutcome,
  InboxState,
  IngestSource,
  OrderProgress,
} from "../model/ingest/InboxItem.ts"
export type { GivenSettings, PlatformRecord } from "../model/ingest/PlatformConnection.ts"
export type { TraceContext } from "../model/log/TraceContext.ts"
export type { OrderRecord, UnstoredOrder } from "../model/orders/Order.ts"
export type { OrderLine, OrderLines } from "../model/orders/OrderLine.ts"
export type {
  DesignsShown,
  FoundOrders,
  ListedDesign,
  ListedOrder,
  OrderSearch,
} from "../model/orders/OrderSearch.ts"
export type { Position, StoredPage } from "../model/Page.ts"
export type { Shop } from "../model/shops/Shop.ts"
export type { AttemptCounts } from "../model/webhooks/AttemptCounts.ts"
export type { SealedCertificate } from "../model/webhooks/ClientCertificate.ts"
export type { SealedCredentials } from "../model/webhooks/ClientCredentials.ts"
export type { Attempt, AttemptError, DeliveryRecord, DeliveryStatus } from "../model/webhooks/Delivery.ts"
export type { EndpointRecord, SigningSecrets } from "../model/webhooks/Endpoint.ts"
export type { EndpointChange } from "../model/webhooks/EndpointChange.ts"
export type { EndpointOptions, Payload } from "../model/webhooks/EndpointOptions.ts"
export type {
  AttemptsSpan,
  DeliveryFilter,
  DeliveryPage,
  DeliveryPlace,
  EventsAbout,
  FoundDelivery,
  FoundEvent,
  LoggedDelivery,
} from "../model/webhooks/LoggedDelivery.ts"
export type { NoticeRecord } from "../model/webhooks/Notice.ts"
export type { SealedHeaders } from "../model/webhooks/OwnHeaders.ts"
export type { LogPosition, ResendFilter } from "../model/webhooks/Resend.ts"
export * from "./AuditStore.ts"
export * from "./CertificateReader.ts"
export * from "./CustomizerStore.ts"
export * from "./DeliveryLog.ts"
export * from "./DeliveryQueue.ts"
export * from "./DeliverySignal.ts"
export * from "./EndpointStore.ts"
export * from "./EventStore.ts"
export * from "./FileReader.ts"
export * from "./HostLookup.ts"
export * from "./Inbox.ts"
export * from "./KeptAnswers.ts"
export * from "./KeyRing.ts"
export * from "./NoticeStore.ts"
export * from "./Notices.ts"
export * from "./OrderStore.ts"
export * from "./RateLimits.ts"
export * from "./SettingsSessions.ts"
export * from "./ShopStore.ts"
export * from "./StorageError.ts"
export * from "./StoragePorts.ts"
export * from "./TokenStore.ts"
export * from "./Upkeep.ts"
export * from "./WebhookPolicy.ts"
export * from "./WebhookSender.ts"
