const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

const two = (number: number): string => String(number).padStart(2, "0")

/** `20 Nov 2026, 12:00:05 UTC` */
const absolute = (at: number): string => {
  const date = new Date(at)
  const day = `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`
  return `${day}, ${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())} UTC`
}

const units = [
  [24 * 60 * 60 * 1000, "day"],
  [60 * 60 * 1000, "hour"],
  [60 * 1000, "minute"],
  [1000, "second"],
] as const

const count = (number: number, unit: string): string => `${number} ${unit}${number === 1 ? "" : "s"}`

/** `3 minutes ago`, `in 2 hours`, `now`; a date if it is more than a month away. */
const relative = (at: number, now: number): string => {
  const distance = Math.abs(at - now)
  if (distance > 31 * 24 * 60 * 60 * 1000) return absolute(at).split(",")[0] as string
  const [length, unit] = units.find(([milliseconds]) => distance >= milliseconds) ?? [1, ""]
  if (unit === "") return "now"
  const text = count(Math.floor(distance / length), unit)
  return at > now ? `in ${text}` : `${text} ago`
}

/** A time relative to now, with the exact time as a tooltip; or, if `exact`, the other way round. */
export const Time = ({
  at,
  exact = false,
  now,
}: {
  readonly at: string
  readonly now: number
  readonly exact?: boolean
}) => {
  const instant = Date.parse(at)
  const [text, title] = exact
    ? [absolute(instant), relative(instant, now)]
    : [relative(instant, now), absolute(instant)]
  return (
    <time dateTime={at} title={title}>
      {text}
    </time>
  )
}
