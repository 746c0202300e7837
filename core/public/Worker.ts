/** The delivery worker. */
export {
  type Drained,
  type DrainLimits,
  defaultWorker,
  drain,
  type WorkerOptions,
  work,
} from "../usecases/dispatch/Dispatch.ts"
