/** What is used of a response of Node's `http` and `http2`. */
export interface NodeResponse {
  statusCode: number
  readonly headersSent: boolean
  readonly setHeader: (name: string, value: string) => unknown
  readonly appendHeader: (name: string, value: string) => unknown
  readonly write: (chunk: Uint8Array) => boolean
  readonly end: { (): unknown; (chunk: Uint8Array): unknown }
  readonly on: (event: string, listener: () => void) => unknown
  readonly destroy: (error?: Error) => unknown
}

/** Headers of a connection, which the server sets itself; HTTP/2 forbids them. */
const ofConnection = new Set(["connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade"])

/** Headers that are added to those of the application rather than set instead of them. */
const added = new Set(["set-cookie", "vary"])

/** What is being sent to a client. */
export interface Sending {
  /** Aborted when the client is gone before all was sent. */
  readonly signal: AbortSignal
  /** Sends a response no faster than the client takes it, with the headers that the application has set already. */
  readonly send: (answer: Response) => Promise<void>
}

/** Watches over a response of Node's until it is sent. */
export const sending = (response: NodeResponse): Sending => {
  const gone = new AbortController()
  let ended = false
  let goOn: (() => void) | undefined
  response.on("drain", () => goOn?.())
  response.on("close", () => {
    if (!ended) gone.abort()
    goOn?.()
  })
  const end = (last?: Uint8Array) => {
    ended = true
    if (last === undefined) response.end()
    else response.end(last)
  }

  const send = async ({ body, headers, status }: Response): Promise<void> => {
    if (gone.signal.aborted) {
      await body?.cancel()
      return
    }
    response.statusCode = status
    for (const [name, value] of headers) {
      if (ofConnection.has(name)) continue
      if (added.has(name)) response.appendHeader(name, value)
      else response.setHeader(name, value)
    }
    if (body === null) return end()
    const reader = body.getReader()
    // A body that has failed can't be cancelled: reading it says why.
    gone.signal.addEventListener("abort", () => void reader.cancel().catch(() => undefined))
    let left = Number(headers.get("content-length") ?? Number.POSITIVE_INFINITY)
    while (!gone.signal.aborted) {
      const { done, value } = await reader.read()
      if (done) break
      left -= value.length
      // The last of it goes out together with the end: a short answer is one write.
      if (left === 0) return end(value)
      if (response.write(value) || gone.signal.aborted) continue
      await new Promise<void>((resolve) => {
        goOn = resolve
      })
    }
    end()
  }
  return { signal: gone.signal, send }
}
