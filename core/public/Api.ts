/** The REST API as data, and what can be set of it. `layerApi` mounts it. */
export { Compression } from "../api/ContentCoding.ts"
export { Contract } from "../api/Contract.ts"
export { TokenRateLimit } from "../usecases/access/LimitRequest.ts"
