/** The service over web `Request` and `Response`: every mount builds on it. */
export interface WebHandler {
  /**
   * Answers a request, with 404 if it is not for this service. If its `signal` is aborted, the work for it ends.
   * Rejects if it is not a `Request`.
   */
  readonly handler: (request: Request) => Promise<Response>
  /** As {@link handler}, but returns `undefined` for a request that is not for this service, and does not touch it. */
  readonly respond: (request: Request) => Promise<Response | undefined>
  /** Whether a request is for this service, by its URL or its path and query. */
  readonly answers: (request: { readonly url: string }) => boolean
}
