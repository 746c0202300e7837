/** The fills of the chart, from the colours of the style sheet: for everybody, and for people who see no green. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"

type Colour = readonly [red: number, green: number, blue: number]

const linear = (part: number) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)

const colourOf = (hex: string): Colour => {
  const whole = hex.length === 4 ? hex.replace(/[^#]/g, "$&$&") : hex
  const part = (at: number) => linear(Number.parseInt(whole.slice(at, at + 2), 16) / 255)
  return [part(1), part(3), part(5)]
}

const within = (part: number) => Math.min(1, Math.max(0, part))

/** A colour as deuteranopes see it, by Machado, Oliveira and Fernandes (2009). */
const deuteranope = ([red, green, blue]: Colour): Colour => [
  within(0.367322 * red + 0.860646 * green - 0.227968 * blue),
  within(0.280085 * red + 0.672501 * green + 0.047413 * blue),
  within(-0.01182 * red + 0.04294 * green + 0.968881 * blue),
]

const luminance = ([red, green, blue]: Colour) => 0.2126 * red + 0.7152 * green + 0.0722 * blue

const contrast = (one: Colour, other: Colour) => {
  const [light, dark] = [luminance(one), luminance(other)].sort((first, second) => second - first) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

it("The fills of the chart MUST differ by a contrast of 3 from each other and from the ground, for deuteranopes too", async () => {
  const style = await readFile(join(import.meta.dirname, "assets/styles/base.css"), "utf8")
  const coloursOf = (name: string) => {
    const [, light = "", dark = ""] = new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(style) ?? []
    return [colourOf(light), colourOf(dark)] as const
  }
  // The third is hollow: the ground, with an outline in the colour of those given up.
  const [ground, delivered, givenUp] = [coloursOf("surface"), coloursOf("delivered"), coloursOf("given-up")]
  for (const mode of [0, 1] as const) {
    for (const seen of [(colour: Colour) => colour, deuteranope]) {
      const [one, two, three] = [seen(ground[mode]), seen(delivered[mode]), seen(givenUp[mode])]
      expect(contrast(one, two)).toBeGreaterThanOrEqual(3)
      expect(contrast(one, three)).toBeGreaterThanOrEqual(3)
      expect(contrast(two, three)).toBeGreaterThanOrEqual(3)
    }
  }
})
