import type { DeliveryRecord } from "../../core/model/Delivery.ts"
import type { Instant } from "../../core/model/Instant.ts"
import type { Activity, EndpointActivity } from "../../core/ports/DeliveryLog.ts"
import { newestFirst } from "./EndpointQueue.ts"
import type { EndpointQueue } from "./State.ts"

const hour = 60 * 60 * 1000

/** `DeliveryLog.activity` over the queues of a shop. */
export const activity = (
  queues: ReadonlyArray<EndpointQueue>,
  { limit, since }: { readonly since: Instant; readonly limit: number },
): Activity => {
  const logs = queues.map((queue) => {
    const all = newestFirst(queue).map(({ record }) => record)
    const recent = all.filter(({ createdAt }) => createdAt >= since).slice(0, limit)
    return { endpointId: queue.endpointId, latest: all[0]?.createdAt ?? null, recent }
  })
  const durations = logs
    .flatMap(({ recent }) => recent.flatMap(({ attempts }) => attempts.map(({ durationMs }) => durationMs)))
    .sort((left, right) => left - right)
  return {
    endpoints: logs.map(({ recent, ...endpoint }) => ({ ...endpoint, counts: counted(recent, since) })),
    medianMs: durations[Math.ceil(durations.length / 2) - 1] ?? null,
  }
}

const counted = (recent: ReadonlyArray<DeliveryRecord>, since: Instant): EndpointActivity["counts"] => {
  const groups = Map.groupBy(recent, ({ createdAt, status }) => `${Math.floor((createdAt - since) / hour)} ${status}`)
  return [...groups.values()].flatMap((group) =>
    group.slice(0, 1).map(({ createdAt, status }) => ({
      hour: Math.floor((createdAt - since) / hour),
      status,
      deliveries: group.length,
    })),
  )
}
