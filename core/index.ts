/**
 * Designwire's core: what designs, orders, customizers, tokens and webhooks are, and what may happen to them, behind
 * ports for storage and HTTP. It depends on `effect` alone and runs wherever that runs.
 *
 * What can be done is grouped by noun: `Orders.place`, `Webhooks.recover`. Each is an Effect; its requirements are the
 * ports of `designwire/ports`, which an adapter provides. Ids such as `D6` and `§6-3` in comments are rows of
 * `designwire/conformance/requirements`.
 */

// The REST API in somebody's HTTP application.
export { type ApiOptions, layerApi } from "./api/Routes.ts"
export { Activity, type ActivityInput } from "./model/activity/Activity.ts"
export * as AttemptCounts from "./model/activity/AttemptCounts.ts"
// What things are.
export { Actor } from "./model/audit/Actor.ts"
export { AuditPage, auditRetention } from "./model/audit/AuditEntry.ts"
export type { Compressor, ContentCoding } from "./model/ContentCoding.ts"
export { Customizer, type CustomizerInput } from "./model/Customizer.ts"
export { Definition, type PublishInput } from "./model/Definition.ts"
export { Delivery } from "./model/Delivery.ts"
export { Design, type DesignInput, type Selection } from "./model/Design.ts"
export * as EndpointChange from "./model/deliveries/EndpointChange.ts"
export * as SealedTexts from "./model/deliveries/SealedTexts.ts"
export {
  Endpoint,
  type EndpointInput,
  type EndpointUpdate,
  type RecoveryInput,
  type RotationInput,
} from "./model/Endpoint.ts"
export * from "./model/Errors.ts"
export { EventKind } from "./model/Event.ts"
export { EventPage } from "./model/EventPage.ts"
export * as Instant from "./model/Instant.ts"
export { type NoticeRecord, noticeOf, sentenceOf } from "./model/Notice.ts"
export { Order, type OrderInput } from "./model/Order.ts"
export { InboxPage, InboxView } from "./model/orders/InboxView.ts"
export { OrderPage } from "./model/Page.ts"
export type { Problem, Problems } from "./model/Problem.ts"
export type { AuditInput, EventsInput, InboxInput, OrdersInput } from "./model/queries/Inputs.ts"
export type { DeliveryNotice, InboxNotice, Notice, NoticeKind, TokenNotice } from "./model/Resources.ts"
export { type ResendInput, Resent } from "./model/resend/Resend.ts"
export { Shop, type ShopInput } from "./model/Shop.ts"
export { SettingsLink, type SettingsLinkInput } from "./model/settings/SettingsLink.ts"
export { allScopes, Token, type TokenInput, TokenScope } from "./model/Token.ts"
export { WireForm } from "./model/WireForm.ts"
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
export { type CompiledDefinition, compile } from "./rules/Compile.ts"
export { parseKeyRing } from "./rules/ConfigValues.ts"
export * as DeliveryFilters from "./rules/DeliveryFilters.ts"
export * as DeliveryState from "./rules/DeliveryState.ts"
export * as DesignState from "./rules/DesignState.ts"
export * as Ordering from "./rules/deliveries/Ordering.ts"
export * as Pace from "./rules/deliveries/Pace.ts"
export * as EndpointState from "./rules/EndpointState.ts"
export { type Choices, choicesOf, type Evaluated, type EvaluationInput, evaluate } from "./rules/Evaluation.ts"
export type { ImageUrls as DesignImages, ImageUrlsOf } from "./rules/ImageUrls.ts"
export * as NoticeRules from "./rules/NoticeRules.ts"
export * as OrderState from "./rules/OrderState.ts"
export * as PublicHost from "./rules/PublicHost.ts"
export { publishCheck } from "./rules/PublishCheck.ts"
export * as Redaction from "./rules/Redaction.ts"
export * as RetryPolicy from "./rules/RetryPolicy.ts"
export * as SecretRotation from "./rules/SecretRotation.ts"
export * as Signature from "./rules/Signature.ts"
export { CurrentActor } from "./support/CurrentActor.ts"
export { layerCrypto } from "./support/WebCrypto.ts"
export { ImageUrls } from "./usecases/designs/SaveDesign.ts"
export { ServiceName } from "./usecases/dispatch/Dispatch.ts"
