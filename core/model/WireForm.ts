/**
 * A resource as it is kept and sent: its JSON text, to the byte. Readers who want the object take `value`.
 */
export class WireForm<A> {
  /** The JSON text in its pieces: a page may have megabytes, which are sent without being joined. */
  readonly pieces: ReadonlyArray<string>
  /** Names the text, without quotes: equal tags mean equal texts (D17). */
  readonly etag: string

  constructor(text: string | ReadonlyArray<string>, etag: string) {
    this.pieces = typeof text === "string" ? [text] : text
    this.etag = etag
  }

  /** The JSON text, the same bytes in REST answers and webhook bodies (D10). */
  get text(): string {
    return join(this.pieces)
  }

  /** The value of the text, parsed at each call. */
  get value(): A {
    return JSON.parse(this.text) as A
  }
}

/** How many characters pieces have together, or what else is counted of each. */
export const lengthOf = (
  pieces: ReadonlyArray<string>,
  count: (piece: string) => number = ({ length }) => length,
): number => pieces.reduce((total, piece) => total + count(piece), 0)

/** The text of its pieces. */
export const join = (pieces: ReadonlyArray<string>): string =>
  pieces.length === 1 ? (pieces[0] as string) : pieces.join("")
