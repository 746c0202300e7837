import type { WebHandler } from "./WebHandler.ts"

type Handler = WebHandler["handler"]

/**
 * The handlers of a Next route, of which none is left to Next: in `app/integrations/designs/v1/[[...path]]/route.ts`
 *
 * ```ts
 * export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = toNextHandlers(designwire)
 * ```
 */
export const toNextHandlers = (
  mounted: Pick<WebHandler, "handler">,
): Readonly<Record<"GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS", Handler>> => {
  const handler: Handler = (request) => mounted.handler(request)
  return { GET: handler, HEAD: handler, POST: handler, PUT: handler, PATCH: handler, DELETE: handler, OPTIONS: handler }
}
