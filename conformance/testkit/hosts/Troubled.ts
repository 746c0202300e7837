/** Kinds of stores that make trouble between the requests of a test, and in each of them. */
import { Context, Effect, Layer, Semaphore } from "effect"
import { DeliverySignal } from "../../../core/ports/DeliverySignal.ts"
import { StorageError } from "../../../core/ports/StorageError.ts"
import type { StoragePorts } from "../../../core/ports/StoragePorts.ts"
import { TokenStore } from "../../../core/ports/TokenStore.ts"
import { Upkeep } from "../../../core/ports/Upkeep.ts"
import { pruneDeliveries } from "../../../core/usecases/webhooks/ManageDeliveries.ts"
import type { StoreKind } from "./TestHost.ts"

/** Carries out a request of a test. */
export type Step = <A extends { readonly status: number }>(request: Effect.Effect<A>) => Effect.Effect<A>

/** How requests to a host are carried out: a part of its view of the store. */
export const Stepping = Context.Reference<Step>("designwire/test/Stepping", {
  defaultValue: () => (request) => request,
})

type Ports = Context.Context<StoragePorts>

/** The same kind, with changed ports and requests. */
const troubled = (
  kind: StoreKind,
  how: string,
  trouble: (ports: Ports) => { readonly ports: Ports; readonly step: Step },
): StoreKind => ({
  name: `${kind.name}, ${how}`,
  open: Effect.map(kind.open, (store) => ({
    ...store,
    ports: Layer.effectContext(
      Effect.map(Layer.build(store.ports), (built) => {
        const { ports, step } = trouble(built)
        return Context.add(ports, Stepping, step)
      }),
    ),
  })),
})

/** A store that is pruned before each request: whatever has ended by then is gone. */
const pruned = (kind: StoreKind): StoreKind =>
  troubled(kind, "pruned before each request", (ports) => ({
    ports,
    step: (request) => Effect.andThen(Effect.orDie(Effect.provideContext(pruneDeliveries(), ports)), request),
  }))

const down = new StorageError({ message: "The store of the test fails once", cause: undefined, isRetryable: true })

/** Calls that can't fail, and services that run beside requests. */
const spared: ReadonlySet<string> = new Set([DeliverySignal.key, Upkeep.key])
const reliable: ReadonlySet<string> = new Set(["onChanged", "caughtUp"].map((name) => `${TokenStore.key}.${name}`))

/** The same ports; `failing` runs each of their calls. */
const proxied = (ports: Ports, failing: (call: Effect.Effect<unknown, unknown>) => Effect.Effect<unknown, unknown>) =>
  Context.makeUnsafe<StoragePorts>(
    new Map(
      [...ports.mapUnsafe].map(([key, service]: [string, object]) => [
        key,
        spared.has(key)
          ? service
          : new Proxy(service, {
              get: (target, name) => {
                const value: unknown = Reflect.get(target, name)
                const changed = (answer: unknown) =>
                  Effect.isEffect(answer) && !reliable.has(`${key}.${String(name)}`)
                    ? failing(answer as Effect.Effect<unknown, unknown>)
                    : answer
                if (typeof value !== "function") return changed(value)
                return (...given: ReadonlyArray<unknown>) => changed(Reflect.apply(value, target, given))
              },
            }),
      ]),
    ),
  )

/**
 * A store that fails before each request is carried out: in its first call, then in its second one, and so on. Each
 * time the answer is 503, and the request is sent again. So a test passes only if failures leave nothing behind.
 * Requests take turns.
 */
const faltering = (kind: StoreKind): StoreKind =>
  troubled(kind, "failing once in each call of a request", (ports) => {
    /** The calls until one fails. */
    let left = Number.POSITIVE_INFINITY
    const turn = Semaphore.makeUnsafe(1)
    return {
      ports: proxied(ports, (call) => Effect.suspend(() => (--left === 0 ? Effect.fail(down) : call))),
      step: (request) =>
        turn.withPermits(1)(
          Effect.gen(function* () {
            for (let failing = 1; ; failing++) {
              left = failing
              const answer = yield* request
              const hasFailed = left <= 0
              left = Number.POSITIVE_INFINITY
              if (!hasFailed || answer.status !== 503) return answer
            }
          }),
        ),
    }
  })

/** Both, over the store in memory. */
export const troubles = (kind: StoreKind): ReadonlyArray<StoreKind> => [pruned(kind), faltering(kind)]
