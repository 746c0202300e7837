import { promisify } from "node:util"
import * as zlib from "node:zlib"
import { Effect } from "effect"
import type { Compressor, ContentCoding } from "../../core/model/ContentCoding.ts"

type Compress = (text: Buffer) => Promise<Uint8Array>

const gzip = promisify<Buffer, Buffer>(zlib.gzip)
const brotli = promisify<Buffer, zlib.BrotliOptions, Buffer>(zlib.brotliCompress)

const {
  BROTLI_MODE_TEXT,
  BROTLI_PARAM_LGWIN,
  BROTLI_PARAM_MODE,
  BROTLI_PARAM_QUALITY,
  BROTLI_PARAM_SIZE_HINT,
  ZSTD_c_compressionLevel,
} = zlib.constants

/** Bun lacks zstd. */
const zstdCompress =
  typeof zlib.zstdCompress === "function" ? promisify<Buffer, zlib.ZstdOptions, Buffer>(zlib.zstdCompress) : undefined
const zstd: Compress | undefined =
  zstdCompress && ((text) => zstdCompress(text, { params: { [ZSTD_c_compressionLevel]: 1 } }))

/**
 * Levels at which compression makes a response arrive sooner; higher levels take several times as long to save a few
 * bytes.
 */
const compress: Readonly<Partial<Record<ContentCoding, Compress>>> = {
  ...(zstd === undefined ? {} : { zstd }),
  br: (text) =>
    brotli(text, {
      params: {
        [BROTLI_PARAM_MODE]: BROTLI_MODE_TEXT,
        [BROTLI_PARAM_QUALITY]: 3,
        // Allocating the default window of 4 MiB takes longer than compressing a page.
        [BROTLI_PARAM_LGWIN]: 18,
        [BROTLI_PARAM_SIZE_HINT]: text.length,
      },
    }),
  gzip,
}

/** Compresses on Node's thread pool, so that no other request waits for it. */
export const compressor: Compressor = {
  codings: Object.keys(compress) as ReadonlyArray<ContentCoding>,
  compress: (coding, text) =>
    Effect.promise(async () => {
      const bytes = await compress[coding]?.(Buffer.from(text))
      if (bytes === undefined) throw new Error(`${coding} is not available here`)
      return bytes
    }),
}
