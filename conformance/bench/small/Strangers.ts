/** Signed webhooks and changes alongside bodies of strangers that do not arrive, and the memory of such bodies. */
import { readFileSync } from "node:fs"
import { Agent } from "node:http"
import { connect, type Socket } from "node:net"
import { Effect } from "effect"
import { shopifyOrder } from "../../../hosts/ingest/samples/ShopifyOrder.ts"
import { asSent, signedHeaders } from "../../../hosts/ingest/samples/SignedWebhook.ts"
import { shopInput } from "../../suites/service/Samples.ts"
import { sender } from "../../testkit/hosts/TestHost.ts"
import { address, secrets, start } from "../../testkit/processes/Processes.ts"
import type { Cleanup } from "../support/Cleanup.ts"
import { instant } from "../support/Clock.ts"
import { startDatabase } from "../support/Postgres.ts"
import { type Finding, finding } from "../support/Report.ts"
import { percentiles } from "../support/Statistics.ts"

const webhookSecret = "shpss_0123456789abcdef"

/** Slow bodies at once, for how long, and how often each sends a byte, in milliseconds. */
const [slowBodies, duration, pauseOfSlow] = [500, 20_000, 7_000]

const [largeBodies, largest] = [300, 2 * 1024 * 1024]

const one = ["127.0.0.2"]
const fifty = Array.from({ length: 50 }, (_, index) => `127.0.0.${index + 10}`)

const head = (path: string) => `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${largest}\r\n\r\n`

/** Keeps connections open until `stop`: each one that the service ends is opened again a second later. */
const besiege = (port: number, addresses: ReadonlyArray<string>, count: number, begin: (socket: Socket) => void) => {
  const sockets = new Set<Socket>()
  let isOver = false
  let opened = 0
  const open = () => {
    if (isOver) return
    const localAddress = addresses[opened++ % addresses.length] as string
    const socket = connect({ host: "127.0.0.1", port, localAddress })
    sockets.add(socket)
    socket.on("error", () => undefined)
    socket
      .once("connect", () => begin(socket))
      .once("close", () => {
        sockets.delete(socket)
        setTimeout(open, 1_000).unref()
      })
    socket.resume()
  }
  for (let index = 0; index < count; index++) open()
  return {
    opened: () => opened,
    stop: () => {
      isOver = true
      for (const socket of sockets) socket.destroy()
    },
  }
}

const paths = ["/ingest/shopify/strangers", "/settings/sign-in"]

let next = 0
/** Sends a head, the beginning of a body, and a byte every seven seconds. */
const slowly = (socket: Socket) => {
  socket.write(`${head(paths[next++ % paths.length] as string)}{`)
  const timer = setInterval(() => socket.write("x"), pauseOfSlow)
  socket.once("close", () => clearInterval(timer))
}

/** Sends all of a body but its last byte. */
const almostWhole = (socket: Socket) => void socket.write(head(paths[0] as string) + "x".repeat(largest - 1))

/** Resident memory of a process in MiB. */
const memoryOf = (pid: number | undefined) =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024

/** The processor time of a process in milliseconds. */
const processorOf = (pid: number | undefined) => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ")
  // In hundredths of a second: of the process, and of the kernel for it.
  return (Number(fields[11]) + Number(fields[12])) * 10
}

const measure = (url: string) =>
  Effect.gen(function* () {
    const host = yield* start(["serve"], { ...secrets, DATABASE_URL: url, DESIGNWIRE_SHOPIFY_SECRET: webhookSecret })
    const port = Number(new URL(yield* address(host)).port)
    const send = sender(port, new Agent({ keepAlive: true, maxSockets: 16 }))
    const key = { authorization: `Bearer ${secrets.DESIGNWIRE_MANAGE_KEY}` }
    const change = send("PUT", "/manage/v1/shops/strangers", { headers: key, body: JSON.stringify(shopInput) })
    let order = 1
    const webhook = Effect.suspend(() => {
      const body = asSent(shopifyOrder({ id: order++, lines: [{ id: 1 }] }))
      const headers = signedHeaders.shopify({ topic: "orders/create", body, secret: webhookSecret })
      return send("POST", "/ingest/shopify/strangers", { headers, body })
    })
    yield* change

    /** Sends ten of each a second, and returns how long they take, and how many have another status than 200. */
    const asked = Effect.fnUntraced(function* () {
      const times: Array<number> = []
      const begun = processorOf(host.child.pid)
      let refused = 0
      const ask = (request: typeof change) =>
        Effect.gen(function* () {
          const begin = instant()
          const { status } = yield* request
          times.push(instant() - begin)
          if (status !== 200) refused++
        })
      const rounds = Effect.forEach(
        Array.from({ length: duration / 100 }),
        (_, round) => Effect.delay(Effect.all([ask(webhook), ask(change)], { concurrency: 2 }), round * 100),
        { concurrency: "unbounded", discard: true },
      )
      yield* rounds
      const processor = (processorOf(host.child.pid) - begun) / (duration / 1_000)
      return { ...percentiles(times), refused, processor }
    })

    const beside = Effect.fnUntraced(function* (name: string, addresses: ReadonlyArray<string>) {
      const siege = besiege(port, addresses, slowBodies, slowly)
      const figures = yield* asked()
      siege.stop()
      const details = { ...figures, connections: siege.opened() }
      return [
        finding(`Beside 500 slow bodies of ${name}, p99`, "ms", { designwire: figures.p99 }, { most: 250 }, details),
        finding(`Refused alongside them`, "requests", { designwire: figures.refused }, { most: 0 }),
      ]
    })

    const quiet = yield* asked()
    const findings = [...(yield* beside("one address", one)), ...(yield* beside("50 addresses", fifty))]
    const before = memoryOf(host.child.pid)
    let peak = before
    const siege = besiege(port, fifty, largeBodies, almostWhole)
    yield* Effect.repeat(
      Effect.delay(
        Effect.sync(() => (peak = Math.max(peak, memoryOf(host.child.pid)))),
        100,
      ),
      { times: 100 },
    )
    siege.stop()
    return [
      finding("Webhooks and changes, p99, quiet", "ms", { designwire: quiet.p99 }, { most: 250 }, quiet),
      ...findings,
      finding("300 bodies of 2 MiB that never finish", "MiB", { designwire: peak - before }, { most: 256 }, { before }),
    ]
  })

/** Requests of the service's users alongside strangers that hold as much as they can. */
export const strangers = async (cleanup: Cleanup): Promise<ReadonlyArray<Finding>> => {
  const { url } = await startDatabase(cleanup)
  return Effect.runPromise(Effect.scoped(measure(url)))
}
