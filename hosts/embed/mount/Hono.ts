import type { Mounted } from "./Node.ts"

interface HonoContext {
  readonly req: {
    readonly raw: Request
    readonly blob: () => Promise<Blob>
    /** The body as earlier middleware has read it. */
    readonly bodyCache: object
  }
  readonly res: { readonly headers: Headers }
}

/**
 * Middleware for Hono 4: `app.use(toHonoMiddleware(designwire))`. It answers requests for `mounted` and leaves the rest
 * to later handlers. Earlier middleware may have read the body as JSON, text or bytes with Hono's own methods, which
 * keep it; a form that it has parsed is lost. Its headers are sent with the response.
 */
export const toHonoMiddleware =
  (mounted: Mounted) =>
  async (context: HonoContext, next: () => Promise<void>): Promise<Response | undefined> => {
    const answer = mounted.answers(context.req.raw) ? await mounted.respond(await unread(context.req)) : undefined
    if (answer === undefined) {
      await next()
      return undefined
    }
    // If both set a header, Hono keeps the earlier value.
    const before = context.res.headers
    for (const [name, value] of answer.headers) {
      if ((name === "vary" || name === "set-cookie") && before.has(name)) before.append(name, value)
    }
    return answer
  }

/** The forms of a body from which Hono gives the bytes that were sent. */
const exact = ["arrayBuffer", "bytes", "blob", "text"]

/** Returns a request whose body can be read again if it was read before and Hono keeps its bytes. */
const unread = async (req: HonoContext["req"]): Promise<Request> => {
  if (!req.raw.bodyUsed || !exact.some((name) => name in req.bodyCache)) return req.raw
  const body = await req.blob()
  const headers = new Headers(req.raw.headers)
  headers.delete("content-length")
  return new Request(req.raw, { headers, body })
}
