/** A request of Node's as a `Request` of the web, whatever was done with it before. */

/** What is used of a request of Node's `http` and `http2`, and of what Express and Connect add to it. */
export interface NodeRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  /** Whether somebody has begun to read the body. */
  readonly readableDidRead?: boolean | undefined
  readonly on: (event: string, listener: (value: unknown) => void) => unknown
  readonly pause: () => unknown
  readonly resume: () => unknown
  readonly socket?: unknown
  /** What Express has taken off `url`: the paths of the routers that led here. */
  readonly baseUrl?: string | undefined
  /** Express, Connect: `url` as it arrived. */
  readonly originalUrl?: string | undefined
  /** Express: `http` or `https`, by its own setting of which proxies it trusts. */
  readonly protocol?: string | undefined
  /** What a body parser has made of the body. */
  readonly body?: unknown
  /** The bytes that were parsed, which some platforms keep. */
  readonly rawBody?: unknown
}

/**
 * The path and query of a request, with what routers have taken off again. Where the application has rewritten `url`, that counts: the
 * application goes by it too.
 */
export const targetOf = ({ baseUrl, originalUrl, url = "/" }: NodeRequest): string => {
  if (baseUrl === undefined) return originalUrl ?? url
  if (originalUrl === undefined) return baseUrl + url
  // Routers add a slash to what they leave, or take one too much: between the two parts there may be any number of them.
  const rest = url.slice(url.startsWith("/") ? 1 : 0)
  const between = originalUrl.slice(baseUrl.length, originalUrl.length - rest.length)
  return baseUrl + between + rest === originalUrl && /^\/*$/.test(between) ? originalUrl : baseUrl + url
}

/** What a request alone does not say. */
interface Circumstances {
  /** Its path and query as the application goes by them. */
  readonly target: string
  /** `http` or `https`, where the application knows; else as the connection is. */
  readonly protocol: string | undefined
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal
}

/** Makes a `Request`. Its body is read when it is asked for, and no faster. */
export const toRequest = (request: NodeRequest, { protocol, signal, target }: Circumstances): Request => {
  const method = request.method ?? "GET"
  const headers = toHeaders(request.headers)
  const body = method === "GET" || method === "HEAD" ? null : bodyOf(request, headers)
  const init = {
    // These three are none that a `Request` may have.
    method: /^(?:CONNECT|TRACE|TRACK)$/.test(method) ? "POST" : method,
    headers,
    signal,
    body,
    duplex: "half" as const,
  }
  const made = new Request("http://localhost/", init)
  const url = target.startsWith("/") ? originOf(protocol ?? protocolOf(request), headers) + target : target
  // To the letter: a URL would resolve `%2e%2e` and take `\` for `/`, which are no more than characters of an id (D15).
  return Object.defineProperties(made, { url: { value: url }, method: { value: method } })
}

const toHeaders = (from: NodeRequest["headers"]): Headers => {
  const headers = new Headers()
  for (const [name, value] of Object.entries(from)) {
    if (value === undefined) continue
    // HTTP/2 sends what belongs to the request line among the headers.
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
  // What is left of the body was decoded, and has another length.
  for (const name of ["content-length", "content-encoding", "transfer-encoding"]) headers.delete(name)
  for (const bytes of [rawBody, body]) {
    if (typeof bytes === "string" || isBytes(bytes)) return bytes
  }
  if (body === undefined || body === null) return null
  if (/[/+]json\b/i.test(headers.get("content-type") ?? "")) return JSON.stringify(body)
  const form = new URLSearchParams()
  addField(form, "", body)
  headers.set("content-type", "application/x-www-form-urlencoded;charset=UTF-8")
  return form
}

/** Writes fields as the parsers of forms read them: a list as fields of one name, an object's as `name[key]`. */
const addField = (form: URLSearchParams, name: string, value: unknown): void => {
  if (Array.isArray(value)) for (const one of value) addField(form, name, one)
  else if (typeof value === "object" && value !== null) {
    for (const [key, one] of Object.entries(value)) addField(form, name === "" ? key : `${name}[${key}]`, one)
  } else form.append(name, String(value ?? ""))
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
      // What nobody wants must still leave the connection, for the next request on it.
      cancel: () => {
        ended = true
        request.resume()
      },
    },
    { highWaterMark: 0 },
  )
}
