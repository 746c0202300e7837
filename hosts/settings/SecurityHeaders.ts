import type { AppOptions } from "./Options.ts"

type Framed = Pick<AppOptions, "frameAncestors" | "logo">

const originOf = (picture: string): ReadonlyArray<string> => {
  const url = URL.parse(picture)
  return url !== null && /^https?:$/.test(url.protocol) ? [url.origin] : []
}

/** The `Content-Security-Policy` of a page: it may load only the app's own files, the logo and the given pictures. */
export const contentPolicy =
  ({ frameAncestors = [], logo = "" }: Framed) =>
  (pictures: ReadonlyArray<string>): string =>
    [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      `img-src ${[...new Set(["'self'", ...[logo, ...pictures].flatMap(originOf)])].join(" ")}`,
      "form-action 'self'",
      "base-uri 'none'",
      `frame-ancestors ${frameAncestors.length === 0 ? "'none'" : frameAncestors.join(" ")}`,
    ].join("; ")

/** What pages may use of the browser alongside drawing: to copy texts when a button says so. Everything else is off. */
const permissions = [
  "clipboard-write=(self)",
  ...[
    ...["accelerometer", "ambient-light-sensor", "attribution-reporting", "autoplay", "bluetooth", "browsing-topics"],
    ...["camera", "clipboard-read", "compute-pressure", "cross-origin-isolated", "display-capture", "encrypted-media"],
    ...["fullscreen", "gamepad", "geolocation", "gyroscope", "hid", "identity-credentials-get", "idle-detection"],
    ...["interest-cohort", "keyboard-map", "local-fonts", "magnetometer", "microphone", "midi", "otp-credentials"],
    ...["payment", "picture-in-picture", "publickey-credentials-create", "publickey-credentials-get"],
    ...["screen-wake-lock", "serial", "speaker-selection", "storage-access", "sync-xhr", "usb", "web-share"],
    ...["window-management", "xr-spatial-tracking"],
  ].map((feature) => `${feature}=()`),
].join(", ")

/** The headers of every response. */
export const securityHeaders = (options: Framed): Readonly<Record<string, string>> => ({
  "content-security-policy": contentPolicy(options)([]),
  ...((options.frameAncestors ?? []).length === 0 ? { "x-frame-options": "DENY" } : {}),
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": permissions,
})
