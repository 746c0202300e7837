/**
 * Deliveries at full speed while their signing secret is rotated, to a receiver that changes over in the middle: how
 * many it refuses. Once to a receiver that has a list of secrets, and once to one that knows a single secret, with the
 * headers of Standard Webhooks.
 *
 * Run with `npm run bench:rotate`; the last line is JSON. `BENCH_DELIVERIES` is how many there are of each kind
 * (10,000); `TEST_DATABASE_URL` names a Postgres server to use rather than one of its own.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import process from "node:process"
import { Effect, Redacted } from "effect"
import { EndpointStore } from "../../core/ports/EndpointStore.ts"
import { promoteSecret, rotateSecret } from "../../core/usecases/webhooks/ManageEndpoints.ts"
import { verifyWebhook } from "../../hosts/receiver/index.ts"
import { designwire } from "./deliver/Contenders.ts"
import type { StagedShop } from "./deliver/Events.ts"
import { makeKeys, openStores, type Stores, stageShop } from "./deliver/Stage.ts"
import { startWorker } from "./deliver/Worker.ts"
import type { Cleanup } from "./support/Cleanup.ts"
import { instant, pause } from "./support/Clock.ts"
import { main, note, numberOf, withCleanup } from "./support/Main.ts"
import { startDatabase } from "./support/Postgres.ts"
import { type Finding, finding, print } from "./support/Report.ts"

const deliveries = numberOf("BENCH_DELIVERIES", 10_000)

/**
 * A shop has so many endpoints, and so many shops have some: enough that no endpoint's slots are what a worker waits
 * for.
 */
const [endpointsOfShop, shops] = [5, 8]

/**
 * So many more arrive before a receiver relies on what was changed: by then everything that a worker had claimed before
 * has arrived.
 */
const claimedBefore = 500

/** A receiver that verifies every delivery with the secrets that it knows at that moment for the path. */
const startReceiver = async (cleanup: Cleanup) => {
  const state = { secrets: new Map<string, ReadonlyArray<string>>(), accepted: new Set<string>(), refused: 0 }
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", async () => {
      const { headers, url = "" } = request
      const secret = state.secrets.get(url) ?? []
      const result = await verifyWebhook({ secret, headers, body: Buffer.concat(chunks) })
      response.writeHead(result.ok ? 204 : 401).end()
      if (result.ok) state.accepted.add(`${result.event.id} ${url}`)
      else state.refused++
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  cleanup.add(async () => server.closeAllConnections())
  cleanup.add(() => new Promise((resolve) => server.close(resolve)))
  const count = () => state.accepted.size + state.refused
  const arrived = async (least: number) => {
    while (count() < least) await pause(1)
  }
  return { state, count, arrived, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** What a receiver knows once the new secret is made. */
interface Kind {
  readonly name: string
  readonly standardWebhooks: boolean
  readonly learns: (old: string, anew: string) => ReadonlyArray<string>
}

const kinds: ReadonlyArray<Kind> = [
  { name: "a list of secrets", standardWebhooks: false, learns: (old, anew) => [old, anew] },
  { name: "one secret and Standard Webhooks", standardWebhooks: true, learns: (_, anew) => [anew] },
]

interface Rotated {
  readonly shop: string
  readonly endpoint: string
  readonly path: string
}

const rotated = (stores: Stores, { endpoint, shop }: Rotated): Promise<string> =>
  stores.runPromise(Effect.map(Effect.orDie(rotateSecret(shop, endpoint)), ({ secret }) => Redacted.value(secret)))

const measure = async (cleanup: Cleanup): Promise<ReadonlyArray<Finding>> => {
  note("Starting Postgres")
  const { sql, url } = await startDatabase(cleanup)
  const { key, secret } = makeKeys()
  const stores = openStores(url, key)
  cleanup.add(() => stores.dispose())
  const findings: Array<Finding> = []
  for (const [index, { learns, name, standardWebhooks }] of kinds.entries()) {
    note(`${deliveries} deliveries to a receiver with ${name}`)
    const receiver = await startReceiver(cleanup)
    const { arrived, count, state } = receiver
    const staged: Array<StagedShop> = []
    const all: Array<Rotated> = []
    for (let shop = 0; shop < shops; shop++) {
      const id = `rotate${index}x${shop}`
      const paths = Array.from({ length: endpointsOfShop }, (_, endpoint) => `/${shop}/${endpoint}`)
      const one = await stageShop(
        stores,
        id,
        paths.map((path) => receiver.url + path),
        secret,
      )
      staged.push(one)
      for (const [at, endpoint] of one.endpoints.entries()) {
        const path = paths[at] as string
        all.push({ shop: id, endpoint, path })
        state.secrets.set(path, [secret])
        await stores.runPromise(EndpointStore.use((endpoints) => endpoints.change(id, endpoint, { standardWebhooks })))
      }
    }
    const source = designwire(sql, stores, staged)
    await source.enqueue(deliveries)
    const environment = { DATABASE_URL: url, KEY: key.toString("base64"), ORIGIN: receiver.url, SECRET: secret }
    const worker = await startWorker("./designwire.ts", environment, cleanup)
    const begin = instant()
    worker.begin()

    await arrived(0.2 * deliveries)
    const anew = await Promise.all(all.map((one) => rotated(stores, one)))
    const middle = count()
    await arrived(middle + claimedBefore)
    for (const [at, { path }] of all.entries()) state.secrets.set(path, learns(secret, anew[at] as string))
    const learnt = count()
    await Promise.all(all.map(({ endpoint, shop }) => stores.runPromise(Effect.orDie(promoteSecret(shop, endpoint)))))
    const promoted = count()
    await arrived(promoted + claimedBefore)
    for (const [at, { path }] of all.entries()) state.secrets.set(path, [anew[at] as string])
    const alone = count()
    await arrived(deliveries)
    const seconds = (instant() - begin) / 1_000
    while (!(await source.settled())) await pause(20)
    await worker.stop()

    const details = {
      perSecond: deliveries / seconds,
      rotatedAt: middle,
      learntAt: learnt,
      promotedAt: promoted,
      oldGoneAt: alone,
    }
    const title = (what: string) => `${what}, to a receiver with ${name}`
    findings.push(
      finding(title("Refused"), "deliveries", { designwire: state.refused }, { most: 0 }, details),
      finding(title("Accepted"), "deliveries", { designwire: state.accepted.size }, { least: deliveries }, details),
    )
  }
  return findings
}

await main(async () => {
  const findings = await withCleanup(measure)
  print("rotate", { findings, context: { deliveries, node: process.version } }, (bar) =>
    "least" in bar ? `≥ ${bar.least}` : `≤ ${bar.most}`,
  )
})
