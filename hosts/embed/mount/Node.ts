import { HttpServerResponse } from "effect/http"
import { toResponse } from "../../../core/api/Answer.ts"
import { errorResponse, nothingHere } from "../../../core/api/ErrorAnswers.ts"
import { type NodeRequest, targetOf, toRequest } from "./NodeRequest.ts"
import { breakOff, type NodeResponse, sending } from "./NodeResponse.ts"
import type { WebHandler } from "./WebHandler.ts"

/** The part of {@link WebHandler} that a mount uses. */
export type Mounted = Pick<WebHandler, "answers" | "respond">

/**
 * A listener for Node's `http` and `http2`, and a handler for Express 4 and 5, Connect and others that take `(req, res,
 * next)`: `app.use(toNodeHandler(designwire))`, at the root or at any path above its own, before body parsers such as
 * `express.json()`. Webhooks of shop platforms and forms whose body was parsed before are refused with 500 and this
 * reason, unless the bytes are kept as `rawBody`.
 *
 * It answers requests for `mounted` and leaves the rest to `next`, or answers them with 404 without one. Headers set
 * earlier, such as CORS headers, are sent with its responses.
 */
export const toNodeHandler =
  (mounted: Mounted) =>
  async (request: NodeRequest, response: NodeResponse, next?: (error?: unknown) => void): Promise<void> => {
    const target = targetOf(request)
    const ours = mounted.answers({ url: target })
    if (!ours && next !== undefined) return next()
    const { send, signal } = sending(response)
    try {
      const asked = ours ? toRequest(request, { target, protocol: request.protocol, signal }) : undefined
      const answer = asked === undefined ? undefined : await mounted.respond(asked)
      await send(answer ?? toWeb(toResponse(nothingHere)))
    } catch (error) {
      if (response.headersSent) breakOff(response)
      else if (next !== undefined) next(error)
      else await send(toWeb(failed))
    }
  }

const { toWeb } = HttpServerResponse

const failed = errorResponse(500, "Something went wrong on our side")
