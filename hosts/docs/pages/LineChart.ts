/** Draws what a figure was from run to run, in the colours of the page. */

/** A run's figure; `null` if the run has none. */
export interface Point {
  readonly name: string
  readonly value: number | null
  /** How far it may be off. */
  readonly spread: number
  /** The index of the earlier run that it compares with; -1 if there is none. */
  readonly comparesWith: number
}

/** The figures of one kind, oldest first. */
export interface LineChart {
  readonly title: string
  readonly points: ReadonlyArray<Point>
}

const [width, height] = [720, 120]
const [left, right, top, bottom] = [8, 60, 10, 22]

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")

/** A chart as SVG in one line, so that it stands as it is in Markdown. */
export const lineChart = ({ points, title }: LineChart): string => {
  const most = Math.max(...points.map(({ spread, value }) => (value ?? 0) + spread))
  const step = points.length < 2 ? 0 : (width - left - right) / (points.length - 1)
  const x = (index: number) => (left + index * step).toFixed(1)
  const y = (value: number) => (top + (height - top - bottom) * (1 - value / most)).toFixed(1)
  const known = points.flatMap((point, index) =>
    point.value === null ? [] : [{ ...point, value: point.value, index }],
  )
  const path = known.map(({ comparesWith, index, value }) => {
    const before = points[comparesWith]?.value ?? null
    return before === null ? "" : `M${x(comparesWith)},${y(before)}L${x(index)},${y(value)}`
  })
  const marks = known.map(
    ({ index, spread, value }) =>
      `<line x1="${x(index)}" x2="${x(index)}" y1="${y(value + spread)}" y2="${y(Math.max(0, value - spread))}"/>` +
      `<circle cx="${x(index)}" cy="${y(value)}" r="3"/>`,
  )
  const last = known.at(-1)
  const names = points.map(({ name }, index) => {
    const anchor = index === 0 ? "start" : "middle"
    return `<text x="${x(index)}" y="${height - 4}" text-anchor="${anchor}">${escaped(name.slice(0, 7))}</text>`
  })
  const end = last && `<text x="${Number(x(last.index)) + 8}" y="${Number(y(last.value)) + 4}">${last.value}</text>`
  const label = escaped(`${title}: ${known.map(({ name, value }) => `${name} ${value}`).join("; ")}`)
  const svg = `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">`
  const drawn = `${svg}<path d="${path.join("")}"/>${marks.join("")}${names.join("")}${end ?? ""}</svg>`
  return `<figure class="chart line"><figcaption>${escaped(title)}</figcaption>${drawn}</figure>\n`
}
