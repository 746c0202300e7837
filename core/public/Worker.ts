/** The delivery worker. */
export {
  type Drained,
  type DrainLimits,
  defaultWorker,
  drain,
  type WorkerOptions,
  work,
} from "../usecases/dispatch/Dispatch.ts"
export { makeNoticeWebhook, noticeSecret } from "../usecases/notices/NoticeWebhook.ts"
export { type SendNoticesOptions, sendDueNotices, sendNotices } from "../usecases/notices/SendNotices.ts"
