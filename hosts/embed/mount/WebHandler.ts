/** Addresses of one's own over the `Request` and `Response` of the web: what every mount builds on. */
export interface WebHandler {
  /** Answers a request; one that is for nothing here with 404. Where its `signal` is aborted, the work for it ends. Rejects for what is no `Request`. */
  readonly handler: (request: Request) => Promise<Response>
  /** The same, but `undefined` for a request that is for nothing here: nothing of it was touched. */
  readonly respond: (request: Request) => Promise<Response | undefined>
  /** Whether a request is for something here, by its URL or its path and query. */
  readonly answers: (request: { readonly url: string }) => boolean
}
