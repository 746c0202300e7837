import { IncomingMessage } from "node:http"

/** A request that reports its body as it arrives, whether anything reads it or not. */
export class CountedRequest extends IncomingMessage {
  /** Called with the length of each piece of the body, and with `undefined` at its end. */
  onPiece: ((length: number | undefined) => void) | undefined

  /** Node's parser hands a request its body by this method. */
  override push(piece: Uint8Array | null, encoding?: BufferEncoding): boolean {
    const hasRoom = super.push(piece, encoding)
    this.onPiece?.(piece === null ? undefined : piece.length)
    return hasRoom
  }
}
