import type { Effect, Redacted } from "effect"
import type { HttpServerRequest } from "effect/http"
import { isLanguage, type LanguageOption, languages } from "./texts/Languages.ts"

/** A person who may use the app for a store. */
export interface Authorized {
  /** The store's id. */
  readonly shop: string
  /** The person's name or address, for the log. */
  readonly actor: string
  /** Whether they may publish definitions of customizers. Default: `false`. Checking one is open to all. */
  readonly publish?: boolean | undefined
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
  /** The URL of a picture next to the name: https, or a path on the same host. */
  readonly logo?: string | undefined
  /** The language of its pages: `en`, `de`, or a language of your own. Default: `en`. */
  readonly language?: LanguageOption | undefined
  /** Colours as `#rrggbb`. `accentDark` is for dark mode. */
  readonly colours?: { readonly accent?: string | undefined; readonly accentDark?: string | undefined } | undefined
  /** The radius of the corners of buttons and fields, e.g. `0.25rem`; cards have half as much again. Default: `8px`. */
  readonly radius?: string | undefined
  /**
   * Names of fonts that the reader's system has, the first choice first, e.g. `Inter, serif`. Default: the system's.
   */
  readonly font?: string | undefined
}

/** The address of the app, its users and its look. */
export interface AppOptions extends Appearance {
  /** The beginning of its paths as requests arrive, e.g. `/settings`. Segments of letters, digits and `-._~`. */
  readonly prefix: `/${string}`
  /** The most attempts that a delivery gets. Default: 7. */
  readonly attempts?: number | undefined
  /** The URL of the REST API, which may have `{shop}`, or its path on the app's own host. */
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

/** Whether a text is a radius: up to `32px` or `2rem`. */
export const isRadius = (text: string): boolean => {
  const [, number, unit] = /^(\d{1,2}(?:\.\d{1,3})?)(px|rem)$/.exec(text) ?? []
  return unit !== undefined && Number(number) <= (unit === "px" ? 32 : 2)
}

/** Whether a text is a list of names of fonts. Letters, digits, spaces and hyphens can't end a declaration of CSS. */
export const isFont = (text: string): boolean =>
  text.length <= 200 && text.split(",").every((name) => /^[\p{L}\d](?:[\p{L}\d -]*[\p{L}\d])?$/u.test(name.trim()))

const isOrigin = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text
}

/** The problems of options for the app's look: the path of each within the options, and a message. */
export const appearanceProblems = ({
  colours,
  font,
  frameAncestors = [],
  language,
  logo,
  name,
  radius,
}: Appearance & Pick<AppOptions, "frameAncestors">) => {
  const isText = (text: unknown, fits: (text: string) => boolean) =>
    text === undefined || (typeof text === "string" && fits(text))
  const languageWords = `must be ${Object.keys(languages).join(", ")}, or a tag with all texts`
  const origins = Array.isArray(frameAncestors) && frameAncestors.every(isOrigin)
  return (
    [
      ["name", isText(name, (text) => text !== ""), "must be a text that is not empty"],
      ["logo", isText(logo, isLogo), "must be an https URL or a path"],
      ...Object.entries(colours ?? {}).map(
        ([path, value]) =>
          [`colours.${path}`, value === undefined || isColour(value), "must be a colour as #rrggbb"] as const,
      ),
      ["radius", isText(radius, isRadius), "must be a length up to 32px or 2rem"],
      ["font", isText(font, isFont), "must be names of fonts like Inter, Georgia, serif"],
      ["language", language === undefined || isLanguage(language), languageWords],
      ["frameAncestors", origins, "must be origins like https://admin.example.com"],
    ] as const
  ).flatMap(([path, isSound, message]) => (isSound ? [] : [{ path, message }]))
}
