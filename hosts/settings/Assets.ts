import { Effect } from "effect"
import { Digest } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { sharedAnswer } from "../../core/api/SharedAnswer.ts"
import { icon } from "./assets/Icon.ts"
import { script } from "./assets/Script.ts"
import { defaultColours, style } from "./assets/Style.ts"
import type { Appearance } from "./Options.ts"

const utf8 = new TextEncoder()

/** Pages name the version: what is kept under it never changes. */
const headers = { "cache-control": "public, max-age=31536000, immutable" }

/** The files that pages refer to, by their path in the app, and the version in those references. */
export const makeAssets = Effect.fnUntraced(function* (appearance: Appearance) {
  const files = {
    "style.css": { text: style(appearance), contentType: "text/css; charset=utf-8", headers },
    "script.js": { text: script, contentType: "text/javascript; charset=utf-8", headers },
    "icon.svg": {
      text: icon(appearance.colours?.accent ?? defaultColours.accent),
      contentType: "image/svg+xml",
      headers,
    },
  }
  const texts = Object.values(files).map(({ text }) => text)
  const hash = yield* Digest.Digest.use((digest) => digest.digest(Digest.sha256, utf8.encode(texts.join("\0"))))
  const answers = yield* Effect.forEach(Object.entries(files), ([path, content]) =>
    Effect.map(sharedAnswer(Effect.succeed(content)), (answer) => [path, answer] as const),
  )
  return { version: Base64Url.encode(hash.subarray(0, 9)), answers: new Map(answers) }
})
