/** Deliveries at full speed while their signing secrets are rotated. */

import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"
import { Effect, Redacted } from "effect"
import { EndpointStore } from "../../../core/ports/EndpointStore.ts"
import { changing } from "../../../core/rules/webhooks/EndpointUpdates.ts"
import { promoteSecret, rotateSecret } from "../../../core/usecases/webhooks/ManageEndpoints.ts"
import { verifyWebhook } from "../../../hosts/receiver/index.ts"
import { designwire } from "../deliver/Contenders.ts"
import type { StagedShop } from "../deliver/Events.ts"
import { makeKeys, openStores, stageShop } from "../deliver/Stage.ts"
import { startWorker } from "../deliver/Worker.ts"
import type { Cleanup } from "../support/Cleanup.ts"
import { pause } from "../support/Clock.ts"
import { startDatabase } from "../support/Postgres.ts"
import { type Finding, finding } from "../support/Report.ts"

const deliveries = 10_000

/** Enough endpoints that a worker does not wait for the slots of one. */
const [endpointsOfShop, shops] = [4, 10]

/** The worker has never claimed more deliveries than this ahead. */
const mostClaimed = 500

/** The receiver of an endpoint. It has a list of secrets, or knows a single one and reads Standard Webhooks. */
interface Receiver {
  readonly shop: string
  readonly endpoint: string
  readonly standardWebhooks: boolean
  secrets: ReadonlyArray<string>
  refused: number
}

/** Verifies every delivery with the secrets that its receiver, found by path, knows at that moment. */
const startReceivers = async (receivers: ReadonlyMap<string, Receiver>, cleanup: Cleanup) => {
  let arrived = 0
  const server = createServer(async (request, response) => {
    const receiver = receivers.get(request.url ?? "") as Receiver
    const body = await buffer(request)
    const { ok } = await verifyWebhook({ secret: receiver.secrets, headers: request.headers, body })
    response.writeHead(ok ? 204 : 401).end()
    if (!ok) receiver.refused++
    arrived++
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  cleanup.add(async () => server.close().closeAllConnections())
  const until = async (count: number) => {
    if (count > deliveries) throw new Error("The secrets changed too late to be measured")
    while (arrived < count) await pause(1)
  }
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    until,
    /** Waits until everything that the worker has claimed by now has arrived. */
    claimed: () => until(arrived + mostClaimed),
  }
}

/** How many deliveries receivers refuse that change over in the middle. */
export const rotate = async (cleanup: Cleanup): Promise<ReadonlyArray<Finding>> => {
  const { sql, url } = await startDatabase(cleanup)
  const { key, secret } = makeKeys()
  const stores = openStores(url, key)
  cleanup.add(() => stores.dispose())
  const receivers = new Map<string, Receiver>()
  const { claimed, origin, until } = await startReceivers(receivers, cleanup)
  const staged: Array<StagedShop> = []
  for (let index = 0; index < shops; index++) {
    const id = `rotate${index}`
    const paths = Array.from({ length: endpointsOfShop }, (_, at) => `/${id}/${at}`)
    const urls = paths.map((path) => origin + path)
    const shop = await stageShop(stores, id, urls, secret)
    staged.push(shop)
    for (const [at, path] of paths.entries()) {
      const [endpoint, standardWebhooks] = [shop.endpoints[at] as string, at % 2 === 1]
      receivers.set(path, { shop: id, endpoint, standardWebhooks, secrets: [secret], refused: 0 })
      await stores.runPromise(EndpointStore.use((store) => store.update(id, endpoint, changing({ standardWebhooks }))))
    }
  }
  await designwire(sql, stores, staged).enqueue(deliveries)
  const environment = { DATABASE_URL: url, KEY: key.toString("base64") }
  const worker = await startWorker("./designwire.ts", environment, cleanup)
  worker.begin()

  await until(0.2 * deliveries)
  const all = [...receivers.values()]
  const rotated = await Promise.all(
    all.map(({ endpoint, shop }) => stores.runPromise(Effect.orDie(rotateSecret(shop, endpoint)))),
  )
  const fresh = rotated.map(({ secret }) => Redacted.value(secret))
  await claimed()
  for (const [at, receiver] of all.entries()) {
    receiver.secrets = [...(receiver.standardWebhooks ? [] : [secret]), fresh[at] as string]
  }
  await Promise.all(all.map(({ endpoint, shop }) => stores.runPromise(Effect.orDie(promoteSecret(shop, endpoint)))))
  await claimed()
  for (const [at, receiver] of all.entries()) receiver.secrets = [fresh[at] as string]
  await claimed()
  await until(deliveries)

  return [false, true].map((standard) => {
    const refused = all.reduce((sum, one) => sum + (one.standardWebhooks === standard ? one.refused : 0), 0)
    const kind = standard ? "one secret and Standard Webhooks" : "a list of secrets"
    return finding(`Refused during a rotation with ${kind}`, "deliveries", { designwire: refused }, { most: 0 })
  })
}
