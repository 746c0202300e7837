/** All storage ports over several stores, such as databases. Each shop is in one of them. */
export { layer, type ShardedOptions } from "./Sharded.ts"
export type { StoreOf } from "./Stores.ts"
