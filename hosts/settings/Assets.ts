import { Effect } from "effect"
import { Digest } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { HttpServerResponse } from "effect/http"
import { icon } from "./assets/Icon.ts"
import { script } from "./assets/Script.ts"
import { defaultColours, style } from "./assets/Style.ts"
import type { Appearance } from "./Options.ts"

const utf8 = new TextEncoder()

/** The files that pages refer to, by their path in the app, and the version in those references. */
export const makeAssets = Effect.fnUntraced(function* (appearance: Appearance) {
  const files = {
    "style.css": [style(appearance), "text/css; charset=utf-8"],
    "script.js": [script, "text/javascript; charset=utf-8"],
    "icon.svg": [icon(appearance.colours?.accent ?? defaultColours.accent), "image/svg+xml"],
  } as const
  const texts = Object.values(files).map(([text]) => text)
  const digest = yield* Digest.Digest
  const hash = yield* digest.digest(Digest.sha256, utf8.encode(texts.join("\0")))
  return {
    version: Base64Url.encode(hash.subarray(0, 9)),
    answers: new Map<string, HttpServerResponse.HttpServerResponse>(
      Object.entries(files).map(([path, [text, contentType]]) => [
        path,
        HttpServerResponse.text(text, {
          contentType,
          headers: { "cache-control": "public, max-age=31536000, immutable" },
        }),
      ]),
    ),
  }
})
