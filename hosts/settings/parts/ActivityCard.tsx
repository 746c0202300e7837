import type { AttemptCounts } from "../../../core/model/activity/AttemptCounts.ts"
import { type ActivityStep, type Range, ranges } from "../../../core/usecases/ReadActivity.ts"
import { ActivityChart, milliseconds } from "./ActivityChart.tsx"
import { figure } from "./Figures.ts"

const names: Readonly<Record<Range, string>> = {
  "1h": "This hour and the last",
  "24h": "24 hours",
  "7d": "7 days",
  "30d": "30 days",
}

/** The range that a page's query asks for: the last 24 hours unless it names another. */
export const rangeOf = (url: string): Range => {
  const asked = new URLSearchParams(url.split("?")[1]).get("range")
  return Object.keys(ranges).find((range): range is Range => range === asked) ?? "24h"
}

/** The deliveries in a range of time: figures, a chart, and links to the other ranges. */
export const ActivityCard = ({
  activity: { pending, range, steps, sum },
  figures = [],
}: {
  readonly activity: {
    readonly range: Range
    readonly steps: ReadonlyArray<ActivityStep>
    readonly sum: AttemptCounts
    readonly pending: number
  }
  /** Further figures, with their labels. */
  readonly figures?: ReadonlyArray<readonly [label: string, text: string]>
}) => (
  <section class="card" aria-labelledby="activity">
    <header>
      <h2 id="activity">Activity</h2>
      <nav class="ranges" aria-label="Time">
        {Object.entries(names).map(([each, name]) => (
          <a key={each} href={`?range=${each}`} {...(each === range ? { "aria-current": "true" } : {})}>
            {name}
          </a>
        ))}
      </nav>
    </header>
    <div class="pad stack">
      <dl class="numbers">
        <Figure label="Delivered" text={figure(sum.succeeded)} look={sum.succeeded === 0 ? "" : "good"} />
        <Figure
          label="Failed attempts"
          text={figure(sum.failedAttempts)}
          look={sum.failedAttempts === 0 ? "" : "warn"}
        />
        <Figure label="Given up" text={figure(sum.givenUp)} look={sum.givenUp === 0 ? "" : "bad"} />
        <Figure label="Median time" text={milliseconds(sum, 0.5)} />
        <Figure label="95 % within" text={milliseconds(sum, 0.95)} />
        <Figure label="Pending now" text={figure(pending)} />
        {figures.map(([label, text]) => (
          <Figure key={label} label={label} text={text} />
        ))}
      </dl>
      <ActivityChart range={range} steps={steps} sum={sum} />
    </div>
  </section>
)

const Figure = ({
  label,
  look = "",
  text,
}: {
  readonly label: string
  readonly text: string
  readonly look?: string
}) => (
  <div>
    <dt>{label}</dt>
    <dd class={look}>{text}</dd>
  </div>
)
