import { CallRefused, type ServiceDriver } from "./ServiceDriver.ts"

/** Where a management API is, and what lets in. */
export interface ManagementApi {
  /** Its address, its version included: `http://127.0.0.1:3000/manage/v1`. */
  readonly url: string
  readonly key: string
  /** Sends its requests: `fetch`, if nothing is said. */
  readonly request?: (request: Request) => Response | Promise<Response>
}

/** Changes a service through the management API of this package, which has nothing to drop events with. */
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
    const text = await response.text()
    if (response.ok) return text === "" ? undefined : JSON.parse(text)
    const said = `${method} ${path} was answered with ${response.status}: ${text}`
    // What is refused for its content says so; a wrong key or trouble of the service's own is no refusal.
    throw [400, 404, 409, 413, 422].includes(response.status) ? new CallRefused(said, response.status) : new Error(said)
  }
  /** A list of the management API stands in `data`. */
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
    revokeToken: ({ id, shop }) => send("DELETE", ["shops", shop, "tokens", id]),
    addEndpoint: ({ input, shop }) => as(send("POST", ["shops", shop, "webhooks"], input)),
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
  }
}
