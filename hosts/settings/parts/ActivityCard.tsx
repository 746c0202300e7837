import type { AttemptCounts } from "../../../core/model/webhooks/AttemptCounts.ts"
import type { ActivityStep } from "../../../core/ports/DeliveryLog.ts"
import { type Range, ranges } from "../../../core/usecases/shops/ReadActivity.ts"
import { addressOf, attemptsText } from "../DeliveryQuery.ts"
import type { VisitProps } from "../Visit.ts"
import { ActivityChart } from "./ActivityChart.tsx"
import { Card } from "./Card.tsx"
import { hereWith, useFigures, useTexts } from "./CurrentLanguage.ts"
import { medianOf, withinOf } from "./Durations.ts"

const rangeNames = Object.keys(ranges) as ReadonlyArray<Range>

/** The range that a page's query asks for: the last 24 hours unless it names another. */
export const rangeOf = (url: string): Range => {
  const asked = new URLSearchParams(url.split("?")[1]).get("range")
  return rangeNames.find((range) => range === asked) ?? "24h"
}

/** The deliveries in a range of time: figures, a chart, and links to the other ranges. */
export const ActivityCard = ({
  activity: { endpointId, pending, range, steps, sum },
  figures = [],
  visit,
}: VisitProps & {
  readonly activity: {
    readonly endpointId?: string
    readonly range: Range
    readonly steps: ReadonlyArray<ActivityStep>
    readonly sum: AttemptCounts
    readonly pending: number
  }
  /** Further figures, with their labels. */
  readonly figures?: ReadonlyArray<readonly [label: string, number: number]>
}) => {
  const texts = useTexts().activity
  const { figure } = useFigures()
  const listOf = (filter: Readonly<Record<string, string>>) =>
    addressOf(`${visit.root}deliveries`, { ...filter, endpoint: endpointId ?? "", test: "no" })
  const [{ at: from }, { at: second }] = steps as readonly [ActivityStep, ActivityStep]
  const length = second - from
  const whole = attemptsText(from, from + steps.length * length)
  const links = (
    <nav class="ranges" aria-label={texts.time}>
      {rangeNames.map((each) => (
        <a key={each} href={hereWith(visit, { range: each })} {...(each === range ? { "aria-current": "true" } : {})}>
          {texts.ranges[each]}
        </a>
      ))}
    </nav>
  )
  return (
    <Card id="activity" title={texts.title} aside={links}>
      <div class="pad stack">
        <dl class="numbers">
          <Figure
            label={texts.delivered}
            text={figure(sum.succeeded)}
            look={sum.succeeded === 0 ? "" : "good"}
            href={listOf({ state: "succeeded", attempts: whole })}
          />
          <Figure
            label={texts.failedAttempts}
            text={figure(sum.failedAttempts)}
            look={sum.failedAttempts === 0 ? "" : "warn"}
            href={listOf({ attempts: `failed_${whole}` })}
          />
          <Figure
            label={texts.givenUp}
            text={figure(sum.givenUp)}
            look={sum.givenUp === 0 ? "" : "bad"}
            href={listOf({ state: "failed", attempts: whole })}
          />
          <Figure label={texts.median} text={medianOf(sum, visit.texts)} />
          <Figure label={texts.within} text={withinOf(sum, visit.texts)} />
          <Figure label={texts.pending} text={figure(pending)} href={listOf({ state: "pending" })} />
          {figures.map(([label, number]) => (
            <Figure key={label} label={label} text={figure(number)} />
          ))}
        </dl>
        <ActivityChart
          range={range}
          steps={steps}
          sum={sum}
          listOf={({ at }) => listOf({ attempts: attemptsText(at, at + length) })}
        />
      </div>
    </Card>
  )
}

const Figure = ({
  href,
  label,
  look = "",
  text,
}: {
  readonly label: string
  readonly text: string
  readonly look?: string
  /** The list of what it counts. */
  readonly href?: string
}) => (
  <div>
    <dt>{label}</dt>
    <dd class={look}>{href === undefined ? text : <a href={href}>{text}</a>}</dd>
  </div>
)
