/** The delivery worker. */
export {
  type Drained,
  type DrainLimits,
  defaultWorker,
  drain,
  type WorkerOptions,
  work,
} from "../usecases/dispatch/Dispatch.ts"
export { makeNoticeWebhook, noticeSecret } from "../usecases/NoticeWebhook.ts"
export { type TellOptions, tellDueNotices, tellNotices } from "../usecases/TellNotices.ts"
