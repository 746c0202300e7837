import { Effect, Exit, Layer, ManagedRuntime } from "effect"
import type { Aead, Digest, Kdf, Mac, SecureRandom } from "effect/crypto"
import type { Query } from "../../adapters/connection/Query.ts"
import { InvalidInput } from "../../core/model/Errors.ts"
import { DeliverySignal } from "../../core/ports/DeliverySignal.ts"
import type { HostLookup } from "../../core/ports/HostLookup.ts"
import type { KeyRing } from "../../core/ports/KeyRing.ts"
import type { StoragePorts } from "../../core/ports/StoragePorts.ts"
import { type CallSite, type Failure, reasonFor, thrownFor } from "./Failures.ts"
import { OpenDatabase } from "./OpenDatabase.ts"
import { RestApi, unavailable } from "./RestApi.ts"

/** What every call has at hand. */
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

type Runtime = ManagedRuntime.ManagedRuntime<Services, Failure>

/** How an effect is run. */
export interface RunOptions {
  /** Whether it may run on a database whose schema is not current. */
  readonly onAnySchema?: boolean
  /** Whether {@link Engine.stop} interrupts it rather than wait for it. */
  readonly endsAtStop?: boolean
  /** A transaction of the embedder's, to be part of. */
  readonly tx?: Query | undefined
}

/** How long {@link Engine.stop} waits for calls under way. */
const patience = "10 seconds"

/**
 * Runs effects over one set of services, and a worker beside them. The services are made at the first call: whoever never calls does not connect. Where that
 * fails the next call tries again.
 */
export class Engine {
  readonly #services: Layer.Layer<Services, Failure>
  readonly #underWay = new Set<Promise<unknown>>()
  readonly #stopping = new AbortController()
  #runtime: Promise<Exit.Exit<Runtime, Failure>> | undefined
  #isCurrent = false
  #works = false
  #stopped: Promise<void> | undefined

  constructor(services: Layer.Layer<Services, Failure>) {
    this.#services = services
  }

  /** Whether {@link stop} was called. */
  get isStopped(): boolean {
    return this.#stopped !== undefined
  }

  /** Runs an effect, once the database's schema is current. Rejects with what stands for its failure, with the stack of `caller`. */
  async run<A>(effect: Effect.Effect<A, Failure, Services>, caller: CallSite, options: RunOptions = {}): Promise<A> {
    if (this.isStopped) return valueOf(Exit.interrupt(), caller)
    return valueOf(await this.#counted(this.#exitOf(effect, options)), caller)
  }

  /** Answers a request to the REST API, with 503 while the database can't be used. */
  async serve(request: Request): Promise<Response> {
    if (this.isStopped) return unavailable()
    return this.#counted(
      this.#exitOf(RestApi, {}).then((exit) => {
        if (Exit.isSuccess(exit)) return exit.value(request)
        Effect.runFork(Effect.logError(`A request can't be answered: ${reasonFor(exit.cause)}`))
        return unavailable()
      }),
    )
  }

  async #counted<A>(call: Promise<A>): Promise<A> {
    this.#underWay.add(call)
    try {
      return await call
    } finally {
      this.#underWay.delete(call)
    }
  }

  async #exitOf<A>(
    effect: Effect.Effect<A, Failure, Services>,
    { endsAtStop = false, onAnySchema = false, tx }: RunOptions,
  ): Promise<Exit.Exit<A, Failure>> {
    const opened = await this.#open()
    if (Exit.isFailure(opened)) return Exit.failCause(opened.cause)
    const ready = onAnySchema ? effect : Effect.andThen(this.#requireCurrent, effect)
    return opened.value.runPromiseExit(
      tx === undefined ? ready : inTransaction(tx, ready),
      endsAtStop ? { signal: this.#stopping.signal } : undefined,
    )
  }

  /** Schemas are not taken back: one that was current is so from then on. */
  readonly #requireCurrent = Effect.suspend(() =>
    this.#isCurrent
      ? Effect.void
      : Effect.tap(
          OpenDatabase.use(({ requireCurrent }) => requireCurrent),
          () =>
            Effect.sync(() => {
              this.#isCurrent = true
            }),
        ),
  )

  #open(): Promise<Exit.Exit<Runtime, Failure>> {
    this.#runtime ??= this.#make()
    return this.#runtime
  }

  async #make(): Promise<Exit.Exit<Runtime, Failure>> {
    const runtime = ManagedRuntime.make(this.#services)
    const built = await Effect.runPromiseExit(runtime.contextEffect)
    if (Exit.isSuccess(built)) return Exit.succeed(runtime)
    await runtime.dispose()
    this.#runtime = undefined
    return Exit.failCause(built.cause)
  }

  /** Runs a worker over the services at hand until {@link stop}; nothing where one runs. */
  async start(
    worker: Effect.Effect<Layer.Layer<never, never, Services>, Failure, Services>,
    caller: CallSite,
  ): Promise<void> {
    const layer = await this.run(worker, caller)
    const opened = await this.#open()
    if (this.isStopped || Exit.isFailure(opened)) return valueOf(Exit.interrupt(), caller)
    if (this.#works) return
    this.#works = true
    opened.value.runFork(Layer.launch(layer), { signal: this.#stopping.signal })
  }

  /** Tells workers. */
  wake(): void {
    if (this.isStopped) return
    void this.#runtime?.then((opened) => {
      if (Exit.isSuccess(opened)) opened.value.runFork(DeliverySignal.use(({ wake }) => wake))
    })
  }

  /** Ends the worker when what it attempts is settled, waits for calls under way, and releases the services. */
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
    const opened = await this.#runtime
    // The worker is one of the fibers that it waits for.
    if (opened !== undefined && Exit.isSuccess(opened)) await opened.value.dispose()
  }
}

const valueOf = <A>(exit: Exit.Exit<A, Failure>, caller: CallSite): A => {
  if (Exit.isSuccess(exit)) return exit.value
  throw thrownFor(exit.cause, caller)
}

/** Makes an effect part of a transaction of the embedder's. Fails with `InvalidInput` where that can't be. */
const inTransaction = Effect.fnUntraced(function* <A>(tx: Query, effect: Effect.Effect<A, Failure, Services>) {
  if (typeof tx !== "function") {
    return yield* invalidTransaction(
      "tx must be what fromPg, fromPostgresJs, fromDrizzle, fromKysely, fromKnex or fromPrisma make of your transaction",
    )
  }
  const { within } = yield* OpenDatabase
  return within === undefined
    ? yield* invalidTransaction(
        "tx needs a database that others can begin a transaction in: { url } or a pool of yours",
      )
    : yield* within(tx)(effect)
})

/** Why an effect can't be part of the transaction that was given. */
export const invalidTransaction = (message: string): InvalidInput =>
  new InvalidInput({ message, problems: [{ path: "tx", message }] })
