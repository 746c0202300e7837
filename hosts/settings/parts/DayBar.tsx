import type { EndpointActivity } from "../../../core/usecases/shops/ReadActivity.ts"
import { Bars } from "./ActivityChart.tsx"
import { useTexts } from "./CurrentLanguage.ts"

/** A small chart of an endpoint's attempts in the last 24 hours, with one bar per hour. */
export const DayBar = ({ day: { steps, sum } }: { readonly day: EndpointActivity }) => {
  const highest = Math.max(1, ...steps.map(({ failedAttempts, succeeded }) => failedAttempts + succeeded))
  const { activity } = useTexts()
  const label = activity.day(activity.sentence(sum))
  return (
    <svg class="day" viewBox="0 0 144 28" role="img" aria-label={label}>
      <title>{label}</title>
      <Bars steps={steps} height={28} scale={26 / highest} least={3} slot={6} wide={5} />
      <path d="M0 27.500h144" />
    </svg>
  )
}
