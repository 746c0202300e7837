import { useFigures } from "./CurrentLanguage.ts"
import type { StepForm } from "./Figures.ts"

/**
 * A time relative to now, with the exact time as a tooltip; or, if `exact`, the other way round. Scripts add the time
 * in the browser's zone to what is exact.
 */
export const Time = ({
  at,
  exact = false,
  now,
}: {
  readonly at: string
  readonly now: number
  readonly exact?: boolean
}) => {
  const figures = useFigures()
  const milliseconds = Date.parse(at)
  const [text, title] = exact
    ? [figures.instant(milliseconds), figures.distance(milliseconds, now)]
    : [figures.distance(milliseconds, now), figures.instant(milliseconds)]
  return (
    <time dateTime={at.replace("+00:00", "Z")} title={title} data-exact={exact || undefined}>
      {text}
    </time>
  )
}

/** A time in short. Scripts replace it by the time in the browser's zone, unless it names a whole day. */
export const Tick = ({ at, form = "whole" }: { readonly at: number; readonly form?: StepForm }) => (
  <time dateTime={`${new Date(at).toISOString().slice(0, 16)}Z`} data-tick={form === "day" ? undefined : form}>
    {useFigures().step(at, form)}
  </time>
)
