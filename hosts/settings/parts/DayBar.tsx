import type { EndpointDay } from "../../../core/usecases/ReadActivity.ts"

const kinds = ["succeeded", "failed", "pending"] as const

/** A bar chart of the deliveries of the last 24 hours, with one bar per hour. */
export const DayBar = ({ day: { atLeast, hours, sum } }: { readonly day: EndpointDay }) => {
  const highest = Math.max(1, ...hours.map(({ failed, pending, succeeded }) => failed + pending + succeeded))
  const begin = atLeast ? "Last 24 hours, at least" : "Last 24 hours"
  const label = `${begin}: ${sum.succeeded} delivered, ${sum.failed} failed, ${sum.pending} pending`
  return (
    <svg class="day" viewBox="0 0 143 28" role="img" aria-label={label}>
      <title>{label}</title>
      {hours.map((slot, index) => {
        const left = index * 6
        let top = 28
        return kinds.flatMap((kind) => {
          if (slot[kind] === 0) return []
          const height = Math.max(3, (slot[kind] / highest) * 26)
          top -= height
          return [<rect key={`${left} ${kind}`} class={kind} x={left} y={top} width="5" height={height} rx="1" />]
        })
      })}
      <path d="M0 27.500h143" />
    </svg>
  )
}
