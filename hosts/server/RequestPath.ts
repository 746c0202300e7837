import type { IncomingMessage } from "node:http"

/** The path of a request's target, without its query. */
export const pathOf = ({ url = "" }: IncomingMessage): string => {
  const query = url.indexOf("?")
  return query === -1 ? url : url.slice(0, query)
}

const probes: ReadonlySet<string> = new Set(["/livez", "/readyz"])

/** Whether a path belongs to a health probe. */
export const isProbe = (path: string): boolean => probes.has(path)

/** Whether a path is needed to see the state of a server that is flooded. */
export const isOfOperation = (path: string): boolean => isProbe(path) || path === "/metrics"

/** The addresses by which designs and orders come in, and are managed. */
const ofManagement = /^\/(?:manage\/|ingest\/|settings(?:\/|$))/

/** Whether a path is one of the management API, the settings app or shop platforms. */
export const isOfManagement = (path: string): boolean => ofManagement.test(path)

/**
 * Whether a request has a body that must be read before its caller is known. The management API looks at the key first;
 * whatever the address of others may be, nobody is known by the head of their request.
 */
export const isOfStranger = (request: IncomingMessage): boolean => {
  const { headers } = request
  const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0
  return hasBody && !pathOf(request).startsWith("/manage/")
}
