/** The feed of what happened in a shop. */
export { listEvents as list } from "../usecases/events/ReadEvents.ts"
