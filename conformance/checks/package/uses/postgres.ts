import { Shops } from "designwire"
import * as Postgres from "designwire/postgres"
import { Effect, Redacted } from "effect"

// Nobody listens at this port.
const nowhere = Postgres.layer({ url: Redacted.make("postgres://nobody@127.0.0.1:1/none") })
const error = await Shops.list.pipe(Effect.provide(nowhere), Effect.flip, Effect.runPromise)
if (error._tag !== "StorageError") throw new Error(`The error is ${error}`)
