import { Schema } from "effect"
import { DateTime, Timestamp } from "../Instant.ts"
import { noted } from "../Means.ts"
import { storable } from "../Text.ts"

/** The page that someone asked for before they had signed in: a path within the app, without a slash before it. */

const longest = 2048

/** Segments and a query of characters that need no escape. Browsers read `\` as a slash, and drop tabs and newlines. */
const shape = /^[\w.~-]+(?:\/[\w.~%:@!$&'()*+,;=-]*)*(?:\?[\w.~%:@!$&'()*+,;=/?-]*)?$/

const isDots = (segment: string): boolean => /^\.{1,2}$/.test(segment.replace(/%2e/gi, "."))

/**
 * The page if it is one within the app, otherwise `""`, the first page. A text from a link may be anything: an address
 * elsewhere, a path that leaves the app, or no path at all.
 */
export const nextPage = (text: string | null): string => {
  if (text === null || text.length > longest || !shape.test(text)) return ""
  const [path = ""] = text.split("?")
  return path.split("/").some(isDots) ? "" : text
}

/** How long a link can be used unless its maker says otherwise, in milliseconds (D58). */
export const usualLifetime = 15 * 60 * 1000

/** How long a link can be used at most, in milliseconds (D58). */
export const longestLifetime = 24 * 60 * 60 * 1000

const PagePath = Schema.String.check(
  Schema.makeFilter((text: string) => nextPage(text) === text, {
    expected: "a path below the shop's first page, e.g. webhooks/new, without a slash before it",
  }),
)

/** The input of making a link to the settings app. */
export const SettingsLinkInput = Schema.Struct({
  actor: noted(
    "The person who gets the link, for the log of what they change. 1 to 255 characters.",
    storable(1, 255).annotate({ description: "The person who gets the link, for the log of what they change" }),
  ),
  expires: noted(
    "Until when it can be used (RFC 3339): at most 24 hours from now. Default: 15 minutes.",
    Schema.optionalKey(
      DateTime.annotate({ description: "Until when it can be used: at most 24 hours from now. Default: 15 minutes" }),
    ),
  ),
  next: Schema.optionalKey(
    PagePath.annotate({ description: "The page to begin with, e.g. `webhooks/new`. Default: the first page" }),
  ),
  readOnly: noted(
    "Whether its session can look at everything and change nothing. Default: false.",
    Schema.optionalKey(
      Schema.Boolean.annotate({ description: "Whether its session can look at everything and change nothing" }),
    ),
  ),
}).annotate({ documentation: "For whom a link to the settings app is." })
export type SettingsLinkInput = typeof SettingsLinkInput.Type

/** A link to the settings app (D58). */
export const SettingsLink = Schema.Struct({
  url: noted(
    "Opens the shop's pages, once. Only a path without the option `settings.url`.",
    Schema.String.annotate({
      description: "Opens the shop's pages, once. Only its path if the service does not know its public address",
    }),
  ),
  expires: Timestamp.annotate({ description: "Until when it can be used. Its session lasts twelve hours" }),
}).annotate({ documentation: "A link to the settings app." })
export type SettingsLink = typeof SettingsLink.Type
