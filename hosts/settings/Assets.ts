import { Effect } from "effect"
import { Digest } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { sharedAnswer } from "../../core/api/SharedAnswer.ts"
import built from "./assets/built.json" with { type: "json" }
import { icon } from "./assets/Icon.ts"
import type { Appearance } from "./Options.ts"

const utf8 = new TextEncoder()

/** Pages name the version in their links, so a file can be cached forever. */
const headers = { "cache-control": "public, max-age=31536000, immutable" }

/** The accent colours unless the options name others. */
const defaultAccent = { light: "#4338ca", dark: "#a5b0ff" }

const accentOf = ({ colours = {} }: Appearance): typeof defaultAccent => ({
  light: colours.accent ?? defaultAccent.light,
  dark: colours.accentDark ?? colours.accent ?? defaultAccent.dark,
})

/** The names of fonts that CSS knows itself. Others are quoted, so that they may begin with a digit. */
const genericFonts = /^(?:serif|sans-serif|monospace|cursive|fantasy|system-ui|ui-[a-z-]+)$/

const fontOf = (font: string): string =>
  font
    .split(",")
    .map((name) => name.trim())
    .map((name) => (genericFonts.test(name) ? name : `"${name}"`))
    .join(",")

/** The custom properties that options set, alongside the accent. `style.css` has their defaults. */
const tokensOf = ({ font, radius }: Appearance): string =>
  [...(radius === undefined ? [] : [`--radius:${radius}`]), ...(font === undefined ? [] : [`--font:${fontOf(font)}`])]
    .map((property) => `;${property}`)
    .join("")

/** The responses for the files that pages link to, by their path in the app, and the version that these links name. */
export const makeAssets = Effect.fnUntraced(function* (appearance: Appearance) {
  const accent = accentOf(appearance)
  const files = {
    "style.css": {
      // Behind the style sheet, whose defaults it overrides.
      text: `${built.style}:root{--accent:light-dark(${accent.light},${accent.dark})${tokensOf(appearance)}}`,
      contentType: "text/css; charset=utf-8",
      headers,
    },
    "script.js": { text: built.script, contentType: "text/javascript; charset=utf-8", headers },
    "icon.svg": { text: icon(accent.light), contentType: "image/svg+xml", headers },
  }
  const texts = Object.values(files).map(({ text }) => text)
  const hash = yield* Digest.Digest.use((digest) => digest.digest(Digest.sha256, utf8.encode(texts.join("\0"))))
  const responses = yield* Effect.forEach(Object.entries(files), ([path, content]) =>
    Effect.map(sharedAnswer(Effect.succeed(content)), (response) => [path, response] as const),
  )
  return { version: Base64Url.encode(hash.subarray(0, 9)), responses: new Map(responses) }
})
