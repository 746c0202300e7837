/** All operations, by noun. */
export { settings, tokens } from "./access.ts"
export { audit } from "./audit.ts"
export { customizers, designs } from "./catalog.ts"
export { events } from "./events.ts"
export { inbox, platforms } from "./ingest.ts"
export { exported, orders } from "./orders.ts"
export { shops } from "./shops.ts"
export { webhooks } from "./webhooks.ts"
