import { readText } from "./Bounded.ts"
import { CallRefused, type ServiceDriver } from "./ServiceDriver.ts"

/** The address and the key of a management API. */
export interface ManagementApi {
  /** Its address including the version: `http://127.0.0.1:3000/manage/v1`. */
  readonly url: string
  readonly key: string
  /** Sends its requests. Default: `fetch`. */
  readonly request?: (request: Request) => Response | Promise<Response>
}

/** Changes a service through the management API of this package, which can't drop events. */
export const managementDriver = ({
  key,
  request = (one) => fetch(one),
  url,
}: ManagementApi): Omit<Required<ServiceDriver>, "dropEvents"> => {
  const base = url.replace(/\/+$/, "")
  const send = async (method: string, segments: ReadonlyArray<string | number>, body?: unknown): Promise<unknown> => {
    const path = segments.map((segment) => `/${encodeURIComponent(segment)}`).join("")
    const response = await request(
      new Request(`${base}${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    )
    const text = await readText(response)
    if (response.ok) return text === "" ? undefined : JSON.parse(text)
    const said = `${method} ${path} was answered with ${response.status}: ${text}`
    // Only refused content is a refusal, not a wrong key or a failure of the service.
    throw [400, 404, 409, 413, 422].includes(response.status) ? new CallRefused(said, response.status) : new Error(said)
  }
  /** Lists of the management API are in `data`. */
  const list = async (segments: ReadonlyArray<string>): Promise<unknown> =>
    ((await send("GET", segments)) as { readonly data: unknown }).data
  const as = <A>(answer: Promise<unknown>): Promise<A> => answer as Promise<A>
  return {
    putShop: ({ input, shop }) => send("PUT", ["shops", shop], input),
    putCustomizer: ({ id, input, shop }) => send("PUT", ["shops", shop, "customizers", id], input),
    publish: ({ definition, id, shop }) => send("POST", ["shops", shop, "customizers", id, "publish"], { definition }),
    putDesign: ({ id, input, shop }) => send("PUT", ["shops", shop, "designs", id], input),
    putOrder: ({ id, input, shop }) => send("PUT", ["shops", shop, "orders", id], input),
    cancelOrder: ({ id, shop }) => send("POST", ["shops", shop, "orders", id, "cancel"]),
    createToken: ({ shop }) => as(send("POST", ["shops", shop, "tokens"], { name: "Conformance" })),
    createLimitedToken: ({ shop, ...limits }) =>
      as(send("POST", ["shops", shop, "tokens"], { name: "Conformance", ...limits })),
    deleteToken: ({ id, shop }) => send("DELETE", ["shops", shop, "tokens", id]),
    createEndpoint: ({ input, shop }) => as(send("POST", ["shops", shop, "webhooks"], input)),
    pause: ({ endpoint, shop }) => send("POST", ["shops", shop, "webhooks", endpoint, "pause"]),
    enable: ({ endpoint, shop }) => as(send("POST", ["shops", shop, "webhooks", endpoint, "enable"])),
    test: ({ endpoint, shop }) => send("POST", ["shops", shop, "webhooks", endpoint, "test"]),
    deliveries: ({ endpoint, shop }) => as(list(["shops", shop, "webhooks", endpoint, "deliveries"])),
    redeliver: ({ delivery, endpoint, shop }) =>
      as(send("POST", ["shops", shop, "webhooks", endpoint, "deliveries", delivery, "redeliver"])),
    recover: ({ endpoint, shop, since }) =>
      as(send("POST", ["shops", shop, "webhooks", endpoint, "recover"], { since })),
    rotate: ({ endpoint, shop, ...input }) =>
      as(send("POST", ["shops", shop, "webhooks", endpoint, "secret", "rotate"], input)),
    promote: ({ endpoint, shop }) => send("POST", ["shops", shop, "webhooks", endpoint, "secret", "promote"]),
    standardWebhooks: ({ enabled, endpoint, shop }) =>
      send("PATCH", ["shops", shop, "webhooks", endpoint], { standardWebhooks: enabled }),
    endpointOptions: ({ endpoint, options, shop }) => send("PATCH", ["shops", shop, "webhooks", endpoint], options),
  }
}
