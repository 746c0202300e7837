import type { Effect } from "effect"

/** How the bytes of an answer can be compressed (RFC 9110 §8.4.1). */
export type ContentCoding = "zstd" | "br" | "gzip"

/** What compresses answers. */
export interface Compressor {
  /** Its codings, the best first. */
  readonly codings: ReadonlyArray<ContentCoding>
  /** The text's bytes in UTF-8, compressed without keeping other requests waiting. */
  readonly compress: (coding: ContentCoding, text: string) => Effect.Effect<Uint8Array>
}
