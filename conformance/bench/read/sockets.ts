/**
 * About the maximum for Node: bare sockets and `postgres`. It reads only the path of a request, so it is not a usable
 * server.
 */
import { type AddressInfo, createServer } from "node:net"
import postgres from "postgres"
import { setting } from "../support/Child.ts"
import { listening } from "./Serving.ts"

const sql = postgres(setting("DATABASE_URL"), { max: Number(process.env["POOL"] ?? 10) })
const shop = setting("SHOP")
const pathBegin = "GET /api/v1/designs/".length

const server = createServer({ noDelay: true }, (socket) => {
  socket.setEncoding("latin1")
  socket.on("error", () => socket.destroy())
  // The load generator sends each request in one piece.
  socket.on("data", async (request: string) => {
    const id = request.slice(pathBegin, request.indexOf(" ", pathBegin))
    const [found] = await sql<Array<{ wire: string }>>`
      SELECT wire FROM designwire.designs WHERE shop = ${shop} AND id = ${id}`
    const body = found?.wire ?? ""
    const status = found === undefined ? "404 Not Found" : "200 OK"
    const length = Buffer.byteLength(body)
    socket.write(`HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n${body}`)
  })
})
server.listen(0, "127.0.0.1", () => listening((server.address() as AddressInfo).port))
