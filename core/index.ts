/**
 * Designwire's core: what designs, orders, customizers, tokens and webhooks are, and what may happen to them, behind
 * ports for storage and HTTP. It depends only on `effect` and runs wherever that runs.
 *
 * What can be done is grouped by noun: `Orders.place`, `Webhooks.recover`. Each is an Effect; its requirements are the
 * ports of `designwire/ports`, which an adapter provides. Ids such as `D6` and `§6-3` in comments are rows of
 * `designwire/conformance/requirements`.
 */

// The REST API in somebody's HTTP application.
export { type ApiOptions, layerApi } from "./api/Routes.ts"
export { SettingsLink, type SettingsLinkInput } from "./model/access/SettingsLink.ts"
export { allScopes, Token, type TokenInput, TokenScope } from "./model/access/Token.ts"
// What things are.
export { Actor } from "./model/audit/Actor.ts"
export { AuditPage, auditRetention } from "./model/audit/AuditEntry.ts"
export type { Compressor, ContentCoding } from "./model/ContentCoding.ts"
export { Customizer, type CustomizerInput } from "./model/catalog/Customizer.ts"
export { Definition, type PublishInput } from "./model/catalog/Definition.ts"
export { Design, type DesignInput, type Selection } from "./model/catalog/Design.ts"
export * from "./model/Errors.ts"
export { EventKind } from "./model/events/Event.ts"
export { EventPage } from "./model/events/EventPage.ts"
export * as Instant from "./model/Instant.ts"
export { InboxPage, InboxView } from "./model/ingest/InboxView.ts"
export { Order, type OrderInput } from "./model/orders/Order.ts"
export { OrderPage } from "./model/Page.ts"
export type { Problem, Problems } from "./model/Problem.ts"
export type { AuditInput, EventsInput, InboxInput, OrdersInput } from "./model/queries/Inputs.ts"
export type { DeliveryNotice, InboxNotice, Notice, NoticeKind, TokenNotice } from "./model/Resources.ts"
export { Activity, type ActivityInput } from "./model/shops/Activity.ts"
export { Shop, type ShopInput } from "./model/shops/Shop.ts"
export { WireForm } from "./model/WireForm.ts"
export * as AttemptCounts from "./model/webhooks/AttemptCounts.ts"
export { Delivery } from "./model/webhooks/Delivery.ts"
export {
  Endpoint,
  type EndpointInput,
  type EndpointUpdate,
  type RecoveryInput,
  type RotationInput,
} from "./model/webhooks/Endpoint.ts"
export * as EndpointChange from "./model/webhooks/EndpointChange.ts"
export { type NoticeRecord, noticeOf, sentenceOf } from "./model/webhooks/Notice.ts"
export { type ResendInput, Resent } from "./model/webhooks/Resend.ts"
export * as SealedTexts from "./model/webhooks/SealedTexts.ts"
// Provided by hosts.
export * as Api from "./public/Api.ts"
// Use cases.
export * as Audit from "./public/Audit.ts"
export * as Customizers from "./public/Customizers.ts"
export * as Designs from "./public/Designs.ts"
export * as Events from "./public/Events.ts"
export * as Ingest from "./public/Ingest.ts"
export * as Orders from "./public/Orders.ts"
export * as SettingsLinks from "./public/SettingsLinks.ts"
export * as Shops from "./public/Shops.ts"
export * as Tokens from "./public/Tokens.ts"
export * as Webhooks from "./public/Webhooks.ts"
export * as Worker from "./public/Worker.ts"
// The rules that others use.
export { type CompiledDefinition, compile } from "./rules/catalog/Compile.ts"
export { parseKeyRing } from "./rules/catalog/ConfigValues.ts"
export * as DesignState from "./rules/catalog/DesignState.ts"
export { type Choices, choicesOf, type Evaluated, type EvaluationInput, evaluate } from "./rules/catalog/Evaluation.ts"
export type { ImageUrls as DesignImages, ImageUrlsOf } from "./rules/catalog/ImageUrls.ts"
export { publishCheck } from "./rules/catalog/PublishCheck.ts"
export * as OrderState from "./rules/orders/OrderState.ts"
export * as Redaction from "./rules/orders/Redaction.ts"
export * as DeliveryFilters from "./rules/webhooks/DeliveryFilters.ts"
export * as DeliveryState from "./rules/webhooks/DeliveryState.ts"
export * as EndpointState from "./rules/webhooks/EndpointState.ts"
export * as NoticeRules from "./rules/webhooks/NoticeRules.ts"
export * as Ordering from "./rules/webhooks/Ordering.ts"
export * as Pace from "./rules/webhooks/Pace.ts"
export * as PublicHost from "./rules/webhooks/PublicHost.ts"
export * as RetryPolicy from "./rules/webhooks/RetryPolicy.ts"
export * as SecretRotation from "./rules/webhooks/SecretRotation.ts"
export * as Signature from "./rules/webhooks/Signature.ts"
export { CurrentActor } from "./support/Auditing.ts"
export { layerCrypto } from "./support/WebCrypto.ts"
export { ImageUrls } from "./usecases/catalog/SaveDesign.ts"
export { ServiceName } from "./usecases/webhooks/dispatch/Dispatch.ts"
