/** Records the calls of a case, to explain its failure. */
import { Cause, Effect, Exit } from "effect"
import { show } from "../Assertion.ts"

interface Call {
  readonly number: number
  /** For example `DeliveryQueue.claim`, with the host. */
  readonly what: string
  readonly given: ReadonlyArray<unknown>
  exit: Exit.Exit<unknown, unknown> | undefined
}

/** Number of recorded calls, and of reported ones. */
const remembered = 200
const told = 3

/** Records the calls to the services of a case. */
export class Calls {
  #count = 0
  #ended = false
  readonly #calls: Array<Call> = []
  /** A service that is passed twice is wrapped once, so that cases see one object. */
  readonly #watched = new Map<object, object>()

  /** The same service, recording arguments and results of its methods. `where` names the host. */
  watch<S extends object>(service: S, name: string, where: string): S {
    const known = this.#watched.get(service)
    // The stored value is a proxy of the service.
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

  /** Stops recording. */
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

  /** Lines about the calls that have not returned, and the last that have. */
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
