import { HttpServerResponse } from "effect/http"
import { apiVersion } from "../model/Event.ts"

/** The answer to a request, for any kind of server. */
export interface Answer {
  readonly status: number
  /** By lower-case name, without the type and the length of the body. */
  readonly headers: Readonly<Record<string, string>>
  /** JSON text, its compressed bytes, or `null` for an answer without a body. */
  readonly body: string | Uint8Array | null
}

/** The headers of every answer of the REST API (D19). */
export const versionHeaders = { "x-api-version": apiVersion }

/** The type of every body. */
export const contentType = "application/json"

/** The answer as a response of Effect's. */
export const toResponse = ({ body, headers, status }: Answer): HttpServerResponse.HttpServerResponse =>
  body === null
    ? HttpServerResponse.empty({ status, headers })
    : typeof body === "string"
      ? HttpServerResponse.text(body, { status, headers, contentType })
      : HttpServerResponse.uint8Array(body, { status, headers, contentType })
