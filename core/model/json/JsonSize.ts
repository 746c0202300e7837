const utf8 = new TextEncoder()

/** A value that is not JSON counts as it is written; the code that takes the value refuses it. */
const bytesOf = (value: unknown): number =>
  utf8.encode(typeof value === "string" ? JSON.stringify(value) : String(value)).length

/**
 * The number of bytes of a value's JSON text in UTF-8, without white space; beyond `enough` it stops counting.
 *
 * Counts without recursion and without making the text, so that no nesting overflows the stack: input is measured
 * before anything else looks at it (D38).
 */
export const jsonSize = (value: unknown, enough = Number.POSITIVE_INFINITY): number => {
  let size = 0
  const stack: Array<unknown> = [value]
  while (stack.length > 0 && size <= enough) {
    const item = stack.pop()
    if (typeof item !== "object" || item === null) {
      size += bytesOf(item)
    } else if (Array.isArray(item)) {
      size += 2 + Math.max(0, item.length - 1)
      for (const child of item) stack.push(child)
    } else {
      const entries = Object.entries(item)
      size += 2 + Math.max(0, entries.length - 1)
      for (const [key, child] of entries) {
        size += bytesOf(key) + 1
        stack.push(child)
      }
    }
  }
  return size
}

/** A definition's JSON may have this many bytes (D38). */
export const maximumDefinition = 512 * 1024

/** A selection's JSON may have this many bytes (D38). */
export const maximumSelection = 64 * 1024

/** A design's wire form may have this many bytes when it is saved (D46). */
export const maximumDesign = 256 * 1024

/** The wire forms of an order's designs may have this many bytes together: one change stores and returns them all. */
export const maximumOrder = 32 * 1024 * 1024
