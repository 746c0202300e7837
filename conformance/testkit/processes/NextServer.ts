/**
 * Stands for `next start` in front of the Next example, whose build would take longer than all tests of the examples
 * together. It calls what that file exports by the contract of Next: what `register` of instrumentation.ts calls once
 * before the first request, and route handlers with a request and its `params`.
 */
import { createServer } from "node:http"
import { checkout, DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT, start } from "../../../hosts/embed/examples/next.mts"
import { toNodeHandler } from "../../../hosts/embed/mount/Node.ts"
import { NextRequest } from "../hosts/Frameworks.ts"

const api = new Map(Object.entries({ DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT }))

const respond = async (request: Request): Promise<Response> => {
  const { pathname } = new URL(request.url)
  const [, id] = /^\/checkout\/([^/]+)$/.exec(pathname) ?? []
  if (id !== undefined && request.method === "POST") {
    return checkout(new NextRequest(request), { params: Promise.resolve({ id }) })
  }
  const handle = pathname.startsWith("/integrations/designs/v1") ? api.get(request.method) : undefined
  return handle?.(new NextRequest(request)) ?? new Response(null, { status: 404 })
}

await start()
const port = process.env["PORT"]
createServer(toNodeHandler({ answers: () => true, respond })).listen(port, () =>
  console.log(`Listening on port ${port}`),
)
