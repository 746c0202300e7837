import { HttpServerResponse } from "effect/http"
import type { ContentCoding } from "../model/ContentCoding.ts"
import { apiVersion } from "../model/Event.ts"

/** What a request is answered with, whichever way it came in. */
export interface Answer {
  readonly status: number
  /** By lower-case name, without the type and the length of the body. */
  readonly headers: Readonly<Record<string, string>>
  /** JSON text, its bytes once it is compressed, or `null` for an answer that has no body. */
  readonly body: string | Uint8Array | null
  /** The coding that the body goes out in; plain text where it is left out. */
  readonly coding?: ContentCoding
}

/** The headers of every answer of the REST API (D19). */
export const versionHeaders = { "x-api-version": apiVersion }

/** What a body is, in every answer that has one. */
export const contentType = "application/json"

/** An answer of Effect's servers. */
export const toResponse = ({ body, headers, status }: Answer): HttpServerResponse.HttpServerResponse =>
  body === null
    ? HttpServerResponse.empty({ status, headers })
    : typeof body === "string"
      ? HttpServerResponse.text(body, { status, headers, contentType })
      : HttpServerResponse.uint8Array(body, { status, headers, contentType })
