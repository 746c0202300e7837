/** Reads over HTTP, alongside a bare server that reads one design: microseconds of the servers' processor time. */

import { fetchPage } from "../read/FetchPage.ts"
import type { Server } from "../read/Server.ts"
import { startStage } from "../read/Stage.ts"
import type { Cleanup } from "../support/Cleanup.ts"
import { shuffled } from "../support/Shuffled.ts"
import type { Row } from "./Row.ts"

const milliseconds = 800
const connections = 64

export const reads = async (cleanup: Cleanup): Promise<ReadonlyArray<Row>> => {
  const counts = { designs: 20_000, growthOrders: undefined }
  const { filled, load, servers, token } = await startStage(counts, cleanup, ["unlimited", "limited", "bare"])
  const cost = (server: Server, plan: string) => async () => {
    const before = await server.usage()
    const { requests } = await load.run({ plan, port: server.port, connections, milliseconds })
    return (((await server.usage()).cpu - before.cpu) * 1_000) / requests
  }
  const planned = async (plan: string, paths: ReadonlyArray<string>) => {
    for (const path of paths) {
      await load.prepare(plan, [{ path, token, body: await fetchPage(servers.unlimited.port, token, path) }])
    }
    return plan
  }
  const orders = shuffled(filled.orders).slice(0, 500)
  const order = await planned(
    "order",
    orders.map(({ id }) => `/api/v1/orders/${id}`),
  )
  const page = await planned("page", ["/api/v1/orders?limit=25"])
  const bare = cost(servers.bare, "designs")
  // Servers that were just started are still compiled: seconds of load, until their cost does not fall any more.
  const warm = (server: Server, plan: string) => load.run({ plan, port: server.port, connections, milliseconds: 4_000 })
  await warm(servers.bare, "designs")
  await warm(servers.unlimited, "designs")
  await warm(servers.limited, "limited")
  const row = (name: string, server: Server, plan: string): Row => ({
    name,
    unit: "µs",
    own: cost(server, plan),
    bare,
  })
  return [
    row("read", servers.unlimited, "designs"),
    row("limited read", servers.limited, "limited"),
    row("order", servers.unlimited, order),
    row("page of 25", servers.unlimited, page),
  ]
}
