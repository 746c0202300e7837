import type { WebHandler } from "./WebHandler.ts"

type Handler = WebHandler["handler"]
type Mounted = Pick<WebHandler, "handler">

/**
 * Handlers for every method of a Next route, in `app/integrations/designs/v1/[[...path]]/route.ts`:
 *
 * ```ts
 * export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = toNextHandlers(designwire)
 * ```
 *
 * Next imports routes while it builds, often without the configuration needed to run. If `mounted` is a function that
 * returns `designwire`, it is called for each request, and not before.
 */
export const toNextHandlers = (
  mounted: Mounted | (() => Mounted | Promise<Mounted>),
): Readonly<Record<"GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS", Handler>> => {
  const open = typeof mounted === "function" ? mounted : () => mounted
  const handler: Handler = async (request) => (await open()).handler(request)
  return { GET: handler, HEAD: handler, POST: handler, PUT: handler, PATCH: handler, DELETE: handler, OPTIONS: handler }
}
