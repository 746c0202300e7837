import type { Socket } from "node:net"
import { Client } from "undici"

/** Nobody waits until a client is closed. */
const ignore = () => undefined

/** Milliseconds after which an idle connection is closed. A receiver may name another time, up to the maximum. */
const keepAlive = 4_000
const maximumKeepAlive = 30_000

/** The most bytes that the status line and headers may have, and informational responses before them. */
const maximumHead = 16 * 1024

/**
 * The most bytes that a response may have besides its head and its body: chunk sizes, chunk extensions and trailers.
 */
const maximumFraming = 16 * 1024

/** An open connection, to an address that was approved when it was opened. It carries one request at a time. */
export class Connection {
  /** Origin and address. Requests with the same key may share the connection. */
  readonly key: string
  readonly client: Client
  readonly socket: Socket
  /** The status of the response to the current request once its status line is complete; 0 before. */
  statusCode = 0
  /** The receiver answered with the first frame of HTTP/2, SETTINGS of the whole connection. */
  speaksHttp2 = false

  readonly #onClose: (connection: Connection) => void
  #awaiting = false
  #unfinished: Buffer | undefined
  #informational = 0
  /** The bytes that undici may still read: of the response or, before the first request, of an unexpected one. */
  #allowed = maximumHead

  constructor(key: string, origin: string, socket: Socket, onClose: (connection: Connection) => void) {
    this.key = key
    this.socket = socket
    this.#onClose = onClose
    let taken = false
    this.client = new Client(origin, {
      // A client has one socket and never a second: without its connection it is useless.
      connect: (_, callback) => {
        if (taken) return callback(new Error("the connection is closed"), null)
        taken = true
        // Later, because a client that is connected before its connector returns waits forever.
        queueMicrotask(() => callback(null, socket))
      },
      allowH2: false,
      pipelining: 1,
      maxHeaderSize: maximumHead,
      // The attempt has a deadline of its own.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: keepAlive,
      keepAliveMaxTimeout: maximumKeepAlive,
      // Milliseconds by which we close before the receiver would: a request must not go out on a closing connection.
      keepAliveTimeoutThreshold: 1_000,
    })
    this.client.on("disconnect", () => this.close())
    this.client.on("connectionError", () => this.close())

    const read = socket.read.bind(socket)
    socket.read = (size?: number) => (this.#awaiting ? this.#readHead(read) : this.#readRest(read, size))
  }

  /** The request is about to be written. Its sender ends a response that has more body than `responseLimit` bytes. */
  await(responseLimit: number): void {
    this.#allowed = maximumHead + maximumFraming + responseLimit
    this.statusCode = 0
    this.#awaiting = true
    this.#unfinished = undefined
    this.#informational = 0
  }

  close(): void {
    this.#onClose(this)
    try {
      this.client.destroy(ignore)
    } finally {
      // A client that was never used has not taken its socket yet.
      this.socket.destroy()
    }
  }

  /**
   * Reads until the response's status line is complete, keeps the code, and leaves the rest to undici. Undici reports a
   * code only after all headers (D26 requires only the status line), and takes an unrequested `100 Continue` for a
   * broken response: informational responses are left out.
   */
  #readHead(read: () => Buffer | null): Buffer | null {
    for (;;) {
      const chunk = read()
      if (chunk === null) return null
      let bytes = this.#unfinished === undefined ? chunk : Buffer.concat([this.#unfinished, chunk])
      this.#unfinished = undefined
      while (bytes.length > 0) {
        const code = statusOf(bytes)
        if (code === incomplete) {
          if (bytes.length < maximumHead) break
          return this.#end("too long a status line")
        }
        this.speaksHttp2 ||=
          code === garbage && bytes[3] === 4 && bytes.readUIntBE(5, Math.min(4, bytes.length - 5)) === 0
        if (code < 100 || code === 101 || code >= 200) {
          this.#awaiting = false
          if (code >= 200) this.statusCode = code
          this.#allowed -= bytes.length
          return bytes
        }
        const end = endOfHead(bytes)
        if (end === -1 && bytes.length < maximumHead) break
        this.#informational += end
        if (end === -1 || this.#informational > maximumHead) return this.#end("too much before the answer")
        bytes = bytes.subarray(end)
      }
      if (bytes.length > 0) this.#unfinished = bytes
    }
  }

  /**
   * Reads what follows the status line. Undici's parser has no bound for chunk extensions: an endless one keeps the
   * processor busy until the deadline. The part before the bound has at most the body that the sender keeps.
   */
  #readRest(read: (size?: number) => Buffer | null, size: number | undefined): Buffer | null {
    const chunk = read(size)
    if (chunk === null) return null
    if (this.#allowed <= 0) return this.#end("too much besides the body")
    this.#allowed -= chunk.length
    return chunk
  }

  #end(why: string): null {
    this.socket.destroy(new Error(why))
    return null
  }
}

const incomplete = 0
const garbage = -1
const protocol = Buffer.from("HTTP/1.")
const longestStatus = "HTTP/1.1 200 ".length

/** The place behind the empty line that ends a head, whose lines may end without CR; -1 if there is none. */
const endOfHead = (bytes: Buffer): number => {
  for (let line = bytes.indexOf(10); line !== -1; line = bytes.indexOf(10, line + 1)) {
    const next = bytes[line + 1] === 13 ? line + 2 : line + 1
    if (bytes[next] === 10) return next + 1
  }
  return -1
}

/** The code of the status line that the bytes begin with, if the line is complete. */
const statusOf = (bytes: Buffer): number => {
  for (let index = 0; index < protocol.length && index < bytes.length; index++) {
    if (bytes[index] !== protocol[index]) return garbage
  }
  if (bytes.indexOf(10, protocol.length) === -1) return incomplete
  const [, code] = /^HTTP\/1\.[0-9] ([0-9]{3})[ \r\n]/.exec(bytes.toString("latin1", 0, longestStatus)) ?? []
  return code === undefined ? garbage : Number(code)
}
