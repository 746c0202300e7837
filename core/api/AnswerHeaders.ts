import { apiVersion } from "../model/events/Event.ts"
import type { AnswerHeader } from "./Document.ts"

const found = ["200", "304"]

/** Statuses of answers to requests with a known token. If the store fails, the token may remain unknown. */
const known = ["200", "304", "400", "403", "404", "410", "429", "500", "503"]

/** The headers of the REST API's answers, for its document. */
export const answerHeaders: Readonly<Record<string, AnswerHeader>> = {
  "X-Api-Version": {
    description:
      "The version of the API. A request that asks for another version with this header is answered with 400.",
    schema: { type: "string", const: apiVersion },
    required: true,
  },
  "RateLimit-Policy": {
    description: "How many requests a token may make in how many seconds: `q` in `w`",
    statuses: known,
  },
  RateLimit: {
    description: "How many requests are left, `r`, and in how many seconds there are more, `t`",
    statuses: known,
  },
  ETag: {
    description:
      "Identifies the bytes of the body. `If-None-Match` with it is answered with 304 as long as they are the same.",
    statuses: found,
  },
  "Content-Encoding": {
    description: "The compression of the body: from 1 KiB, by `Accept-Encoding`",
    schema: { type: "string", enum: ["zstd", "br", "gzip"] },
    statuses: ["200"],
  },
  "Cache-Control": { description: "Answers may be stored, and must be revalidated each time", statuses: found },
  Vary: { description: "The request's headers that the answer depends on", statuses: found },
  Link: {
    description: 'The next page, `<…>; rel="next"`, if there is one (RFC 8288)',
    statuses: found,
    pages: true,
  },
  "WWW-Authenticate": {
    description: 'How to send a token; with 403 the scope that the token lacks, `Bearer error="insufficient_scope", …`',
    statuses: ["401", "403"],
  },
  "Retry-After": {
    description: "Seconds after which a request is accepted, or worth another try",
    schema: { type: "string", pattern: "^[1-9][0-9]*$" },
    statuses: ["429", "503"],
    required: true,
  },
}

/**
 * Whether `If-None-Match` names a tag, or any tag (RFC 9110 §13.1.2: weak comparison). The tag has quotes and no comma.
 */
export const isKnown = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  (ifNoneMatch.trim() === "*" || ifNoneMatch.split(",").some((item) => item.trim().replace(/^W\//, "") === etag))
