import { HttpServerResponse } from "effect/http"
import { nothingHere } from "../../../core/api/Addresses.ts"
import { errorResponse } from "../../../core/api/Errors.ts"
import { type NodeRequest, targetOf, toRequest } from "./NodeRequest.ts"
import { type NodeResponse, sending } from "./NodeResponse.ts"
import type { WebHandler } from "./WebHandler.ts"

/** What a mount needs. */
export type Mounted = Pick<WebHandler, "answers" | "respond">

/**
 * A listener for Node's `http` and `http2`, and a handler for Express 4 and 5, Connect and what else takes `(req, res, next)`:
 * `app.use(toNodeHandler(designwire))`, at the root or at any path above its own, before or after body parsers.
 *
 * It answers what is for `mounted` and leaves the rest to `next`; without one it answers that with 404. Headers that were set before,
 * such as those of CORS, go out with its answers.
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
      await send(answer ?? toWeb(nothingHere))
    } catch (error) {
      if (response.headersSent) response.destroy()
      else if (next !== undefined) next(error)
      else await send(toWeb(failed))
    }
  }

const { toWeb } = HttpServerResponse

const failed = errorResponse(500, "Something went wrong on our side")
