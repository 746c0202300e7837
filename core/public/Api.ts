/** The REST API as routes, to be served by a host. */
export { Authorization, CurrentCaller } from "../api/Authorization.ts"
export { Contract } from "../api/Contract.ts"
export { answerAll, layer, layerDocs, routerConfig } from "../api/Routes.ts"
export { KnownTokens } from "../usecases/Authenticate.ts"
export { TokenRateLimit } from "../usecases/LimitRequest.ts"
