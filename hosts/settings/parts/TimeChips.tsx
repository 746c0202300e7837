import { spans } from "../Query.ts"
import type { Visit } from "../Visit.ts"
import { hereWith } from "./CurrentLanguage.ts"
import { DayField } from "./List.tsx"

const names = ["", "today", "24h", "7d"] as const

/** The filter of a list by time, in one line: links, and days to choose. Other filters of the page stay. */
export const TimeChips = ({
  from,
  to,
  visit,
}: {
  readonly visit: Visit["Service"]
  readonly from: string
  readonly to: string
}) => {
  const { apply, chips, from: since, time, to: until } = visit.texts.deliveryList.filters
  const others = [...new URLSearchParams(visit.path.split("?")[1])].filter(
    ([name]) => !["from", "to", "after"].includes(name),
  )
  const isSpan = to === "" && (from === "" || Object.hasOwn(spans, from))
  return (
    <nav class="actions lists" aria-label={time}>
      {names.map((name) => (
        <a
          key={name}
          class="button small"
          href={hereWith(visit, { from: name, to: "", after: "" })}
          {...(isSpan && name === from ? ({ "aria-current": "true" } as const) : {})}
        >
          {chips[name]}
        </a>
      ))}
      <details open={!isSpan}>
        <summary class="button small">{chips.since}</summary>
        <form method="get" class="actions">
          {others.map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <DayField name="from" label={since} value={isSpan ? "" : from} />
          <DayField name="to" label={until} value={to} />
          <button class="button" type="submit">
            {apply}
          </button>
        </form>
      </details>
    </nav>
  )
}

/** The chosen time in the form of the other filters, which keeps it. */
export const KeptTime = (fields: { readonly from: string; readonly to: string }) =>
  (["from", "to"] as const).map(
    (name) => fields[name] !== "" && <input key={name} type="hidden" name={name} value={fields[name]} />,
  )
