/** Orders of the platform, which freeze the designs in them. */
export { cancelOrder as cancel } from "../usecases/orders/CancelOrder.ts"
export { placeOrder as place } from "../usecases/orders/PlaceOrder.ts"
export { listOrders as list, readOrder as get } from "../usecases/orders/ReadOrders.ts"
export { redactOrder as redact } from "../usecases/orders/RedactOrder.ts"
export { withdrawCancellation } from "../usecases/orders/WithdrawCancellation.ts"
