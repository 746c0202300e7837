import type { Effect, Redacted } from "effect"
import type { HttpServerRequest } from "effect/http"

/** Whose settings someone may change. */
export interface Authorized {
  /** The store's id. */
  readonly shop: string
  /** Who it is, for the log: a name or an address. */
  readonly actor: string
}

/** Tells who makes a request, `undefined` for anybody else. Must leave its body unread. */
export type Authorize = (request: Request) => Authorized | undefined | Promise<Authorized | undefined>

/** How people come in with the management key, which opens every store. */
export interface KeyAccess {
  /** The management key. Sessions that began with another one have ended. */
  readonly key: Redacted.Redacted<string>
  /** Compares a text with the key; where too many were wrong it answers how many milliseconds to wait instead. */
  readonly compare: (
    text: Redacted.Redacted<string>,
  ) => Effect.Effect<"right" | "wrong" | number, never, HttpServerRequest.HttpServerRequest>
  /** A text that signs in once, within five minutes, from the link `sign-in?once=…`. */
  readonly oneTimeKey?: Redacted.Redacted<string> | undefined
}

/** What the app looks like. */
export interface Appearance {
  /** The name at its head. Default: `Designwire`. */
  readonly name?: string | undefined
  /** The address of a picture beside the name: an https URL, or a path on the same host. */
  readonly logo?: string | undefined
  /** Colours as `#rrggbb`; `accentDark` is for dark surroundings. */
  readonly colours?: { readonly accent?: string | undefined; readonly accentDark?: string | undefined } | undefined
}

/** Where the app is, who may use it and what it looks like. */
export interface AppOptions extends Appearance {
  /** What its paths begin with when they arrive here, e.g. `/settings`. Segments of letters, digits and `-._~`. */
  readonly prefix: `/${string}`
  /** How often a delivery is attempted at most. Default: 7. */
  readonly attempts?: number | undefined
  /** Where the REST API is: its whole address, or its path on the host that the app is read from. */
  readonly api: string
  /** Without `authorize` or a key nobody comes in. */
  readonly access: KeyAccess | { readonly authorize: Authorize | undefined }
  /** Origins, e.g. `https://admin.example.com`, whose pages may show the app in a frame. Default: none. */
  readonly frameAncestors?: ReadonlyArray<string> | undefined
}

/** Whether a text can be a logo: an https URL, or a path on the same host. */
export const isLogo = (logo: string): boolean =>
  /^\/(?!\/)[^\s"']*$/.test(logo) || URL.parse(logo)?.protocol === "https:"

/** Whether a text is a colour as `#rrggbb`. */
export const isColour = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text)

const isOrigin = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text
}

/** What is wrong with how the app is to look, each as a path within the options and a sentence. */
export const appearanceProblems = ({
  colours,
  frameAncestors = [],
  logo,
  name,
}: Appearance & Pick<AppOptions, "frameAncestors">): ReadonlyArray<{
  readonly path: string
  readonly message: string
}> => [
  ...(name === undefined || (typeof name === "string" && name !== "")
    ? []
    : [{ path: "name", message: "must be a text" }]),
  ...(logo === undefined || (typeof logo === "string" && isLogo(logo))
    ? []
    : [{ path: "logo", message: "must be an https URL or a path" }]),
  ...Object.entries(colours ?? {}).flatMap(([path, value]) =>
    value === undefined || isColour(value) ? [] : [{ path: `colours.${path}`, message: "must be a colour as #rrggbb" }],
  ),
  ...(Array.isArray(frameAncestors) && frameAncestors.every(isOrigin)
    ? []
    : [{ path: "frameAncestors", message: "must be origins like https://admin.example.com" }]),
]
