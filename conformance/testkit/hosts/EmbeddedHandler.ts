/** Requests to an embedded service without a server. */
import { Effect } from "effect"
import type { Designwire } from "../../../hosts/embed/index.ts"
import { answer, type Send } from "./TestHost.ts"

/** Sends requests to `handler`, through a proxy that rewrites paths. */
export const through =
  ({ handler }: Designwire, rewritten: (path: string) => string = (path) => path): Send =>
  (method, path, { body, headers = {} } = {}) =>
    Effect.promise(async () => {
      const request = new Request(`http://host.test${rewritten(path)}`, {
        method,
        headers: { host: "host.test", ...headers },
        ...(typeof body === "string" ? { body } : {}),
      })
      const response = await handler(request)
      const { getSetCookie } = response.headers
      const cookies = getSetCookie.call(response.headers).join(", ")
      return answer(
        response.status,
        { ...Object.fromEntries(response.headers), ...(cookies === "" ? {} : { "set-cookie": cookies }) },
        await response.text(),
      )
    })
