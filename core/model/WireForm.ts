/**
 * A resource as it is kept and sent: its JSON text, to the byte. Readers who want the object take `value`.
 */
export class WireForm<A> {
  /** The JSON text, the same bytes in REST answers and webhook bodies (D10). */
  readonly text: string
  /** Names the text, without quotes: equal tags mean equal texts (D17). */
  readonly etag: string

  constructor(text: string, etag: string) {
    this.text = text
    this.etag = etag
  }

  /** The value of the text, parsed at each call. */
  get value(): A {
    return JSON.parse(this.text) as A
  }
}
