/** The calls that a case makes: what its failure is told with. */
import { Cause, Effect, Exit } from "effect"
import { show } from "../Assertion.ts"

interface Call {
  readonly number: number
  /** `DeliveryQueue.claim`, and on which host. */
  readonly what: string
  readonly given: ReadonlyArray<unknown>
  exit: Exit.Exit<unknown, unknown> | undefined
}

/** How many calls are remembered, and how many are told. */
const remembered = 200
const told = 3

/** Watches the services of a case. */
export class Calls {
  #count = 0
  #ended = false
  readonly #calls: Array<Call> = []
  /** A port that is given twice is watched once, so that cases see that it is the same. */
  readonly #watched = new Map<object, object>()

  /** The same service; what its methods are asked and answer is remembered. `where` says on which host it is. */
  watch<S extends object>(service: S, name: string, where: string): S {
    const known = this.#watched.get(service)
    // What is kept for a service is a proxy of it.
    if (known !== undefined) return known as S
    const watched = new Proxy(service, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key)
        const what = `${name}.${String(key)}${where}`
        if (Effect.isEffect(value)) return this.#record(what, [], value)
        if (typeof value !== "function") return value
        return (...given: ReadonlyArray<unknown>) => {
          const answer: unknown = Reflect.apply(value, target, given)
          return Effect.isEffect(answer) ? this.#record(what, given, answer) : answer
        }
      },
    })
    this.#watched.set(service, watched)
    return watched
  }

  /** Forgets what comes from now on. */
  readonly end = Effect.sync(() => {
    this.#ended = true
  })

  #record(what: string, given: ReadonlyArray<unknown>, effect: Effect.Effect<unknown, unknown, unknown>) {
    return Effect.suspend(() => {
      if (this.#ended) return effect
      const call: Call = { number: ++this.#count, what, given, exit: undefined }
      this.#calls.push(call)
      if (this.#calls.length > remembered) this.#calls.shift()
      return Effect.onExit(effect, (exit) =>
        Effect.sync(() => {
          call.exit = exit
        }),
      )
    })
  }

  /** Lines about the calls that have not answered, and the last that have. */
  lines(): ReadonlyArray<string> {
    const waiting = this.#calls.filter(({ exit }) => exit === undefined).slice(-told)
    const answered = this.#calls.filter(({ exit }) => exit !== undefined).slice(-told)
    return [...answered, ...waiting].map(line)
  }
}

const line = ({ exit, given, number, what }: Call): string =>
  `call ${number}: ${what}(${given.map((value) => show(value, 120)).join(", ")}) ${outcome(exit)}`

const outcome = (exit: Call["exit"]): string => {
  if (exit === undefined) return "has not answered"
  if (Exit.isSuccess(exit)) return `answered ${show(exit.value, 120)}`
  if (Cause.hasInterruptsOnly(exit.cause)) return "was interrupted"
  return `${Cause.hasDies(exit.cause) ? "died" : "failed"} with ${show(Cause.squash(exit.cause), 200)}`
}
