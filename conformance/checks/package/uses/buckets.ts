import { Shops } from "designwire"
import * as Buckets from "designwire/buckets"
import * as Postgres from "designwire/postgres"
import { Effect, Redacted } from "effect"

// Nobody listens at this port.
const nowhere = Postgres.layerDatabase({ url: Redacted.make("postgres://nobody@127.0.0.1:1/none") })
const storage = Buckets.layer({ databases: { first: nowhere } })
const error = await Shops.list.pipe(Effect.provide(storage), Effect.flip, Effect.runPromise)
if (error._tag !== "StorageError") throw new Error(`The error is ${error}`)
