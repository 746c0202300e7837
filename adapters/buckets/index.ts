/**
 * All storage ports over buckets: schemas in one or more Postgres databases, among which a directory finds the bucket
 * of each shop.
 */
export { type AdoptOptions, adopt } from "./Adopt.ts"
export { type Bucket, BucketMap, bucketName, bucketSchema, hashOf } from "./BucketMap.ts"
export { type BucketsOptions, layer } from "./Buckets.ts"
export type { SharedServices } from "./Databases.ts"
export {
  type Deployment,
  directoryOf,
  layerState,
  migrate,
  pending,
  readBuckets,
  requireCurrent,
  untilNewer,
} from "./Deployment.ts"
export {
  leftovers,
  MoveError,
  type MoveOptions,
  type MoveProgress,
  type MoveResult,
  type MoveStatus,
  move,
  obstaclesAtSource,
  obstaclesAtTarget,
  status,
} from "./Move.ts"
export {
  type MoveShopOptions,
  type MoveShopResult,
  type MoveShopsOptions,
  moveShop,
  type ShopMoveStatus,
  shopStatus,
} from "./MoveShop.ts"
export type { ShopProgress } from "./shop/ShopCopy.ts"
