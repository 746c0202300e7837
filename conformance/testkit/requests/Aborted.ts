import { once } from "node:events"
import { connect } from "node:net"

/** Begins a POST to a server of this machine, and is gone before the whole body was sent. */
export const abortedPost = async (url: string): Promise<void> => {
  const { host, hostname, pathname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, "connect")
  socket.write(`POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 100\r\n\r\n{"id":`)
  // The server has begun to read before the connection ends.
  await new Promise((done) => setTimeout(done, 100))
  socket.resetAndDestroy()
}
