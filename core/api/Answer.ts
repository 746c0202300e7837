import { HttpServerResponse } from "effect/http"
import { apiVersion } from "../model/Event.ts"

/** What a request is answered with, whichever way it came in. */
export interface Answer {
  readonly status: number
  /** By lower-case name, without those that describe the body. */
  readonly headers: Readonly<Record<string, string>>
  /** JSON text, or `null` for an answer that has no body. */
  readonly body: string | null
}

/** The headers of every answer of the REST API (D19). */
export const versionHeaders = { "x-api-version": apiVersion }

/** What a body is, in every answer that has one. */
export const contentType = "application/json"

/** An answer of Effect's servers. */
export const toResponse = ({ body, headers, status }: Answer): HttpServerResponse.HttpServerResponse =>
  body === null
    ? HttpServerResponse.empty({ status, headers })
    : HttpServerResponse.text(body, { status, headers, contentType })
