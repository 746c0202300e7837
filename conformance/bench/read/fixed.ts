/** Answers everything with the same bytes without reading the request, which leaves the cost of the load generator. */
import { type AddressInfo, createServer } from "node:net"
import { setting } from "../support/Child.ts"
import { listening } from "./Serving.ts"

const body = setting("BODY")
const answer = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
)

const server = createServer({ noDelay: true }, (socket) => {
  socket.on("data", () => socket.write(answer))
  socket.on("error", () => socket.destroy())
})
server.listen(0, "127.0.0.1", () => listening((server.address() as AddressInfo).port))
