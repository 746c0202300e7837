import { Shops } from "designwire"
import { fromPgPool, layerStores } from "designwire/connection"
import { Effect } from "effect"

const refuse = () => Promise.reject(new Error("down"))
const pool = fromPgPool({ query: refuse, connect: refuse })
const error = await Shops.list.pipe(Effect.provide(layerStores(pool)), Effect.flip, Effect.runPromise)
if (error._tag !== "StorageError") throw new Error(`The error is ${error}`)
