import { Context, Data, Stream } from "effect"

/** A file was not read, or not to its end. */
export class FileNotRead extends Data.TaggedError("FileNotRead")<{
  /**
   * `refused`: its address is not allowed; `connect`: no connection, or no valid certificate; `status`: an answer other
   * than 200; `broken`: it ended in the middle; `late`: it took too long; `large`, `full`: the file, or all files
   * together, have too many bytes; `unavailable`: this installation reads none.
   */
  readonly reason: "refused" | "lookup" | "connect" | "status" | "broken" | "late" | "large" | "full" | "unavailable"
  /** The answer's status, with the reason `status`. */
  readonly statusCode?: number
}> {}

/** A file to read over HTTP. */
export interface FileRequest {
  readonly url: string
  /** Approved addresses of the URL's host, at least one; the connection goes to one of these (D36). */
  readonly addresses: ReadonlyArray<string>
}

/**
 * Reads files over HTTP. Adapters must connect only to `addresses`, verify certificates against the URL's host, follow
 * no redirect, decompress nothing, and read no faster than the stream is read, whose end or interruption ends the
 * request. Callers bound time and bytes. Without an adapter no file can be read.
 */
export const FileReader = Context.Reference<{
  readonly read: (request: FileRequest) => Stream.Stream<Uint8Array, FileNotRead>
}>("designwire/FileReader", {
  defaultValue: () => ({ read: () => Stream.fail(new FileNotRead({ reason: "unavailable" })) }),
})
