/**
 * Designwire's core: what designs, orders, customizers, tokens and webhooks are, and what may happen to them, behind ports for
 * storage and HTTP. It depends on `effect` alone and runs wherever that runs.
 *
 * A use case is an Effect; its requirements are the ports that an adapter provides.
 */

// The REST API as routes.
export { Authorization, CurrentCaller } from "./api/Authorization.ts"
export { Contract } from "./api/Contract.ts"
export { answerAll, layer as restApi, routerConfig } from "./api/Routes.ts"
// What things are.
export * as Customizer from "./model/Customizer.ts"
export * as Definition from "./model/Definition.ts"
export * as Delivery from "./model/Delivery.ts"
export * as Design from "./model/Design.ts"
export * as Endpoint from "./model/Endpoint.ts"
export * from "./model/Errors.ts"
export * as Event from "./model/Event.ts"
export { type HostPolicy, publicOnly } from "./model/HostPolicy.ts"
export * as Ids from "./model/Ids.ts"
export * as Instant from "./model/Instant.ts"
export * as Money from "./model/Money.ts"
export * as Order from "./model/Order.ts"
export * as Page from "./model/Page.ts"
export type { Problem } from "./model/Problem.ts"
export * as Shop from "./model/Shop.ts"
export * as Token from "./model/Token.ts"
// What the outside must offer.
export * from "./ports/index.ts"
// What may happen.
export * as Approval from "./rules/Approval.ts"
export * as Cursor from "./rules/Cursor.ts"
export * as DeliveryState from "./rules/DeliveryState.ts"
export * as DesignState from "./rules/DesignState.ts"
export * as EndpointState from "./rules/EndpointState.ts"
export * as Evaluation from "./rules/Evaluation.ts"
export * as ImageUrlRule from "./rules/ImageUrls.ts"
export * as OrderState from "./rules/OrderState.ts"
export * as OrdersQuery from "./rules/OrdersQuery.ts"
export * as PublicHost from "./rules/PublicHost.ts"
export * as PublishCheck from "./rules/PublishCheck.ts"
export * as RetryPolicy from "./rules/RetryPolicy.ts"
export * as Signature from "./rules/Signature.ts"
export * as TokenFormat from "./rules/TokenFormat.ts"
// What someone wants done.
export * from "./usecases/Authenticate.ts"
export * from "./usecases/CancelOrder.ts"
export * from "./usecases/dispatch/Dispatch.ts"
export * from "./usecases/LimitRequests.ts"
export * from "./usecases/ManageDeliveries.ts"
export * from "./usecases/ManageEndpoints.ts"
export * from "./usecases/ManageShops.ts"
export * from "./usecases/ManageTokens.ts"
export * from "./usecases/PlaceOrder.ts"
export * from "./usecases/PublishCustomizer.ts"
export * from "./usecases/ReadCustomizer.ts"
export * from "./usecases/ReadDesign.ts"
export * from "./usecases/ReadOrders.ts"
export * from "./usecases/SaveDesign.ts"
