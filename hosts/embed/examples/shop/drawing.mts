/** A picture of a ring as it was chosen: for the page of the storefront, and for everyone who gets the design. */
import { type Html, html } from "./html.mts"

const metals = new Map(Object.entries({ silver: "#a9adb3", gold: "#c9962e", rose: "#c9836a", platinum: "#7b8794" }))
const gems = new Map(Object.entries({ ruby: "#b3123a", sapphire: "#1f4fb0", emerald: "#12805a", diamond: "#cfe8f5" }))

/** The choices as ring.json asks for them. */
type Choices = {
  readonly metal?: string
  readonly stones?: ReadonlyArray<string>
  readonly engraving?: { text: string }
  readonly typeface?: string
}

export const drawing = ({ engraving, metal = "", stones = [], typeface }: Choices): Html =>
  html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 240" role="img" aria-label="Your ring">
  <linearGradient id="shine" x2="1" y2="1"><stop stop-color="#fff" stop-opacity=".8"/>
    <stop offset=".5" stop-color="#fff" stop-opacity="0"/><stop offset=".75" stop-color="#fff" stop-opacity=".7"/>
    <stop offset="1" stop-color="#fff" stop-opacity="0"/></linearGradient>
  <g fill="none" stroke-width="30"><path id="band" d="M34 136a86 86 0 0 0 172 0" stroke="none"/>
    <circle cx="120" cy="136" r="80" stroke="${metals.get(metal) ?? "#888"}"/>
    <circle cx="120" cy="136" r="80" stroke="url(#shine)" stroke-width="27"/></g>
  ${stones.map((stone, index) => {
    const angle = 26 * (index - (stones.length - 1) / 2)
    return html`<g transform="rotate(${angle} 120 136)" fill="${gems.get(stone) ?? "#888"}" stroke="#fff">
      <path d="M120 28l16 13-16 28-16-28z"/>
      <path d="M104 41h32M112 41l8 28 8-28-8-13z" fill="#fff" fill-opacity=".25"/></g>`
  })}
  <text text-anchor="middle" font-family="Garamond, Georgia, serif" font-size="16"
    font-style="${typeface === "script" ? "italic" : "normal"}" fill="#2a2622">
    <textPath href="#band" startOffset="50%">${engraving?.text ?? ""}</textPath></text></svg>`
