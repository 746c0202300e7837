/**
 * What the outside must offer: the ports that an adapter implements, with their contracts, and the records that they exchange.
 */
export * from "./CustomizerStore.ts"
export * from "./DeliveryLog.ts"
export * from "./DeliveryQueue.ts"
export * from "./DeliverySignal.ts"
export * from "./EndpointStore.ts"
export * from "./HostLookup.ts"
export * from "./KeyRing.ts"
export * from "./OrderStore.ts"
export * from "./RateLimits.ts"
export * from "./ShopStore.ts"
export * from "./StorageError.ts"
export * from "./StoragePorts.ts"
export * from "./TokenStore.ts"
export * from "./Upkeep.ts"
export * from "./WebhookPolicy.ts"
export * from "./WebhookSender.ts"
