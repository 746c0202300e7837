/** A proxy before a running service, and one between it and the receivers of its webhooks, that plant a fault. */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { CallRefused } from "../../../suites/service/ServiceDriver.ts"
import type { ServiceHarness } from "../../../suites/service/service.ts"
import type { PassedAnswer, ServiceFault } from "./ServiceFault.ts"

/** A service with a fault, until it is closed. */
export interface FaultyService {
  readonly harness: ServiceHarness
  readonly close: () => Promise<void>
}

type Answering = (request: IncomingMessage, body: Buffer, response: ServerResponse) => Promise<void>

const serving = async (answering: Answering) => {
  const server = createServer((request, response) => {
    const parts: Array<Buffer> = []
    request.on("data", (part: Buffer) => parts.push(part))
    // A case that has ended no longer reads: nothing is lost with the answer.
    request.on("end", () => answering(request, Buffer.concat(parts), response).catch(() => response.destroy()))
  })
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}

/** Headers that hold for one connection, or for a body as it was compressed. */
const ownHeaders = new Set(["connection", "host", "keep-alive", "transfer-encoding", "content-length"])

const passed = (headers: Iterable<readonly [string, unknown]>): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => !ownHeaders.has(name)).map(([name, value]) => [name, `${value}`]))

/** Writes an answer byte by byte, because `node:http` leaves out what HTTP forbids. */
const write = (response: ServerResponse, { behind = "", body, headers, status }: PassedAnswer, isHead: boolean) => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const length = status === 304 || isHead ? "" : `content-length: ${Buffer.byteLength(body)}\r\n`
  response.socket?.end(`HTTP/1.1 ${status} -\r\n${lines.join("")}${length}connection: close\r\n\r\n${body}${behind}`)
}

const restProxy = (origin: string, { answers, asks }: ServiceFault) =>
  serving(async ({ headers, method = "GET", url: path = "" }, body, response) => {
    const sent = { method, headers: { ...passed(Object.entries(headers)), "accept-encoding": "identity" } }
    const hasBody = method !== "GET" && method !== "HEAD"
    const answered = await fetch(origin + (asks?.(path) ?? path), {
      ...sent,
      redirect: "manual",
      ...(hasBody ? { body: new Uint8Array(body) } : {}),
    })
    const answer = { status: answered.status, headers: passed(answered.headers), body: await answered.text() }
    write(response, answers?.(answer, { method, path, headers }) ?? answer, method === "HEAD")
  })

/** Sends a delivery on, its headers as they were written, and resolves with the status of the answer. */
const sendOn = (target: string, rawHeaders: ReadonlyArray<string>, extra: Record<string, string>, body: Buffer) =>
  new Promise<number>((answered, failed) => {
    const pairs = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ""] as const] : []))
    const kept = pairs.filter(([name]) => !ownHeaders.has(name.toLowerCase()))
    const headers = { ...Object.fromEntries(kept), "Content-Length": body.length, ...extra }
    const sending = request(target, { method: "POST", headers }, (response) => {
      response.resume()
      answered(response.statusCode ?? 0)
    })
    sending.once("error", failed)
    sending.end(body)
  })

const deliveryProxy = (secrets: ReadonlyMap<string, string>, { delivers, doubledAfter }: ServiceFault) => {
  const timers = new Set<NodeJS.Timeout>()
  const proxy = serving(async ({ rawHeaders, url = "" }, body, response) => {
    const target = decodeURIComponent(url.slice(1))
    const send = () => sendOn(target, rawHeaders, delivers?.(secrets.get(target) ?? "") ?? {}, body)
    const status = await send()
    // The receiver may be gone by then.
    if (doubledAfter !== undefined) timers.add(setTimeout(() => void send().catch(() => undefined), doubledAfter))
    response.writeHead(status).end()
  })
  return { proxy, stop: () => timers.forEach(clearTimeout) }
}

/** Puts proxies that plant the fault around the service of a harness. */
export const withFault = async (harness: ServiceHarness, fault: ServiceFault): Promise<FaultyService> => {
  const { origin, pathname } = new URL(harness.url)
  const rest = await restProxy(origin, fault)
  const secrets = new Map<string, string>()
  const { proxy, stop } = deliveryProxy(secrets, fault)
  const deliveries = await proxy
  const { driver } = harness
  const add = driver?.createEndpoint
  if (add === undefined) throw new Error("The harness adds no endpoints")
  const createEndpoint: typeof add = async ({ input, shop }) => {
    const isBetween = input.url.startsWith("http://127.0.0.1:")
    const url = isBetween ? `${deliveries.origin}/${encodeURIComponent(input.url)}` : input.url
    try {
      const added = await add({ shop, input: { ...input, url } })
      secrets.set(input.url, added.secret)
      return added
    } catch (error) {
      if (!(error instanceof CallRefused) || fault.accepts?.(input.url) !== true) throw error
      return { id: "whe_accepted", secret: "whsec_accepted" }
    }
  }
  const { request: _, ...others } = harness
  return {
    harness: { ...others, url: rest.origin + pathname, driver: { ...driver, createEndpoint } },
    close: async () => {
      stop()
      await Promise.all([rest.close(), deliveries.close()])
    },
  }
}
