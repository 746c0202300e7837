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
  addEndpoint as add,
  changeEndpoint as change,
  listEndpoints as list,
  promoteSecret as promote,
  readEndpoint as get,
  removeEndpoint as remove,
  rotateSecret as rotate,
  turnOnEndpoint as turnOn,
} from "../usecases/webhooks/ManageEndpoints.ts"
export { checkSecrets, resealSecrets } from "../usecases/webhooks/ResealSecrets.ts"
