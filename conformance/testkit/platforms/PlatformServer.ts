/** Platforms of our own, made from the documentation of Shopify's and WooCommerce's APIs, with faults on demand. */
import { createServer } from "node:http"
import { Effect } from "effect"

/** A request as a platform sees it. */
export interface PlatformRequest {
  readonly method: string
  /** With its query. */
  readonly path: string
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

export interface PlatformAnswer {
  readonly status: number
  readonly body: string
  readonly retryAfter?: string | undefined
}

/** Faults, each until it is taken away. */
export interface PlatformFaults {
  /** The status of every answer. */
  status?: number | undefined
  /** How many of the next answers are that it was asked too much. */
  throttled?: number | undefined
  /** Every answer ends in the middle. */
  isCut?: boolean | undefined
  /** Requests from this number on are not answered; counted from 1. */
  deadFrom?: number | undefined
}

export interface PlatformServer {
  readonly faults: PlatformFaults
  /** Every request, oldest first. */
  readonly requests: Array<PlatformRequest>
  /** `undefined`: no answer. */
  readonly answer: (request: PlatformRequest) => PlatformAnswer | undefined
}

/** A platform with the answers of `of`, and the faults of all. */
export const platformServer = (
  of: (request: PlatformRequest) => PlatformAnswer,
  throttled: () => PlatformAnswer,
): PlatformServer => {
  const faults: PlatformFaults = {}
  const requests: Array<PlatformRequest> = []
  return {
    faults,
    requests,
    answer: (request) => {
      requests.push(request)
      if (faults.deadFrom !== undefined && requests.length >= faults.deadFrom) return undefined
      if ((faults.throttled ?? 0) > 0) {
        faults.throttled = (faults.throttled ?? 0) - 1
        return throttled()
      }
      if (faults.status !== undefined) return { status: faults.status, body: '{"errors":"as you wish"}' }
      const answer = of(request)
      return faults.isCut === true ? { ...answer, body: answer.body.slice(0, answer.body.length / 2) } : answer
    },
  }
}

/** Serves a platform on a port of this machine. Returns its address, `127.0.0.1:port`. */
export const listening = ({ answer }: PlatformServer) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly domain: string; readonly close: () => void }>((resume) => {
      const server = createServer(async (request, response) => {
        const chunks: Array<Buffer> = []
        for await (const chunk of request) chunks.push(chunk as Buffer)
        const headers = request.headers as PlatformRequest["headers"]
        const { method = "GET", url: path = "/" } = request
        const given = answer({ method, path, headers, body: Buffer.concat(chunks).toString() })
        if (given === undefined) return
        response.statusCode = given.status
        if (given.retryAfter !== undefined) response.setHeader("retry-after", given.retryAfter)
        response.setHeader("content-type", "application/json").end(given.body)
      })
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        const close = () => {
          server.closeAllConnections()
          server.close()
        }
        resume(Effect.succeed({ domain: `127.0.0.1:${port}`, close }))
      })
    }),
    ({ close }) => Effect.sync(close),
  )
