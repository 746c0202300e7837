import { connect, isIP } from "node:net"
import { connect as connectSecurely } from "node:tls"
import { maximumRead, tooLong } from "./Bounded.ts"
import type { RestAnswer } from "./ServiceCase.ts"

const open = ({ hostname, port, protocol }: URL) => {
  const host = hostname.replace(/^\[|\]$/g, "")
  if (protocol === "http:") return connect({ host, port: Number(port || 80) })
  const servername = isIP(host) === 0 ? { servername: host } : {}
  return connectSecurely({ host, port: Number(port || 443), ALPNProtocols: ["http/1.1"], ...servername })
}

const parse = (text: string): RestAnswer => {
  const end = text.indexOf("\r\n\r\n")
  const [, status] = /^HTTP\/1\.1 (\d{3})[ \r]/.exec(text) ?? []
  if (end === -1 || status === undefined) throw new Error(`not an answer: ${text.slice(0, 200)}`)
  const lines = text.slice(0, end).split("\r\n").slice(1)
  const headers = lines.map((line) => {
    const colon = line.indexOf(":")
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
  })
  return { status: Number(status), headers: Object.fromEntries(headers), text: text.slice(end + 4) }
}

/**
 * Sends a request without a body over a connection of its own. The text of the answer is everything behind its headers
 * until the service closes the connection, whether HTTP allows it there or not.
 */
export const exchange = ({ headers, method, url }: Request, signal: AbortSignal): Promise<RestAnswer> =>
  new Promise((resolve, reject) => {
    const target = new URL(url)
    const socket = open(target)
    const parts: Array<Buffer> = []
    let read = 0
    socket.on("data", (part: Buffer) => {
      read += part.length
      if (read > maximumRead) socket.destroy(new Error(tooLong("the answer")))
      else parts.push(part)
    })
    socket.once("error", reject)
    socket.once("close", () => {
      try {
        resolve(parse(Buffer.concat(parts).toString("utf8")))
      } catch (error) {
        reject(error)
      }
    })
    signal.addEventListener("abort", () => socket.destroy(new Error("no answer")))
    const lines = [...headers].map(([name, value]) => `${name}: ${value}\r\n`)
    const first = `${method} ${target.pathname}${target.search} HTTP/1.1\r\nhost: ${target.host}\r\n`
    socket.write(`${first}${lines.join("")}connection: close\r\n\r\n`)
  })
