/** Orders of the platform, which freeze the designs in them. */
export { cancelOrder as cancel } from "../usecases/CancelOrder.ts"
export { placeOrder as place } from "../usecases/PlaceOrder.ts"
export { listOrders as list, readOrder as get } from "../usecases/ReadOrders.ts"
export { redactOrder as redact } from "../usecases/RedactOrder.ts"
