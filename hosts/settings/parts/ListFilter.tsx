import { DateTime } from "effect"
import type { ComponentChildren } from "preact"
import type { Instant } from "../../../core/model/Instant.ts"
import { spans } from "../Query.ts"
import type { Visit } from "../Visit.ts"
import { hereWith } from "./CurrentLanguage.ts"
import { DayField } from "./List.tsx"
import { Tick } from "./Time.tsx"

const names = ["", "today", "24h", "7d"] as const

/**
 * The filter of a list in one row: times as links, days to choose, and other fields. Each keeps the others, and the
 * range of the page's figures.
 */
export const ListFilter = ({
  at = "",
  children,
  span,
  visit,
  zone,
}: {
  readonly visit: Visit["Service"]
  /** The place of the list on the page, e.g. `#log`. Default: its beginning. */
  readonly at?: string
  /** The zone of days. */
  readonly zone: DateTime.TimeZone
  /** Another time that is chosen: its name, beginning and end. Any time of the filter replaces it. */
  readonly span?: readonly [name: string, from: Instant, until: Instant] | undefined
  /** The other fields. */
  readonly children: ComponentChildren
}) => {
  const { apply, chips, from: since, reset, time, to: until } = visit.texts.deliveryList.filters
  const given = [...new URLSearchParams(visit.path.split("?")[1])].filter(
    ([name, value]) => name !== "after" && value !== "",
  )
  const { from = "", to = "" } = Object.fromEntries(given)
  const isTime = ([name]: readonly [string, string]) => name === "from" || name === "to" || name === "attempts"
  const isFilter = ([name]: readonly [string, string]) => name !== "range"
  const isSpan = to === "" && (from === "" || Object.hasOwn(spans, from))
  const kept = (fields: typeof given) =>
    fields.map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />)
  const here = (changes: Readonly<Record<string, string>>) => hereWith(visit, { ...changes, after: "" }) + at
  const form = { method: "get", class: "inline", ...(at === "" ? {} : { action: at }) } as const
  return (
    <search class="filters">
      <nav class="field" aria-label={time}>
        <div>
          <strong>{time}</strong> <span class="hint">{DateTime.zoneToString(zone)}</span>
        </div>
        <div class="actions lists">
          {names.map((name) => (
            <a
              key={name}
              class="button small"
              href={here({ from: name, to: "", attempts: "" })}
              {...(isSpan && span === undefined && name === from ? ({ "aria-current": "true" } as const) : {})}
            >
              {chips[name]}
            </a>
          ))}
          {span !== undefined && (
            <a class="button small" href={here({})} aria-current="true">
              <span>
                {span[0]} <Tick at={span[1]} /> – <Tick at={span[2]} />
              </span>
            </a>
          )}
          <details open={!isSpan}>
            <summary class="button small">{chips.since}</summary>
            <form {...form}>
              {kept(given.filter((field) => !isTime(field)))}
              <DayField name="from" label={since} value={isSpan ? "" : from} />
              <DayField name="to" label={until} value={to} />
              <button class="button" type="submit">
                {apply}
              </button>
            </form>
          </details>
        </div>
      </nav>
      <form {...form}>
        {children}
        {kept(given.filter((field) => isTime(field) || !isFilter(field)))}
        <button class="button" type="submit">
          {apply}
        </button>
        {given.some(isFilter) && (
          <a class="button quiet" href={`?${new URLSearchParams(given.filter((field) => !isFilter(field)))}${at}`}>
            {reset}
          </a>
        )}
      </form>
    </search>
  )
}
