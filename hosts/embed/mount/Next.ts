import type { WebHandler } from "./WebHandler.ts"

type Handler = WebHandler["handler"]
type Mounted = Pick<WebHandler, "handler">

/**
 * The handlers of a Next route, of which none is left to Next: in `app/integrations/designs/v1/[[...path]]/route.ts`
 *
 * ```ts
 * export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = toNextHandlers(designwire)
 * ```
 *
 * Next imports its routes while it builds, often without the settings that are needed to run. Given a function that answers `designwire`, they call it with
 * every request, and not before.
 */
export const toNextHandlers = (
  mounted: Mounted | (() => Mounted | Promise<Mounted>),
): Readonly<Record<"GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS", Handler>> => {
  const open = typeof mounted === "function" ? mounted : () => mounted
  const handler: Handler = async (request) => (await open()).handler(request)
  return { GET: handler, HEAD: handler, POST: handler, PUT: handler, PATCH: handler, DELETE: handler, OPTIONS: handler }
}
