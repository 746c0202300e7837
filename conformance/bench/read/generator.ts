/**
 * The load generator: raw HTTP/1.1 over persistent sockets, one request in flight on each, with prepared requests and
 * expected bodies. It shares the machine with the server, so it does as little as possible, equally for every server;
 * but it compares every byte of every response.
 */
import { connect, type Socket } from "node:net"
import { listen, processorTime, tell } from "../support/Child.ts"
import { percentiles } from "../support/Statistics.ts"
import type { LoadMessage, Measured, PlannedRequest } from "./Load.ts"

interface Prepared {
  readonly request: Buffer
  readonly body: Buffer
}

/** Requests in sending order, and the index of the next one. */
interface Plan {
  readonly requests: Array<Prepared>
  next: number
}

const plans = new Map<string, Plan>()

const planOf = (name: string): Plan => {
  const plan = plans.get(name) ?? { requests: [], next: 0 }
  plans.set(name, plan)
  return plan
}

const prepare = ({ body, coding, path, token }: PlannedRequest): Prepared => {
  const accepted = coding === undefined ? "" : `Accept-Encoding: ${coding}\r\n`
  return {
    request: Buffer.from(
      [
        `GET ${path} HTTP/1.1`,
        "Host: 127.0.0.1",
        `Authorization: Bearer ${token}`,
        "Accept: application/json",
        `${accepted}\r\n`,
      ].join("\r\n"),
    ),
    body: Buffer.from(body, coding === undefined ? "utf8" : "latin1"),
  }
}

const contentLength = /\r\ncontent-length: (\d+)\r\n/i

/** The fault of a response, or `undefined`. */
const fault = (answer: Buffer, head: string, bodyStart: number, expected: Buffer): string | undefined => {
  if (!head.startsWith("HTTP/1.1 200 ")) return `${head.split("\r\n", 1)[0]}: ${answer.toString("utf8", bodyStart)}`
  return answer.compare(expected, 0, expected.length, bodyStart) === 0
    ? undefined
    : `another body than expected: ${answer.toString("utf8", bodyStart, bodyStart + 200)}`
}

const open = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true }, () => {
      socket.off("error", reject)
      resolve(socket)
    })
    socket.once("error", reject)
  })

/** Sends one request after the other until `end`; calls `done` for every complete answer. */
const drive = (
  socket: Socket,
  plan: Plan,
  end: number,
  done: (milliseconds: number, fault: string | undefined) => void,
): Promise<void> =>
  new Promise((resolve) => {
    let current: Prepared | undefined
    let sent = 0
    let parts: Array<Buffer> = []
    let received = 0
    let head = ""
    let bodyStart = 0
    let length = -1

    const send = () => {
      current = undefined
      if (performance.now() >= end) {
        socket.destroy()
        return
      }
      current = plan.requests[plan.next] as Prepared
      plan.next = (plan.next + 1) % plan.requests.length
      sent = performance.now()
      socket.write(current.request)
    }

    socket.on("data", (chunk) => {
      if (current === undefined) return
      parts.push(chunk)
      received += chunk.length
      if (length === -1) {
        if (parts.length > 1) parts = [Buffer.concat(parts)]
        const first = parts[0] as Buffer
        const headEnd = first.indexOf("\r\n\r\n")
        if (headEnd === -1) return
        bodyStart = headEnd + 4
        head = first.toString("latin1", 0, bodyStart)
        length = Number(contentLength.exec(head)?.[1] ?? Number.NaN)
        if (Number.isNaN(length)) {
          done(0, `an answer without content-length: ${head}`)
          current = undefined
          socket.destroy()
          return
        }
      }
      if (received < bodyStart + length) return
      const answer = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
      done(performance.now() - sent, fault(answer, head, bodyStart, current.body))
      parts = []
      received = 0
      length = -1
      send()
    })
    socket.on("error", (error) => done(0, String(error)))
    socket.on("close", () => {
      if (current !== undefined) done(0, "the connection was closed before the answer was complete")
      resolve()
    })
    send()
  })

const run = async (message: Extract<LoadMessage, { kind: "run" }>): Promise<Measured> => {
  const plan = planOf(message.plan)
  const sockets = await Promise.all(Array.from({ length: message.connections }, () => open(message.port)))
  const times: Array<number> = []
  const faults: Array<string> = []
  let failed = 0
  const cpuBefore = processorTime()
  const begin = performance.now()
  const end = begin + message.milliseconds
  // A server that has stopped answering is a failure, not the end of the benchmark.
  const patience = setTimeout(() => {
    for (const socket of sockets) socket.destroy()
  }, message.milliseconds + 30_000)
  await Promise.all(
    sockets.map((socket) =>
      drive(socket, plan, end, (milliseconds, wrong) => {
        if (wrong !== undefined) {
          failed++
          if (faults.length < 3) faults.push(wrong)
        } else if (performance.now() <= end) times.push(milliseconds)
      }),
    ),
  )
  clearTimeout(patience)
  const busy = (processorTime() - cpuBefore) / (performance.now() - begin)
  const { p50, p99 } = percentiles(times)
  return {
    perSecond: (times.length / message.milliseconds) * 1_000,
    requests: times.length,
    failed,
    faults,
    p50,
    p99,
    busy,
  }
}

listen(async (message: LoadMessage) => {
  if (message.kind === "run") tell(await run(message))
  else {
    for (const request of message.requests) planOf(message.plan).requests.push(prepare(request))
    tell("prepared")
  }
})
