/**
 * Whether `If-None-Match` names a tag, or any tag (RFC 9110 §13.1.2: weak comparison). The tag has quotes and no comma.
 */
export const isKnown = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  (ifNoneMatch.trim() === "*" || ifNoneMatch.split(",").some((item) => item.trim().replace(/^W\//, "") === etag))
