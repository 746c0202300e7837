import { Shops } from "designwire"
import * as Memory from "designwire/memory"
import { Effect } from "effect"

const shops = await Shops.list.pipe(Effect.provide(Memory.layer), Effect.runPromise)
if (shops.length !== 0) throw new Error("A new store has shops")
