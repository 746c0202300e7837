/** Events of shop platforms, which place and cancel orders. */
export { applyEvent as apply, applyWaiting, keepApplying } from "../usecases/ingest/ApplyEvent.ts"
export { type PlatformEvent, receiveEvent as receive } from "../usecases/ingest/ReceiveEvent.ts"
