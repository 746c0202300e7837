import type { EndpointActivity } from "../../../core/usecases/ReadActivity.ts"
import { outcomes } from "./ActivityChart.tsx"
import { useTexts } from "./CurrentLanguage.ts"

/** A small chart of an endpoint's attempts in the last 24 hours, with one bar per hour. */
export const DayBar = ({ day: { steps, sum } }: { readonly day: EndpointActivity }) => {
  const highest = Math.max(1, ...steps.map(({ failedAttempts, succeeded }) => failedAttempts + succeeded))
  const { activity } = useTexts()
  const label = activity.day(activity.sentence(sum))
  return (
    <svg class="day" viewBox="0 0 143 28" role="img" aria-label={label}>
      <title>{label}</title>
      {steps.map((step, index) => {
        const left = index * 6
        let top = 28
        return outcomes.flatMap(({ count, look }) => {
          if (count(step) === 0) return []
          const height = Math.max(3, (count(step) / highest) * 26)
          top -= height
          return [<rect key={`${left} ${look}`} class={look} x={left} y={top} width="5" height={height} rx="1" />]
        })
      })}
      <path d="M0 27.500h143" />
    </svg>
  )
}
