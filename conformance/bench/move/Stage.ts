/** Everything that a part of the benchmark runs beside its moves. */
import type { StagedShop } from "../deliver/Events.ts"
import { type Receiver, startReceiver } from "../deliver/Receiver.ts"
import { makeKeys, stageShop } from "../deliver/Stage.ts"
import { startWorker } from "../deliver/Worker.ts"
import type { Cleanup } from "../support/Cleanup.ts"
import { note } from "../support/Main.ts"
import { type Deployment, shopIds, startDeployment } from "./Deployment.ts"
import { fill } from "./Fill.ts"
import { type Host, startHost } from "./Host.ts"
import { openStores } from "./Stores.ts"
import type { Pace } from "./Writers.ts"

/** A deployment with a filled bucket, a host, a worker, and the receiver of its webhooks. */
export interface Stage {
  readonly deployment: Deployment
  readonly shops: ReadonlyArray<StagedShop>
  readonly receiver: Receiver
  readonly host: Host
  /** Rows that the bucket was filled with. */
  readonly filled: number
}

/** Shops of the bucket that moves. Each has an endpoint whose answers take a tenth of a second. */
const shopCount = 4

/** Starts everything, with about `rows` rows in the bucket. The writers wait for `begin`. */
export const startStage = async (
  cleanup: Cleanup,
  { pace, rows, settings }: { readonly rows: number; readonly pace: Pace; readonly settings?: ReadonlyArray<string> },
): Promise<Stage> => {
  note("Starting two servers")
  const deployment = await startDeployment(cleanup, settings)
  const { key, secret } = makeKeys()
  const receiver = await startReceiver(secret, cleanup)
  const stores = openStores(deployment.databases, key)
  cleanup.add(() => stores.dispose())
  const shops: Array<StagedShop> = []
  for (const id of shopIds(shopCount)) shops.push(await stageShop(stores, id, [`${receiver.url}/soon/${id}`], secret))
  await stores.dispose()
  note(`Filling the bucket with ${rows} rows`)
  const filled = await fill(deployment.sql.first, shops, rows)
  const environment = { DATABASES: deployment.databases, KEY: key.toString("base64") }
  const worker = await startWorker("../move/worker.ts", environment, cleanup)
  worker.begin()
  const host = await startHost(
    environment,
    shops.map(({ shop }) => shop),
    pace,
    cleanup,
  )
  return { deployment, shops, receiver, host, filled }
}
