/**
 * The receiver of all webhooks: HTTP/1.1 over persistent sockets with minimal work, equal for every contender. It
 * records the first arrival and the number of arrivals of each delivery, and verifies the signature of one in 64.
 * `/hang`, `/drip`, `/late` and, for one request in 50, `/some` misbehave, as does every path below `/once` for its
 * first request. `/soon` takes a tenth of a second.
 */
import { createHmac } from "node:crypto"
import { type AddressInfo, createServer, type Socket } from "node:net"
import { listen, setting, tell } from "../support/Child.ts"
import { instant } from "../support/Clock.ts"
import type { Arrival, SinkMessage } from "./Receiver.ts"

const secret = setting("SECRET")
const answer = Buffer.from("HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\nok")

const failure = Buffer.from("HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\n\r\n")

const arrivals = new Map<string, Arrival>()
/** Paths below `/once` that have had their failure. */
const answered = new Set<string>()
let received = 0
let refused: string | undefined
let expected = Number.POSITIVE_INFINITY

/** Reports to the parent, once, that the expected deliveries have arrived or that one is wrong. */
const report = () => {
  if (arrivals.size < expected && refused === undefined) return
  expected = Number.POSITIVE_INFINITY
  tell(refused ?? "arrived")
}

const header = (head: string, name: RegExp): string => name.exec(head)?.[1] ?? ""

/** Finds a header by name in any case. */
const named = (name: string): RegExp => new RegExp(`\\r\\n${name}: ([^\\r]*)`, "i")

const timestamp = named("x-service-timestamp")
const signature = named("x-service-signature")
const delivery = named("x-service-delivery")
const contentLength = named("content-length")

const isSigned = (head: string, body: Buffer): boolean => {
  const mac = createHmac("sha256", secret)
    .update(`${header(head, timestamp)}.`)
    .update(body)
    .digest("hex")
  return mac === header(head, signature)
}

/** One byte of the response per second. */
const drip = (socket: Socket) => {
  let sent = 0
  const timer = setInterval(() => socket.write(answer.subarray(sent, ++sent)), 1_000)
  socket.once("close", () => clearInterval(timer))
}

const take = (head: string, body: Buffer, socket: Socket) => {
  const id = header(head, delivery)
  if (received++ % 64 === 0 && !isSigned(head, body)) refused ??= `${id} is not signed`
  if (head.startsWith("POST /hang")) return
  if (head.startsWith("POST /drip")) return drip(socket)
  if (head.startsWith("POST /late")) return void setTimeout(() => socket.write(failure), 4_900)
  if (head.startsWith("POST /some") && received % 50 === 0) return void socket.write(failure)
  const [once] = /^POST \/once\S*/.exec(head) ?? []
  if (once !== undefined && !answered.has(once)) {
    answered.add(once)
    return void socket.write(failure)
  }
  const arrival = arrivals.get(id)
  if (arrival === undefined) arrivals.set(id, { at: instant(), times: 1 })
  else arrivals.set(id, { at: arrival.at, times: arrival.times + 1 })
  if (head.startsWith("POST /soon")) setTimeout(() => socket.write(answer), 100)
  else socket.write(answer)
  report()
}

const server = createServer({ noDelay: true }, (socket) => {
  let held: Buffer | undefined
  socket.on("data", (chunk) => {
    const bytes = held === undefined ? chunk : Buffer.concat([held, chunk])
    held = bytes
    const end = bytes.indexOf("\r\n\r\n")
    if (end === -1) return
    const head = bytes.toString("latin1", 0, end + 2)
    const length = Number(header(head, contentLength))
    if (bytes.length < end + 4 + length) return
    held = undefined
    take(head, bytes.subarray(end + 4), socket)
  })
  socket.on("error", () => socket.destroy())
})

listen((message: SinkMessage) => {
  if (message.kind === "expect") {
    expected = message.deliveries
    report()
  } else {
    tell(new Map(arrivals))
    arrivals.clear()
  }
})

server.listen({ port: 0, host: "127.0.0.1", backlog: 1_024 }, () => tell((server.address() as AddressInfo).port))
