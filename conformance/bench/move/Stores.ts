import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Layer, ManagedRuntime, Redacted } from "effect"
import * as Buckets from "../../../adapters/buckets/index.ts"
import * as Postgres from "../../../adapters/postgres/index.ts"
import { KeyRing } from "../../../core/ports/KeyRing.ts"

/** Every storage port over the buckets of `DESIGNWIRE_DATABASES`, as hosts have them. */
export const bucketStores = (databases: string) =>
  Buckets.layer({
    databases: Object.fromEntries(
      databases.split(",").map((part) => {
        const [name = "", url = ""] = part.split(/=(.*)/s)
        return [name, Postgres.layerDatabase({ url: Redacted.make(url) })]
      }),
    ),
  })

/** The ports in this process. */
export const openStores = (databases: string, key: Buffer) =>
  ManagedRuntime.make(
    Layer.mergeAll(
      bucketStores(databases),
      NodeCrypto.layer,
      Layer.succeed(KeyRing, { keys: [Redacted.make<Uint8Array>(key)] }),
    ),
  )
export type Stores = ReturnType<typeof openStores>
