import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { QueryConfig, QueryResult } from "pg"
import { setting } from "../support/Child.ts"
import { listening } from "./Serving.ts"

const shop = setting("SHOP")
const prefix = "/api/v1/designs/"

/** Runs a statement. */
export type Query = (statement: QueryConfig) => Promise<QueryResult<{ readonly wire: string }>>

/** The least code that answers `GET /designs/{id}` over `node:http`: one statement of `pg`'s, no authentication. */
export const serveDesigns = (query: Query): void => {
  const server = createServer(async (request, response) => {
    const id = decodeURIComponent((request.url ?? "").slice(prefix.length))
    try {
      const { rows } = await query({
        name: "design",
        text: "SELECT wire FROM designwire.designs WHERE shop = $1 AND id = $2",
        values: [shop, id],
      })
      const [found] = rows
      if (found === undefined) response.writeHead(404).end()
      else {
        const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(found.wire) }
        response.writeHead(200, headers).end(found.wire)
      }
    } catch {
      response.writeHead(500).end()
    }
  })
  server.listen(0, "127.0.0.1", () => listening((server.address() as AddressInfo).port))
}
