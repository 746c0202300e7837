/** The delivery worker. */
export { Dispatch, type Drained, defaultWorker, type WorkerOptions } from "../usecases/Dispatch.ts"
