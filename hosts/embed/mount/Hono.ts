import type { Mounted } from "./Node.ts"

interface HonoContext {
  readonly req: { readonly raw: Request; readonly blob: () => Promise<Blob> }
  readonly res: { readonly headers: Headers }
}

/**
 * Middleware for Hono 4: `app.use(toHonoMiddleware(designwire))`. It answers requests for `mounted` and leaves the rest
 * to later handlers. Earlier middleware may have read the body with Hono's own methods, and its headers are sent with
 * the response.
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

/** Returns a request whose body can be read again if it was read before: Hono keeps the body. */
const unread = async (req: HonoContext["req"]): Promise<Request> => {
  if (!req.raw.bodyUsed) return req.raw
  const body = await req.blob()
  const headers = new Headers(req.raw.headers)
  headers.delete("content-length")
  // Hono keeps a form as fields; written again, it has another boundary.
  if (body.type.startsWith("multipart/form-data")) headers.set("content-type", body.type)
  return new Request(req.raw, { headers, body })
}
