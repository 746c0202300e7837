import { expect, it } from "@effect/vitest"
import { renderToString } from "preact-render-to-string"
import { Verbatim } from "./Verbatim.tsx"

/** A text as it is shown, with names in brackets. */
const shown = (text: string): string =>
  renderToString(Verbatim({ text }))
    .replace(/^<bdi[^>]*>|<\/bdi>$/g, "")
    .replaceAll("<mark>", "[")
    .replaceAll("</mark>", "]")

it.each([
  ["Ada  Lovelace", "Ada[␣][␣]Lovelace"],
  [" Ada\t", "[␣]Ada[⇥]"],
  ["one\ntwo\r\nthree", "one[↵]\ntwo[↵]\nthree"],
  ["A\u00a0B", "A[U+00A0]B"],
  ["A\u200bB\u200d", "A[U+200B]B[U+200D]"],
  ["\u202egnp", "[U+202E]gnp"],
  ["A\u3164\u2800", "A[U+3164][U+2800]"],
  ["\ud800x\u{e0041}", "[U+D800]x[U+E0041]"],
  ["a\ufe0f", "a[U+FE0F]"],
])("A text for production MUST show characters that can't be seen: %j (D69)", (text, expected) => {
  expect(shown(text)).toBe(expected)
})

it.each(["Ada Lovelace", "❤️ 👨‍👩‍👧 🏳️‍🌈 👩🏽‍🚀", "Zoë é", "אבג", "ﷺ ★"])(
  "A text for production MUST show other characters as they are: %j (D69)",
  (text) => expect(shown(text)).toBe(text),
)
