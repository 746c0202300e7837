/** All storage ports over several stores, such as databases, that shops are spread over. */
export { layer, type ShardedOptions } from "./Sharded.ts"
export type { StoreOf } from "./Stores.ts"
