import type { SettingsOptions } from "./Options.ts"

/** The headers of every answer: nothing runs or loads but the app's own files, and nobody keeps its pages or shows them in a frame. */
export const securityHeaders = ({ frameAncestors = [], logo }: SettingsOptions): Readonly<Record<string, string>> => {
  const pictures = ["'self'", ...(logo?.startsWith("https:") ? [new URL(logo).origin] : [])]
  return {
    "content-security-policy": [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      `img-src ${pictures.join(" ")}`,
      "form-action 'self'",
      "base-uri 'none'",
      `frame-ancestors ${frameAncestors.length === 0 ? "'none'" : frameAncestors.join(" ")}`,
    ].join("; "),
    ...(frameAncestors.length === 0 ? { "x-frame-options": "DENY" } : {}),
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
  }
}
