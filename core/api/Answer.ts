import { HttpServerResponse } from "effect/http"
import { apiVersion } from "../model/events/Event.ts"
import { join, lengthOf as lengthOfPieces } from "../model/WireForm.ts"
import type { Caller } from "../usecases/access/Authenticate.ts"
import type { AnswerBytes } from "./AnswerBytes.ts"
import { countedBody } from "./CountedBody.ts"

/** The answer to a request, for any kind of server. */
export interface Answer {
  readonly status: number
  /** By lower-case name, without the type and the length of the body. */
  readonly headers: Readonly<Record<string, string>>
  /** JSON text, a long one in pieces; its compressed bytes; or `null` for an answer without a body. */
  readonly body: string | ReadonlyArray<string> | Uint8Array | null
  /** The shop whose data the body holds: its bytes count for the shop until they are sent. */
  readonly shop?: string
  /** The route of the request, for the host's log and metrics; missing if there is none. */
  readonly route?: string | undefined
  /** Who asked, if the request had a token, for the host's log. */
  readonly caller?: Caller | undefined
}

/** The headers of every answer of the REST API (D19). */
export const versionHeaders = { "x-api-version": apiVersion }

/** The type of every body. */
export const contentType = "application/json"

const utf8 = new TextEncoder()

/** A longer body is handed over in pieces, as its client reads it. */
const longBody = 262_144

/** The answer as a response of Effect's, whose bytes count until they are sent. */
export const toCountedResponse = (answer: Answer, bytes: AnswerBytes): HttpServerResponse.HttpServerResponse => {
  const { headers, shop, status } = answer
  const body = joined(answer)
  if (body === null || shop === undefined || body.length < longBody) return toResponse({ ...answer, body })
  const sent = typeof body === "string" ? utf8.encode(body) : body
  return HttpServerResponse.stream(
    countedBody(sent, () => bytes.hold(shop, sent.length)),
    { status, headers, contentType, contentLength: sent.length },
  )
}

/** The answer as a response of Effect's. */
export const toResponse = (answer: Answer): HttpServerResponse.HttpServerResponse => {
  const { headers, status } = answer
  const body = joined(answer)
  if (body === null) return HttpServerResponse.empty({ status, headers })
  return typeof body === "string"
    ? HttpServerResponse.text(body, { status, headers, contentType })
    : HttpServerResponse.uint8Array(body, { status, headers, contentType })
}

/** How many bytes a body has, or characters if it is text. */
export const lengthOf = (body: NonNullable<Answer["body"]>): number =>
  typeof body === "string" || body instanceof Uint8Array ? body.length : lengthOfPieces(body)

const joined = ({ body }: Answer): string | Uint8Array | null =>
  body === null || typeof body === "string" || body instanceof Uint8Array ? body : join(body)
