/** Events of shop platforms, which place and cancel orders. */
export {
  applyEvent as apply,
  applyWaiting,
  keepApplying,
  placeByHand,
  tryEvent,
} from "../usecases/ingest/ApplyEvent.ts"
export { raiseAlarms } from "../usecases/ingest/RaiseAlarms.ts"
export { listInbox as list, readInboxEvent as read } from "../usecases/ingest/ReadInbox.ts"
export { type PlatformEvent, receiveEvent as receive } from "../usecases/ingest/ReceiveEvent.ts"
