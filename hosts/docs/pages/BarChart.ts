/** Draws figures as bars, in the colours of the page. */

/** A bar. One that ends and begins at the same value is a figure, any other a range. */
export interface Bar {
  readonly name: string
  readonly from: number
  readonly to: number
  /** Whether it is ours: others stand alongside it. */
  readonly own: boolean
}

/** Bars that share a scale. */
export interface Chart {
  readonly title: string
  readonly bars: ReadonlyArray<Bar>
}

const width = 720
const left = 270
const right = 100
const step = 26

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")

/** A figure as people read it. */
const figure = ({ from, to }: Bar): string =>
  [...new Set([from, to])].map((value) => value.toLocaleString("en", { maximumFractionDigits: 1 })).join(" to ")

const drawn = (bar: Bar, index: number, most: number): string => {
  const y = index * step
  const scale = (width - left - right) / most
  const end = Math.max(2, bar.to * scale)
  const begin = bar.from === bar.to ? 0 : bar.from * scale
  const range = `<rect x="${(left + begin).toFixed(1)}" y="${y + 4}" width="${(end - begin).toFixed(1)}" height="16"/>`
  return [
    `<g${bar.own ? ' class="own"' : ""}>`,
    `<text x="${left - 8}" y="${y + 17}" text-anchor="end">${escaped(bar.name)}</text>`,
    range,
    `<text x="${(left + end + 6).toFixed(1)}" y="${y + 17}">${figure(bar)}</text></g>`,
  ].join("")
}

/** A chart as SVG in one line, so that it stands as it is in Markdown. */
export const barChart = ({ bars, title }: Chart): string => {
  const most = Math.max(...bars.map(({ to }) => to))
  const words = bars.map((bar) => `${bar.name} ${figure(bar)}`).join("; ")
  const label = escaped(`${title}: ${words}`).replaceAll('"', "&quot;")
  const all = bars.map((bar, index) => drawn(bar, index, most)).join("")
  const svg = `<svg viewBox="0 0 ${width} ${bars.length * step}" role="img" aria-label="${label}">${all}</svg>`
  return `<figure class="chart"><figcaption>${escaped(title)}</figcaption>${svg}</figure>\n`
}
