/** The delivery worker. */
export {
  type Drained,
  type DrainLimits,
  defaultWorker,
  drain,
  type WorkerOptions,
  work,
} from "../usecases/webhooks/dispatch/Dispatch.ts"
export { makeNoticeWebhook, noticeSecret } from "../usecases/webhooks/NoticeWebhook.ts"
export { type SendNoticesOptions, sendDueNotices, sendNotices } from "../usecases/webhooks/SendNotices.ts"
