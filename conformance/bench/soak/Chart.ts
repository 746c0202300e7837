/** Draws curves over time as an SVG. */

/** A curve: its values at equal distances in time. */
interface Curve {
  readonly name: string
  readonly values: ReadonlyArray<number>
}

/** Curves that share an axis. */
export interface Panel {
  readonly title: string
  readonly curves: ReadonlyArray<Curve>
}

const width = 720
const height = 150
const left = 56
const gap = 44

const colours = ["#0969da", "#bc4c00", "#1a7f37", "#8250df", "#cf222e"]

/** The next round number above: 1, 2 or 5 with zeros. */
const rounded = (value: number): number => {
  const size = 10 ** Math.floor(Math.log10(Math.max(value, 1e-9)))
  return ([1, 2, 5, 10].find((step) => step * size >= value) ?? 10) * size
}

const text = (x: number, y: number, content: string, more = "") => `<text x="${x}" y="${y}" ${more}>${content}</text>`

const draw = ({ curves, title }: Panel, top: number, minutes: number): string => {
  const most = rounded(Math.max(...curves.flatMap(({ values }) => values.filter(Number.isFinite))))
  const bottom = top + height
  const y = (value: number) => bottom - (height * value) / most
  const lines = curves.map(({ values }, index) => {
    const step = (width - left) / Math.max(1, values.length - 1)
    const points = values.flatMap((value, at) =>
      Number.isFinite(value) ? [`${(left + step * at).toFixed(0)},${y(value).toFixed(0)}`] : [],
    )
    return `<polyline points="${points.join(" ")}" fill="none" stroke="${colours[index % colours.length]}" stroke-width="1.5"/>`
  })
  const grid = [0, 0.5, 1].map((part) => {
    const at = y(most * part)
    const label = text(left - 6, at + 4, String(most * part), 'text-anchor="end"')
    return `<path d="M${left} ${at}H${width}" stroke="#d0d7de"/>${label}`
  })
  const names = curves.map(({ name }, index) => `<tspan fill="${colours[index % colours.length]}">${name}</tspan>`)
  return [
    text(left, top - 8, `${title}: ${names.join(", ")}`),
    ...grid,
    ...lines,
    text(left, bottom + 16, "0"),
    text(width, bottom + 16, `${Number(minutes.toFixed(1))} min`, 'text-anchor="end"'),
  ].join("\n")
}

/** A drawing of stacked panels. */
export const chart = (panels: ReadonlyArray<Panel>, minutes: number): string => {
  const whole = panels.length * (height + gap) + 12
  const drawn = panels.map((panel, index) => draw(panel, 24 + index * (height + gap), minutes))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width + 8} ${whole}" font-family="sans-serif" font-size="12" fill="#57606a">
<title>${panels.map(({ title }) => title).join(", ")}</title>
<rect width="100%" height="100%" fill="#fff"/>
${drawn.join("\n")}
</svg>
`
}
