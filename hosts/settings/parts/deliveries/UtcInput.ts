/** The content of a time field as a time in UTC. A text that already names its zone stays as it is. */
export const inUtc = (text: string): string =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text) ? `${text}:00Z` : /^[\dT:.-]+$/.test(text) ? `${text}Z` : text

/** A time as a time field shows it, or the text itself if it is none. */
export const asField = (text: string): string => {
  const at = Date.parse(text)
  return Number.isNaN(at) ? text : new Date(at).toISOString().slice(0, 19)
}
