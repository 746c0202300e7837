import type { AttemptCounts } from "../../../core/model/webhooks/AttemptCounts.ts"
import type { ActivityStep } from "../../../core/ports/DeliveryLog.ts"
import type { Range } from "../../../core/usecases/shops/ReadActivity.ts"
import { useFigures, useTexts } from "./CurrentLanguage.ts"
import { medianOf, withinOf } from "./Durations.ts"
import { Tick } from "./Time.tsx"

/** The outcomes of attempts, from the bottom of a bar up. Attempts are retried, or their delivery is given up. */
const outcomes = [
  { look: "succeeded", label: "delivered", count: ({ succeeded }: AttemptCounts) => succeeded },
  {
    look: "retried",
    label: "retried",
    count: ({ failedAttempts, givenUp }: AttemptCounts) => failedAttempts - givenUp,
  },
  { look: "failed", label: "givenUp", count: ({ givenUp }: AttemptCounts) => givenUp },
] as const

const totalOf = (counts: AttemptCounts) => counts.succeeded + counts.failedAttempts

/** The end of the axis: the least of some multiples of a power of ten that is not below the highest bar. */
const axisEnd = (highest: number): number => {
  if (highest <= 2) return 2
  const power = 10 ** Math.floor(Math.log10(highest))
  return [1, 1.5, 2, 3, 4, 5, 6, 8, 10].map((factor) => factor * power).find((end) => end >= highest) ?? highest
}

const [width, height] = [600, 120]

/** Between the parts of a bar. */
const gap = 1.5

/** Steps between the texts of the axis, of which there are 2, 6 or 7. */
const stepsOfTick = { "1h": 1, "24h": 4, "7d": 4, "30d": 5 } as const

const formOf = (range: Range) => (range === "30d" ? "day" : "whole")

/** A number in a drawing: a hundredth of a unit is less than can be seen. */
const drawn = (value: number) => Math.round(value * 100) / 100

/**
 * The bars of a chart as one path for each outcome, which is far shorter than an element for each part of a bar. The
 * parts of a bar stand on each other.
 */
const Bars = ({
  height,
  least,
  scale,
  slot,
  steps,
  wide,
}: {
  readonly steps: ReadonlyArray<AttemptCounts>
  readonly height: number
  /** The height of one attempt. */
  readonly scale: number
  /** The height of a part at least, so that it can be seen. */
  readonly least: number
  /** The distance from one bar to the next, and how much of it is the bar. */
  readonly slot: number
  readonly wide: number
}) => {
  const tops = steps.map(() => height)
  return outcomes.map(({ count, look }) => {
    const parts = steps.map((step, index) => {
      if (count(step) === 0) return ""
      const [tall, bottom] = [Math.max(least + gap, count(step) * scale), tops[index] ?? height]
      tops[index] = bottom - tall
      return `M${drawn(index * slot + (slot - wide) / 2)} ${drawn(bottom)}h${drawn(wide)}v${drawn(gap - tall)}h${drawn(-wide)}z`
    })
    return parts.every((part) => part === "") ? null : <path key={look} class={look} d={parts.join("")} />
  })
}

interface Steps {
  readonly range: Range
  readonly steps: ReadonlyArray<ActivityStep>
}

/** A bar for each step of time with the outcomes of its attempts, an axis, a legend, and the same as a table. */
export const ActivityChart = ({
  listOf,
  range,
  steps,
  sum,
}: Steps & {
  readonly sum: AttemptCounts
  /** The address of the list that the bar of a step leads to. */
  readonly listOf: (step: ActivityStep) => string
}) => {
  const { activity: texts } = useTexts()
  const { figure, step: nameOf } = useFigures()
  const end = axisEnd(Math.max(...steps.map(totalOf)))
  const slot = width / steps.length
  const ticks = steps.filter((_, index) => index % stepsOfTick[range] === 0)
  const form = formOf(range)
  const countsOf = (step: ActivityStep) =>
    outcomes
      .filter(({ count }) => count(step) > 0)
      .map(({ count, label }) => `${texts[label]} ${figure(count(step))}`)
      .join(", ")
  return (
    <figure class="chart">
      <div class="plot">
        <p class="axis upright" aria-hidden="true">
          <span>{figure(end)}</span>
          <span>0</span>
        </p>
        <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none">
          <title>{texts.sentence(sum)}</title>
          <path d={`M0 .5H${width}M0 ${height / 2}H${width}M0 ${height - 0.5}H${width}`} />
          <Bars steps={steps} height={height} scale={height / end} least={1.5} slot={slot} wide={slot * 0.8} />
          {steps.map(
            (step, index) =>
              totalOf(step) > 0 && (
                <a key={step.at} href={listOf(step)}>
                  <title>{`${nameOf(step.at, form)}: ${countsOf(step)}`}</title>
                  <rect x={drawn(index * slot)} width={drawn(slot)} />
                </a>
              ),
          )}
        </svg>
        <p class="axis" aria-hidden="true">
          {ticks.map(({ at }) => (
            <Tick key={at} at={at} form={range === "1h" || range === "24h" ? "time" : "day"} />
          ))}
        </p>
      </div>
      <figcaption>
        <ul class="legend">
          {outcomes.map(({ label, look }) => (
            <li key={look} class={look}>
              {texts[label]}
            </li>
          ))}
        </ul>
        <details>
          <summary>{texts.asTable}</summary>
          <StepTable range={range} steps={steps} />
        </details>
      </figcaption>
    </figure>
  )
}

const StepTable = ({ range, steps }: Steps) => {
  const all = useTexts()
  const texts = all.activity
  const { figure, step: nameOf } = useFigures()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard.
    <section class="scroll" tabIndex={0} aria-label={texts.table}>
      <table class="dense">
        <thead>
          <tr>
            {[texts.from, ...outcomes.map(({ label }) => texts[label]), texts.medianColumn, texts.withinColumn].map(
              (label) => (
                <th key={label} scope="col">
                  {label}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {steps
            .filter((step) => totalOf(step) > 0)
            .map((step) => (
              <tr key={step.at}>
                <th scope="row">{nameOf(step.at, formOf(range))}</th>
                {outcomes.map(({ count, look }) => (
                  <td key={look}>{figure(count(step))}</td>
                ))}
                <td>{medianOf(step, all)}</td>
                <td>{withinOf(step, all)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </section>
  )
}
