import type { Delivery } from "../../../core/model/Delivery.ts"

const hour = 60 * 60 * 1000

const kinds = ["succeeded", "failed", "pending"] as const

/** The deliveries of the last 24 hours, of those that the log has, hour by hour. */
export const DayBar = ({ deliveries, now }: { readonly deliveries: ReadonlyArray<Delivery>; readonly now: number }) => {
  const counts = Array.from({ length: 24 }, (_, index) => ({ left: index * 6, succeeded: 0, failed: 0, pending: 0 }))
  const sums = { succeeded: 0, failed: 0, pending: 0 }
  for (const { createdAt, status } of deliveries) {
    const slot = counts[23 - Math.floor((now - Date.parse(createdAt)) / hour)]
    if (slot === undefined) continue
    slot[status]++
    sums[status]++
  }
  const highest = Math.max(1, ...counts.map(({ failed, pending, succeeded }) => failed + pending + succeeded))
  const label = `Last 24 hours: ${sums.succeeded} delivered, ${sums.failed} failed, ${sums.pending} pending`
  return (
    <svg class="day" viewBox="0 0 143 28" role="img" aria-label={label}>
      <title>{label}</title>
      {counts.map((slot) => {
        let top = 28
        return kinds.flatMap((kind) => {
          if (slot[kind] === 0) return []
          const height = Math.max(3, (slot[kind] / highest) * 26)
          top -= height
          return [
            <rect key={`${slot.left} ${kind}`} class={kind} x={slot.left} y={top} width="5" height={height} rx="1" />,
          ]
        })
      })}
      <path d="M0 27.500h143" />
    </svg>
  )
}
