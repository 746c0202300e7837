import type { Effect, Redacted } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { Language } from "./texts/Language.ts"

/** A person who may use the app for a store. */
export interface Authorized {
  /** The store's id. */
  readonly shop: string
  /** The person's name or address, for the log. */
  readonly actor: string
}

/** Returns the person behind a request, or nothing if they may not use the app. Must leave the body unread. */
export type Authorize = (request: Request) => Authorized | null | undefined | Promise<Authorized | null | undefined>

/** Access for people who know the management key. It opens every store. */
export interface KeyAccess {
  /** The management key. A new key ends all sessions of the previous one. */
  readonly key: Redacted.Redacted<string>
  /** Compares a text with the key. After too many wrong texts, it returns how many milliseconds to wait instead. */
  readonly compare: (
    text: Redacted.Redacted<string>,
  ) => Effect.Effect<"right" | "wrong" | number, never, HttpServerRequest.HttpServerRequest>
  /** A text that signs in once, within five minutes of the start, from the link `sign-in?once=…`. */
  readonly oneTimeKey?: Redacted.Redacted<string> | undefined
}

/** The look of the app. */
export interface Appearance {
  /** The name at the top of every page. Default: `Designwire`. */
  readonly name?: string | undefined
  /** The URL of a picture beside the name: https, or a path on the same host. */
  readonly logo?: string | undefined
  /** The language of its pages. Default: English. */
  readonly language?: Language | undefined
  /** Colours as `#rrggbb`. `accentDark` is for dark mode. */
  readonly colours?: { readonly accent?: string | undefined; readonly accentDark?: string | undefined } | undefined
}

/** The address of the app, its users and its look. */
export interface AppOptions extends Appearance {
  /** The beginning of its paths as requests arrive, e.g. `/settings`. Segments of letters, digits and `-._~`. */
  readonly prefix: `/${string}`
  /** The most attempts that a delivery gets. Default: 7. */
  readonly attempts?: number | undefined
  /** The URL of the REST API, or its path on the app's own host. */
  readonly api: string
  /** Without a key or `authorize`, nobody may use the app. */
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

/** The problems of options for the app's look: the path of each within the options, and a message. */
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
    : [{ path: "name", message: "must be a text that is not empty" }]),
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
