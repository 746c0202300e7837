import type { IncomingMessage } from "node:http"

/** The path of a request's target, without its query. */
export const pathOf = ({ url = "" }: IncomingMessage): string => {
  const query = url.indexOf("?")
  return query === -1 ? url : url.slice(0, query)
}

const probes: ReadonlySet<string> = new Set(["/livez", "/readyz"])

/** Whether a path is that of a health probe. */
export const isProbe = (path: string): boolean => probes.has(path)

/** Whether a path is needed to see the state of a server that is flooded. */
export const isOfOperation = (path: string): boolean => isProbe(path) || path === "/metrics"
