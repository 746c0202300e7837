import { HttpServerResponse } from "effect/http"
import { apiVersion } from "../model/Event.ts"
import type { AnswerBytes } from "./AnswerBytes.ts"
import { countedBody } from "./CountedBody.ts"

/** The answer to a request, for any kind of server. */
export interface Answer {
  readonly status: number
  /** By lower-case name, without the type and the length of the body. */
  readonly headers: Readonly<Record<string, string>>
  /** JSON text, its compressed bytes, or `null` for an answer without a body. */
  readonly body: string | Uint8Array | null
  /** The shop whose data the body holds: its bytes count for the shop until they are sent. */
  readonly shop?: string
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
  const { body, headers, shop, status } = answer
  if (body === null || shop === undefined || body.length < longBody) return toResponse(answer)
  const sent = typeof body === "string" ? utf8.encode(body) : body
  return HttpServerResponse.stream(
    countedBody(sent, () => bytes.hold(shop, sent.length)),
    { status, headers, contentType, contentLength: sent.length },
  )
}

/** The answer as a response of Effect's. */
export const toResponse = ({ body, headers, status }: Answer): HttpServerResponse.HttpServerResponse =>
  body === null
    ? HttpServerResponse.empty({ status, headers })
    : typeof body === "string"
      ? HttpServerResponse.text(body, { status, headers, contentType })
      : HttpServerResponse.uint8Array(body, { status, headers, contentType })
