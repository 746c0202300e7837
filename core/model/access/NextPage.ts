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
