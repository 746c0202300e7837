/**
 * Deliveries at full speed while their signing secret is rotated, to a receiver that changes over in the middle: how many it refuses. Once to a receiver that has a list of secrets,
 * and once to one that knows a single secret, with the headers of Standard Webhooks.
 *
 * Run with `npm run bench:rotate`; the last line is JSON. `BENCH_DELIVERIES` is how many there are of each kind (10,000); `TEST_DATABASE_URL` names a Postgres server
 * to use rather than one of its own.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import process from "node:process"
import { Effect, Redacted } from "effect"
import { EndpointStore } from "../../core/ports/EndpointStore.ts"
import { promoteSecret, rotateSecret } from "../../core/usecases/ManageEndpoints.ts"
import { verifyWebhook } from "../../hosts/receiver/index.ts"
import { designwire } from "./deliver/Contenders.ts"
import { makeKeys, openStores, type Stores, stageShop } from "./deliver/Stage.ts"
import { startWorker } from "./deliver/Worker.ts"
import type { Cleanup } from "./support/Cleanup.ts"
import { instant, pause } from "./support/Clock.ts"
import { main, note, numberOf, withCleanup } from "./support/Main.ts"
import { startDatabase } from "./support/Postgres.ts"
import { type Finding, finding, print } from "./support/Report.ts"

const deliveries = numberOf("BENCH_DELIVERIES", 10_000)

/** A receiver that verifies every delivery with the secrets that it knows at that moment. */
const startReceiver = async (secrets: ReadonlyArray<string>, cleanup: Cleanup) => {
  const state = { secrets, accepted: new Set<string>(), refused: 0, by: new Map<string, number>() }
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", async () => {
      const body = Buffer.concat(chunks)
      const { headers } = request
      const result = await verifyWebhook({ secret: state.secrets, headers, body })
      response.writeHead(result.ok ? 204 : 401).end()
      if (!result.ok) state.refused++
      else state.accepted.add(result.event.id)
      const { "webhook-signature": _, ...own } = headers
      for (const secret of state.secrets) {
        if ((await verifyWebhook({ secret, headers: own, body })).ok) {
          state.by.set(secret, (state.by.get(secret) ?? 0) + 1)
        }
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  cleanup.add(async () => server.closeAllConnections())
  cleanup.add(() => new Promise((resolve) => server.close(resolve)))
  const arrived = async (part: number) => {
    while (state.accepted.size + state.refused < part * deliveries) await pause(1)
  }
  return { state, arrived, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** What a receiver does about a rotation, step by step. */
interface Kind {
  readonly name: string
  readonly standardWebhooks: boolean
  /** Once the new secret is made. */
  readonly learn: (receiver: Receiver, old: string, anew: string) => void
}

const kinds: ReadonlyArray<Kind> = [
  {
    name: "a list of secrets",
    standardWebhooks: false,
    learn: ({ state }, old, anew) => {
      state.secrets = [old, anew]
    },
  },
  {
    name: "one secret and Standard Webhooks",
    standardWebhooks: true,
    learn: ({ state }, _, anew) => {
      state.secrets = [anew]
    },
  },
]

const rotated = (stores: Stores, shop: string, endpoint: string): Promise<string> =>
  stores.runPromise(Effect.map(Effect.orDie(rotateSecret(shop, endpoint)), ({ secret }) => Redacted.value(secret)))

const measure = async (cleanup: Cleanup): Promise<ReadonlyArray<Finding>> => {
  note("Starting Postgres")
  const { sql, url } = await startDatabase(cleanup)
  const { key, secret } = makeKeys()
  const stores = openStores(url, key)
  cleanup.add(() => stores.dispose())
  const findings: Array<Finding> = []
  for (const [index, { learn, name, standardWebhooks }] of kinds.entries()) {
    note(`${deliveries} deliveries to a receiver with ${name}`)
    const receiver = await startReceiver([secret], cleanup)
    const { state } = receiver
    const staged = await stageShop(stores, `rotate${index}`, [`${receiver.url}/rotate`], secret)
    const { shop } = staged
    const endpoint = staged.endpoints[0] as string
    await stores.runPromise(EndpointStore.use((endpoints) => endpoints.change(shop.id, endpoint, { standardWebhooks })))
    const source = designwire(sql, stores, [staged])
    await source.enqueue(deliveries)
    const environment = { DATABASE_URL: url, KEY: key.toString("base64"), ORIGIN: receiver.url, SECRET: secret }
    const worker = await startWorker("./designwire.ts", environment, cleanup)
    const begin = instant()
    worker.begin()

    await receiver.arrived(0.25)
    const anew = await rotated(stores, shop.id, endpoint)
    await receiver.arrived(0.4)
    learn(receiver, secret, anew)
    await receiver.arrived(0.55)
    await stores.runPromise(Effect.orDie(promoteSecret(shop.id, endpoint)))
    await receiver.arrived(0.8)
    state.secrets = [anew]
    await receiver.arrived(1)
    const seconds = (instant() - begin) / 1_000
    while (!(await source.settled())) await pause(20)
    await worker.stop()

    const details = {
      accepted: state.accepted.size,
      perSecond: deliveries / seconds,
      signedWithTheNewOne: state.by.get(anew) ?? 0,
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
