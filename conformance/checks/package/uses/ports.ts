import { Shops } from "designwire"
import { ShopStore, StorageError } from "designwire/ports"
import { Effect } from "effect"

const down = Effect.fail(new StorageError({ message: "down", cause: undefined, isRetryable: true }))
const store = ShopStore.of({
  ...{
    find: () => down,
    isComplete: () => down,
    list: () => down,
    mark: () => down,
    put: () => down,
    remove: () => down,
  },
})
const error = await Shops.get("acme").pipe(Effect.provideService(ShopStore, store), Effect.flip, Effect.runPromise)
if (!(error instanceof StorageError)) throw new Error(`The error is ${error}`)
