import type { Mounted } from "./Node.ts"
import { type NodeRequest, toRequest } from "./NodeRequest.ts"

interface FastifyRequest {
  readonly raw: NodeRequest
  readonly protocol: string
}

interface FastifyReply {
  readonly raw: { readonly on: (event: "close", listener: () => void) => unknown; readonly writableEnded: boolean }
  readonly getHeader: (name: string) => unknown
  readonly send: (payload: Response) => unknown
}

interface Fastify {
  readonly addHook: (
    name: "onRequest",
    hook: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
  ) => unknown
}

/**
 * A plugin for Fastify 5. Register it with the application itself: `await
 * fastify.register(toFastifyPlugin(designwire))`. It answers requests for `mounted` before Fastify parses a body, and
 * leaves the rest to Fastify. Hooks added earlier run first; hooks for sending and logging run afterwards.
 *
 * Fastify itself refuses a path with invalid percent-encoding, with 400, before any hook.
 */
export const toFastifyPlugin = (mounted: Mounted) => {
  const plugin = async (fastify: Fastify): Promise<void> => {
    fastify.addHook("onRequest", async ({ protocol, raw }, reply) => {
      const target = raw.url ?? "/"
      if (!mounted.answers({ url: target })) return
      const gone = new AbortController()
      reply.raw.on("close", () => {
        if (!reply.raw.writableEnded) gone.abort()
      })
      const answer = await mounted.respond(toRequest(raw, { target, protocol, signal: gone.signal }))
      if (answer === undefined) return
      const vary = reply.getHeader("vary")
      if (vary !== undefined) answer.headers.append("vary", String(vary))
      reply.send(answer)
      return reply
    })
  }
  // The hook belongs to the application, not to a scope of the plugin.
  return Object.assign(plugin, { [Symbol.for("skip-override")]: true })
}
