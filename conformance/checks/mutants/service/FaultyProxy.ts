/** A proxy before a running service, and one between it and the receivers of its webhooks, that plant a fault. */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import type { ServiceHarness } from "../../../suites/service/service.ts"
import type {
  Pass,
  PassedAnswer,
  PassedDelivery,
  ReceiverAnswer,
  ServiceFault,
  WholeDriver,
  World,
} from "./ServiceFault.ts"

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

type Ask = (request: Request) => Response | Promise<Response>

const restProxy = (ask: Ask, origin: string, { answers, asks, handles }: ServiceFault, world: World) =>
  serving(async ({ headers, method = "GET", url: path = "" }, body, response) => {
    const hasBody = method !== "GET" && method !== "HEAD"
    const pass: Pass = async (change = {}) => {
      const asked = Object.entries({ ...headers, ...change.headers, "accept-encoding": "identity" })
      const sent = { method, headers: passed(asked.filter(([_, value]) => value !== undefined)) }
      const content = hasBody ? { body: new Uint8Array(body) } : {}
      const answered = await ask(
        new Request(origin + (change.path ?? path), { ...sent, redirect: "manual", ...content }),
      )
      return { status: answered.status, headers: passed(answered.headers), body: await answered.text() }
    }
    const asked = { method, path, headers }
    const answer = await (handles?.(asked, pass, world) ?? pass({ path: asks?.(path) ?? path }))
    write(response, answers?.(answer, asked) ?? answer, method === "HEAD")
  })

/** Sends a delivery on, its headers as they were written, and resolves with the answer. */
const sendOn = ({ body, headers, target }: PassedDelivery) =>
  new Promise<ReceiverAnswer>((answered, failed) => {
    const length = { "Content-Length": Buffer.byteLength(body) }
    const sending = request(target, { method: "POST", headers: { ...headers, ...length } }, (response) => {
      const parts: Array<Buffer> = []
      response.on("data", (part: Buffer) => parts.push(part)).on("error", failed)
      response.on("end", () => {
        const told = passed(Object.entries(response.headers))
        answered({ status: response.statusCode ?? 0, headers: told, body: Buffer.concat(parts).toString() })
      })
    })
    sending.once("error", failed)
    sending.end(body)
  })

const deliveryProxy = (world: World, { sends }: ServiceFault) =>
  serving(async ({ rawHeaders, url = "" }, body, response) => {
    const target = decodeURIComponent(url.slice(1))
    const pairs = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ""] as const] : []))
    const headers = Object.fromEntries(pairs.filter(([name]) => !ownHeaders.has(name.toLowerCase())))
    const delivery: PassedDelivery = { target, headers, body: body.toString() }
    const send = (change: Partial<PassedDelivery> = {}) => sendOn({ ...delivery, ...change })
    const answer = await (sends?.(delivery, send, world) ?? send())
    response.writeHead(answer.status, answer.headers).end(answer.body)
  })

/** Puts proxies that plant the fault around the service of a harness. */
export const withFault = async (harness: ServiceHarness, fault: ServiceFault): Promise<FaultyService> => {
  const { hostname, origin, pathname } = new URL(harness.url)
  const world: World = { tokens: new Map(), secrets: new Map() }
  // An embedded service has no address.
  const ask = hostname.endsWith(".test") ? harness.request : undefined
  const rest = await restProxy(ask ?? ((asked) => fetch(asked)), origin, fault, world)
  const deliveries = await deliveryProxy(world, fault)
  const whole = harness.driver as WholeDriver
  const driver = { ...whole, ...fault.drives?.(whole, world) }
  const createToken: typeof driver.createToken = async (given) => {
    const made = await driver.createToken(given)
    world.tokens.set(made.token, { shop: given.shop, id: made.id })
    return made
  }
  const createEndpoint: typeof driver.createEndpoint = async ({ input, shop }) => {
    const isBetween = input.url.startsWith("http://127.0.0.1:")
    const url = isBetween ? `${deliveries.origin}/${encodeURIComponent(input.url)}` : input.url
    const added = await driver.createEndpoint({ shop, input: { ...input, url } })
    world.secrets.set(input.url, added.secret)
    return added
  }
  const { request: _, ...others } = harness
  return {
    harness: { ...others, url: rest.origin + pathname, driver: { ...driver, createToken, createEndpoint } },
    close: async () => {
      await Promise.all([rest.close(), deliveries.close()])
    },
  }
}
