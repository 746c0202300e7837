/** Node's request as a web `Request`, also after routers. */
import { readBefore } from "./ReadBefore.ts"

/** The parts that are used of a request of Node's `http` or `http2`, and of the fields that Express and Connect add. */
export interface NodeRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  /** Whether reading the body has begun. */
  readonly readableDidRead?: boolean | undefined
  readonly on: (event: string, listener: (value: unknown) => void) => unknown
  readonly pause: () => unknown
  readonly resume: () => unknown
  readonly socket?: unknown
  /** Express: the paths of the routers above, which are removed from `url`. */
  readonly baseUrl?: string | undefined
  /** Express, Connect: the original `url`. */
  readonly originalUrl?: string | undefined
  /** Express: `http` or `https`, according to its own setting of trusted proxies. */
  readonly protocol?: string | undefined
  /** The body as a body parser left it: bytes or text, or something that it made of them. */
  readonly body?: unknown
  /** The bytes or text that were parsed: some platforms keep them. */
  readonly rawBody?: unknown
}

/**
 * The path and query of a request, including the paths that routers removed. If the application has rewritten `url`,
 * the rewritten one counts, as it does for the application.
 */
export const targetOf = ({ baseUrl, originalUrl, url = "/" }: NodeRequest): string => {
  if (baseUrl === undefined) return originalUrl ?? url
  if (originalUrl === undefined) return baseUrl + url
  // Routers may add a slash to the rest or remove one: any number of them may be between the two parts.
  const rest = url.slice(url.startsWith("/") ? 1 : 0)
  const between = originalUrl.slice(baseUrl.length, originalUrl.length - rest.length)
  return baseUrl + between + rest === originalUrl && /^\/*$/.test(between) ? originalUrl : baseUrl + url
}

/** Facts that the request itself does not have. */
interface Circumstances {
  /** Its path and query as the application uses them. */
  readonly target: string
  /** `http` or `https` if the application knows; otherwise the connection decides. */
  readonly protocol: string | undefined
  /** Aborted when nobody waits for the response any more. */
  readonly signal: AbortSignal
}

/** Creates a `Request`. Its body is read on demand. */
export const toRequest = (request: NodeRequest, { protocol, signal, target }: Circumstances): Request => {
  const method = request.method ?? "GET"
  const headers = toHeaders(request.headers)
  const body = method === "GET" || method === "HEAD" ? null : bodyOf(request, headers)
  const init = {
    // A `Request` must not have these methods.
    method: /^(?:CONNECT|TRACE|TRACK)$/.test(method) ? "POST" : method,
    headers,
    signal,
    body,
    duplex: "half" as const,
  }
  const made = new Request("http://localhost/", init)
  const url = target.startsWith("/") ? originOf(protocol ?? protocolOf(request), headers) + target : target
  // Unchanged: a URL would resolve `%2e%2e` and turn `\` into `/`, and an id may contain both (D15).
  return Object.defineProperties(made, { url: { value: url }, method: { value: method } })
}

const toHeaders = (from: NodeRequest["headers"]): Headers => {
  const headers = new Headers()
  for (const [name, value] of Object.entries(from)) {
    if (value === undefined) continue
    // HTTP/2 has the request line among the headers.
    if (name === ":authority") headers.set("host", String(value))
    if (name.startsWith(":")) continue
    for (const one of typeof value === "string" ? [value] : value) headers.append(name, one)
  }
  return headers
}

const protocolOf = ({ socket }: NodeRequest): string =>
  typeof socket === "object" && socket !== null && "encrypted" in socket && socket.encrypted === true ? "https" : "http"

const originOf = (protocol: string, headers: Headers): string =>
  URL.parse(`${protocol === "https" ? "https" : "http"}://${headers.get("host") ?? "localhost"}`)?.origin ??
  "http://localhost"

const isBytes = (value: unknown): value is Uint8Array<ArrayBuffer> => value instanceof Uint8Array

const bodyOf = (
  request: NodeRequest,
  headers: Headers,
): NonNullable<ConstructorParameters<typeof Response>[0]> | null => {
  const { body, rawBody } = request
  if (!(request.readableDidRead ?? body !== undefined)) return streamOf(request)
  const hadBody =
    (body ?? null) !== null || headers.has("transfer-encoding") || Number(headers.get("content-length")) > 0
  // The body was decoded, and its length may have changed.
  for (const name of ["content-length", "content-encoding", "transfer-encoding"]) headers.delete(name)
  for (const bytes of [rawBody, body]) {
    if (typeof bytes === "string" || isBytes(bytes)) return bytes
  }
  // A parsed body is not written again: signatures are over the bytes that were sent.
  return hadBody ? readBefore() : null
}

const streamOf = (request: NodeRequest): ReadableStream<Uint8Array> => {
  let listening = false
  let ended = false
  const listen = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    listening = true
    const end = (error?: unknown) => {
      if (ended) return
      ended = true
      if (error === undefined) controller.close()
      else controller.error(error)
    }
    request.on("data", (chunk) => {
      if (ended) return
      controller.enqueue(chunk as Uint8Array)
      request.pause()
    })
    request.on("end", () => end())
    request.on("error", end)
    request.on("close", () => end(new Error("The client went away before it had sent the whole body")))
  }
  return new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        if (!listening) listen(controller)
        request.resume()
      },
      // An unwanted body must still be read, for the sake of the next request on the connection.
      cancel: () => {
        ended = true
        request.resume()
      },
    },
    { highWaterMark: 0 },
  )
}
