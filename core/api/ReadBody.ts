/** Bodies that a program around this one has read before (D57a). */
import type { HttpServerError } from "effect/http"

/** A body was read, and perhaps parsed, before the request came here: its bytes are lost. */
export class ReadBody extends Error {
  constructor() {
    super(
      "The body was read before designwire got the request, and its bytes are lost: " +
        "mount designwire before express.json() and other body parsers",
    )
  }
}

/** The reason why a body can't be read, if it was read before. */
export const readBefore = ({ reason: { cause } }: HttpServerError.HttpServerError): ReadBody | undefined =>
  cause instanceof ReadBody ? cause : undefined
