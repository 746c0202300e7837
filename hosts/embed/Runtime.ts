import { Effect, Exit, Layer, ManagedRuntime } from "effect"
import type { Aead, Digest, Kdf, Mac, SecureRandom } from "effect/crypto"
import type { Query } from "../../adapters/connection/Query.ts"
import type { ActiveSpan } from "../../adapters/opentelemetry/ApiTracer.ts"
import { logged } from "../../core/model/log/LogEvent.ts"
import { DeliverySignal } from "../../core/ports/DeliverySignal.ts"
import type { HostLookup } from "../../core/ports/HostLookup.ts"
import type { KeyRing } from "../../core/ports/KeyRing.ts"
import type { StoragePorts } from "../../core/ports/StoragePorts.ts"
import { BoundedMap } from "../../core/support/BoundedMap.ts"
import { LinkedSet } from "../../core/support/LinkedSet.ts"
import { type CallSite, type Failure, invalidTransaction, reasonFor, thrownFor } from "./Failures.ts"
import { layerLog } from "./Log.ts"
import { RestApi, unavailable } from "./RestApi.ts"
import { OpenDatabase } from "./Stores.ts"
import { inSpan } from "./Telemetry.ts"

/** The services that every call uses. */
export type Services =
  | StoragePorts
  | OpenDatabase
  | KeyRing
  | RestApi
  | HostLookup
  | Aead.Aead
  | Digest.Digest
  | Kdf.Kdf
  | Mac.Mac
  | SecureRandom.SecureRandom

type OpenedServices = ManagedRuntime.ManagedRuntime<Services, Failure>

/** How an effect is run. */
export interface RunOptions {
  /** Whether it may run on a database whose schema is not current. */
  readonly onAnySchema?: boolean
  /** Whether {@link Runtime.stop} interrupts it rather than wait for it. */
  readonly endsAtStop?: boolean
  /** The embedder's transaction to run in. */
  readonly tx?: Query | undefined
}

/** Milliseconds between two lines about requests that are not answered for the same reason. */
const interval = 60_000

/** How long {@link Runtime.stop} waits for calls under way. */
const patience = "10 seconds"

/**
 * Runs effects over one set of services, and a worker alongside them. The first call opens the services, so nothing
 * connects before it; if that fails, the next call tries again.
 */
export class Runtime {
  readonly #services: Layer.Layer<Services, Failure>
  readonly #background: Effect.Effect<never, never, Services>
  readonly #activeSpan: () => ActiveSpan | undefined
  readonly #underWay = new LinkedSet<Promise<unknown>>()
  readonly #stopping = new AbortController()
  readonly #unanswered = new BoundedMap<string, { readonly loggedAt: number; readonly requests: number }>(100)
  #opened: Promise<Exit.Exit<OpenedServices, Failure>> | undefined
  #isCurrent = false
  /** Aborted once a newer version has migrated the database. */
  #outdated = new AbortController()
  #isWorking = false
  #stopped: Promise<void> | undefined

  /**
   * `background` runs from the first call on a current schema until {@link stop}. `activeSpan` returns the span of the
   * application at a call.
   */
  constructor(
    services: Layer.Layer<Services, Failure>,
    background: Effect.Effect<never, never, Services>,
    activeSpan: () => ActiveSpan | undefined = () => undefined,
  ) {
    this.#services = services
    this.#background = Effect.withTracerEnabled(background, false)
    this.#activeSpan = activeSpan
  }

  /** Whether {@link stop} was called. */
  get isStopped(): boolean {
    return this.#stopped !== undefined
  }

  /** Runs an effect if the database's schema is current. Rejects with the public error, with the stack of `caller`. */
  async run<A>(
    effect: Effect.Effect<A, Failure, Services>,
    caller: CallSite,
    { endsAtStop = false, onAnySchema = false, tx }: RunOptions = {},
  ): Promise<A> {
    if (this.isStopped) return valueOf(Exit.interrupt(), caller)
    const ready = onAnySchema ? effect : Effect.andThen(this.#requireCurrent, effect)
    const joined =
      tx === undefined
        ? ready
        : Effect.andThen(
            requireQuery(tx),
            OpenDatabase.use(({ within }) => within(tx)(ready)),
          )
    const signal = endsAtStop ? this.#stopping.signal : undefined
    const traced = inSpan(this.#activeSpan())(joined)
    return valueOf(await this.#counted(this.#exitOf(traced, signal)), caller)
  }

  /** Answers a request to the REST API, with 503 while the database can't be used. */
  async serve(request: Request): Promise<Response> {
    if (this.isStopped) return unavailable()
    const active = this.#activeSpan()
    return this.#counted(
      this.#exitOf(Effect.andThen(this.#requireCurrent, RestApi)).then((exit) => {
        if (Exit.isSuccess(exit)) return exit.value(request, active)
        this.#logUnanswered(reasonFor(exit.cause))
        return unavailable()
      }),
    )
  }

  /** Logs why a request is not answered: once a minute for the same reason, with the number of requests. */
  #logUnanswered(reason: string): void {
    const now = performance.now()
    const { loggedAt, requests } = this.#unanswered.get(reason) ?? { loggedAt: Number.NEGATIVE_INFINITY, requests: 0 }
    const isDue = now >= loggedAt + interval
    if (isDue) {
      const others = requests === 0 ? "" : `, nor could ${requests} since the last time`
      const line = Effect.logError(`A request can't be answered${others}: ${reason}`).pipe(logged("http.unanswered"))
      // The services may not be there.
      Effect.runFork(Effect.provide(line, layerLog))
    }
    this.#unanswered.set(reason, isDue ? { loggedAt: now, requests: 0 } : { loggedAt, requests: requests + 1 })
  }

  async #counted<A>(call: Promise<A>): Promise<A> {
    const link = this.#underWay.add(call)
    try {
      return await call
    } finally {
      this.#underWay.remove(link)
    }
  }

  async #exitOf<A>(
    effect: Effect.Effect<A, Failure, Services>,
    signal?: AbortSignal | undefined,
  ): Promise<Exit.Exit<A, Failure>> {
    const opened = await this.#open()
    if (Exit.isFailure(opened)) return Exit.failCause(opened.cause)
    return opened.value.runPromiseExit(effect, { signal })
  }

  /** Checks the schema until it is current, and again once a newer version may have migrated it. */
  readonly #requireCurrent = Effect.suspend(() =>
    this.#isCurrent
      ? Effect.void
      : Effect.tap(
          OpenDatabase.use(({ requireCurrent }) => requireCurrent),
          () =>
            Effect.promise(async () => {
              if (this.#isCurrent) return
              this.#isCurrent = true
              const opened = await this.#open()
              if (Exit.isFailure(opened) || this.isStopped) return
              const outdated = new AbortController()
              this.#outdated = outdated
              const signal = AbortSignal.any([this.#stopping.signal, outdated.signal])
              opened.value.runFork(this.#background, { signal })
              opened.value.runFork(this.#endIfNewer(outdated), { signal: this.#stopping.signal })
            }),
        ),
  )

  /** Ends the worker once this version can't continue with a newer schema. Calls then fail with `NotMigrated`. */
  #endIfNewer(outdated: AbortController) {
    return OpenDatabase.use(({ untilNewer }) => untilNewer).pipe(
      Effect.catch(({ message }) => Effect.logError(message).pipe(logged("store.replaced"))),
      Effect.andThen(
        Effect.sync(() => {
          this.#isCurrent = false
          this.#isWorking = false
          outdated.abort()
        }),
      ),
    )
  }

  #open(): Promise<Exit.Exit<OpenedServices, Failure>> {
    this.#opened ??= this.#make()
    return this.#opened
  }

  async #make(): Promise<Exit.Exit<OpenedServices, Failure>> {
    const runtime = ManagedRuntime.make(this.#services)
    const built = await Effect.runPromiseExit(runtime.contextEffect)
    if (Exit.isSuccess(built)) return Exit.succeed(runtime)
    await runtime.dispose()
    this.#opened = undefined
    return Exit.failCause(built.cause)
  }

  /** Runs a worker over the services until {@link stop}. Does nothing if one is running. */
  async start(
    worker: Effect.Effect<Layer.Layer<never, never, Services>, Failure, Services>,
    caller: CallSite,
  ): Promise<void> {
    const layer = await this.run(worker, caller)
    const opened = await this.#open()
    if (this.isStopped || Exit.isFailure(opened)) return valueOf(Exit.interrupt(), caller)
    if (this.#isWorking) return
    this.#isWorking = true
    const signal = AbortSignal.any([this.#stopping.signal, this.#outdated.signal])
    opened.value.runFork(Layer.launch(layer), { signal })
  }

  /** Wakes the workers. */
  wake(): void {
    if (this.isStopped) return
    void this.#opened?.then((opened) => {
      if (Exit.isSuccess(opened)) opened.value.runFork(DeliverySignal.use(({ wake }) => wake))
    })
  }

  /** Ends the worker once its attempts are settled, waits for calls under way, and releases the services. */
  stop(): Promise<void> {
    this.#stopped ??= this.#end()
    return this.#stopped
  }

  async #end(): Promise<void> {
    this.#stopping.abort()
    await Effect.runPromise(
      Effect.timeoutOption(
        Effect.promise(() => Promise.allSettled(this.#underWay)),
        patience,
      ),
    )
    const opened = await this.#opened
    // This waits for the worker too: it is one of the fibers.
    if (opened !== undefined && Exit.isSuccess(opened)) await opened.value.dispose()
  }
}

const valueOf = <A>(exit: Exit.Exit<A, Failure>, caller: CallSite): A => {
  if (Exit.isSuccess(exit)) return exit.value
  throw thrownFor(exit.cause, caller)
}

/** Refuses a `tx` that can't be a transaction: a caller without types may pass anything. */
const requireQuery = (tx: unknown) =>
  typeof tx === "function"
    ? Effect.void
    : invalidTransaction(
        "tx must be what fromPg, fromPostgresJs, fromDrizzle, fromKysely, fromKnex or fromPrisma make of your " +
          "transaction",
      )
