/** Webhook endpoints of a store, and what was and will be delivered to them. */
export {
  listDeliveries as deliveries,
  pruneDeliveries as prune,
  readDelivery as delivery,
  recover,
  redeliver,
  sendTestEvent as test,
} from "../usecases/webhooks/ManageDeliveries.ts"
export {
  createEndpoint as create,
  deleteEndpoint as delete,
  enableEndpoint as enable,
  listEndpoints as list,
  pauseEndpoint as pause,
  promoteSecret as promote,
  readEndpoint as get,
  rotateSecret as rotate,
  updateEndpoint as update,
} from "../usecases/webhooks/ManageEndpoints.ts"
export { readEndpointActivity as activity } from "../usecases/webhooks/ReadEndpointActivity.ts"
export { checkSecrets, resealSecrets } from "../usecases/webhooks/ResealSecrets.ts"
export { resend } from "../usecases/webhooks/ResendDeliveries.ts"
export { tryDelivery as tryNow } from "../usecases/webhooks/TryDelivery.ts"
