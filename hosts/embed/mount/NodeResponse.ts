import { Socket } from "node:net"
import { TLSSocket } from "node:tls"

/** The parts that are used of a response of Node's `http` or `http2`. */
export interface NodeResponse {
  statusCode: number
  readonly headersSent: boolean
  readonly setHeader: (name: string, value: string) => unknown
  readonly appendHeader: (name: string, value: string) => unknown
  readonly write: (chunk: Uint8Array) => boolean
  readonly end: { (): unknown; (chunk: Uint8Array): unknown }
  readonly on: (event: string, listener: () => void) => unknown
  readonly destroy: (error?: Error) => unknown
  readonly chunkedEncoding?: boolean
  readonly socket?: unknown
}

/**
 * Breaks off a body that has begun. The end of the connection would be the end of one without chunks, as for HTTP/1.0.
 * With TLS it is not: that has an end of its own.
 */
export const breakOff = (response: NodeResponse): void => {
  const { chunkedEncoding, socket } = response
  if (chunkedEncoding === false && socket instanceof Socket && !(socket instanceof TLSSocket)) socket.resetAndDestroy()
  response.destroy()
}

/** Headers of the connection: the server sets them itself, and HTTP/2 forbids them. */
const ofConnection = new Set(["connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade"])

/** Headers that are added to the application's values rather than replacing them. */
const added = new Set(["set-cookie", "vary"])

/** A response that is being sent to a client. */
export interface Sending {
  /** Aborted if the client goes away before everything is sent. */
  readonly signal: AbortSignal
  /** Sends a response as fast as the client reads it, with the headers that the application has set. */
  readonly send: (answer: Response) => Promise<void>
}

/** Watches Node's response until it is sent. */
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
    // A failed body can't be cancelled: reading it reports the failure.
    gone.signal.addEventListener("abort", () => void reader.cancel().catch(() => undefined))
    let left = Number(headers.get("content-length") ?? Number.POSITIVE_INFINITY)
    while (!gone.signal.aborted) {
      const { done, value } = await reader.read()
      if (done) break
      left -= value.length
      // The last chunk is sent with the end, so that a short response is one write.
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
