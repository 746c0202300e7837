/** Kinds of stores that make trouble between the requests of a test, and in each of them. */
import { Context, Effect, Layer, Semaphore } from "effect"
import { inject } from "vitest"
import { DeliverySignal } from "../../../core/ports/DeliverySignal.ts"
import { StorageError } from "../../../core/ports/StorageError.ts"
import type { StoragePorts } from "../../../core/ports/StoragePorts.ts"
import { TokenStore } from "../../../core/ports/TokenStore.ts"
import { Upkeep } from "../../../core/ports/Upkeep.ts"
import { pruneDeliveries } from "../../../core/usecases/webhooks/ManageDeliveries.ts"
import type { StoreKind } from "./TestHost.ts"

type Ports = Context.Context<StoragePorts>

/** What a step knows of its request. */
export interface Asked {
  /** Whether the same request may be sent again without being carried out again: it has an `Idempotency-Key`. */
  readonly hasKey: boolean
}

/** Carries out a request of a test. */
export type Step = <A extends { readonly status: number }>(request: Effect.Effect<A>, asked: Asked) => Effect.Effect<A>

/** How requests to a host are carried out: a part of its view of the store. */
export interface Trouble {
  readonly step: Step
  /** Whether each request comes to a host that has just started. */
  readonly restarts: boolean
  /** The view without the trouble, for workers, which run next to the requests. */
  readonly calm: Ports | undefined
}

const none: Trouble = { step: (request) => request, restarts: false, calm: undefined }

export const Troubles = Context.Reference<Trouble>("designwire/test/Troubles", { defaultValue: () => none })

/** The same kind, with changed ports and requests. */
const troubled = (
  kind: StoreKind,
  how: string,
  trouble: (ports: Ports) => Partial<Trouble> & { readonly ports?: Ports },
): StoreKind => ({
  name: `${kind.name}, ${how}`,
  open: Effect.map(kind.open, (store) => ({
    ...store,
    ports: Layer.effectContext(
      Effect.map(Layer.build(store.ports), (calm) => {
        const { ports = calm, ...changed } = trouble(calm)
        return Context.add(ports, Troubles, { ...none, calm, ...changed })
      }),
    ),
  })),
})

/** A store that is pruned before each request: whatever has ended by then is gone. */
const pruned = (kind: StoreKind): StoreKind =>
  troubled(kind, "pruned before each request", (ports) => ({
    step: (request) => Effect.andThen(Effect.orDie(Effect.provideContext(pruneDeliveries(), ports)), request),
  }))

/** Hosts that end after each request: whatever the next one needs must be in the store. */
const restarted = (kind: StoreKind): StoreKind =>
  troubled(kind, "by a host started for each request", () => ({ restarts: true }))

const down = new StorageError({ message: "The store of the test fails once", cause: undefined, isRetryable: true })

/** Calls that can't fail, and services that run alongside requests. */
const spared: ReadonlySet<string> = new Set([DeliverySignal.key, Upkeep.key])
const reliable: ReadonlySet<string> = new Set(["onChanged", "caughtUp"].map((name) => `${TokenStore.key}.${name}`))

type Call = Effect.Effect<unknown, unknown>

/** The same ports; `failing` runs each of their calls. */
const proxied = (ports: Ports, failing: (call: Call) => Call) =>
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
                  Effect.isEffect(answer) && !reliable.has(`${key}.${String(name)}`) ? failing(answer as Call) : answer
                if (typeof value !== "function") return changed(value)
                return (...given: ReadonlyArray<unknown>) => changed(Reflect.apply(value, target, given))
              },
            }),
      ]),
    ),
  )

/**
 * A store that fails in the first call of each request, then in its second one, and so on. Each time the answer is 503,
 * and the request is sent again. `failing` runs a call, which fails if it is that one. Requests take turns.
 */
const failingInTurn = (
  kind: StoreKind,
  how: string,
  failing: (call: Call, isThatOne: () => boolean) => Call,
  isConcerned: (asked: Asked) => boolean,
): StoreKind =>
  troubled(kind, how, (ports) => {
    /** The calls until one fails. */
    let left = Number.POSITIVE_INFINITY
    const turn = Semaphore.makeUnsafe(1)
    return {
      ports: proxied(ports, (call) => failing(call, () => --left === 0)),
      step: (request, asked) =>
        turn.withPermits(1)(
          Effect.gen(function* () {
            for (let failing = 1; ; failing++) {
              left = isConcerned(asked) ? failing : Number.POSITIVE_INFINITY
              const answer = yield* request
              const hasFailed = left <= 0
              left = Number.POSITIVE_INFINITY
              if (!hasFailed || answer.status !== 503) return answer
            }
          }),
        ),
    }
  })

/** Before it has done anything. So a test passes only if failures leave nothing behind. */
const faltering = (kind: StoreKind): StoreKind =>
  failingInTurn(
    kind,
    "failing once in each call of a request",
    (call, isThatOne) => Effect.suspend(() => (isThatOne() ? Effect.fail(down) : call)),
    () => true,
  )

/** Whether a call is part of another one, which a store with transactions carries out as a whole. */
const Within = Context.Reference<boolean>("designwire/test/Within", { defaultValue: () => false })

/**
 * After it has done everything: what was stored is there, and only the answer is lost. So a test passes only if no
 * request is carried out twice. Others than those with an `Idempotency-Key` don't promise that.
 */
const forgetful = (kind: StoreKind): StoreKind =>
  failingInTurn(
    kind,
    "losing the answer of each call once",
    (call, isThatOne) =>
      Effect.flatMap(Within, (isWithin) =>
        isWithin
          ? call
          : Effect.tap(Effect.provideService(call, Within, true), () =>
              isThatOne() ? Effect.fail(down) : Effect.void,
            ),
      ),
    ({ hasKey }) => hasKey,
  )

/** Troubles of the store alone: any number of requests can be sent so. */
export const storeTroubles = (kind: StoreKind): ReadonlyArray<StoreKind> => [
  pruned(kind),
  faltering(kind),
  forgetful(kind),
]

/** All troubles, by name. */
const everyTrouble = { pruned, faltering, forgetful, restarted }

/** The troubles of the named kinds, which meet what a file of tests is about; all of them in the whole matrix. */
export const troubles = (
  kind: StoreKind,
  ...names: ReadonlyArray<keyof typeof everyTrouble>
): ReadonlyArray<StoreKind> => {
  const wanted = inject("wholeMatrix") ? (Object.keys(everyTrouble) as typeof names) : names
  return wanted.map((name) => everyTrouble[name](kind))
}
