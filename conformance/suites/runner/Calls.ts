/** Records the calls of a case, to explain its failure and for reports. */
import { Cause, Effect, Exit, Redacted } from "effect"
import { isPlainObject } from "../../../core/model/json/Json.ts"
import { printableLines } from "../../../core/model/log/Printable.ts"
import { show } from "../Assertion.ts"

interface Call {
  readonly number: number
  /** For example `DeliveryQueue.claim`, with the host. */
  readonly what: string
  readonly given: ReadonlyArray<unknown>
  exit: Exit.Exit<unknown, unknown> | undefined
}

/** The last calls of a case, without secrets: what it asked, and what was answered. */
export interface Heard {
  /** Number of calls. */
  readonly calls: number
  readonly exchanges: ReadonlyArray<{ readonly asked: string; readonly answered: string }>
}

/** Number of recorded calls, of those that explain a failure, and of those in reports. */
const remembered = 200
const told = 3
const kept = 10

/** Tokens and signing secrets by their form, because reports end up in logs. */
const secretForms = /(cmz_|whsec_)[\w+/=-]+/g

/** Fields of answers that have the secrets of a service whose tokens have another form. */
const secretFields = ["token", "secret"]

/** Records the calls to the services of a case. */
export class Calls {
  #count = 0
  #ended = false
  readonly #calls: Array<Call> = []
  /** A service that is passed twice is wrapped once, so that cases see one object. */
  readonly #watched = new Map<object, object>()
  readonly #secrets: Array<string> = []

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
          if (Exit.isSuccess(exit)) this.#remember(exit.value)
        }),
      )
    })
  }

  /** Remembers the secrets of an answer, which none may repeat. */
  #remember(answer: unknown): void {
    if (!isPlainObject(answer)) return
    for (const field of secretFields) {
      const found = answer[field]
      const secret = Redacted.isRedacted(found) ? Redacted.value(found) : found
      if (typeof secret === "string" && secret !== "") this.#secrets.push(secret)
    }
  }

  /** A text without the secrets that the case has come to know, and without any of the known form. */
  clean(text: string): string {
    return this.#secrets.reduce((rest, secret) => rest.replaceAll(secret, "…"), text.replace(secretForms, "$1…"))
  }

  /** Lines about the calls that have not returned, and the last that have. */
  lines(): ReadonlyArray<string> {
    const waiting = this.#calls.filter(({ exit }) => exit === undefined).slice(-told)
    const answered = this.#calls.filter(({ exit }) => exit !== undefined).slice(-told)
    return [...answered, ...waiting].map((call) => `${this.#asked(call, 120)} ${this.#outcome(call, 120)}`)
  }

  /** The last calls, for a report. */
  heard(): Heard {
    const exchanges = this.#calls.slice(-kept).map((call) => ({
      asked: printableLines(this.#asked(call, 300)),
      answered: printableLines(this.#outcome(call, 300)),
    }))
    return { calls: this.#count, exchanges }
  }

  #asked({ given, number, what }: Call, limit: number): string {
    return `call ${number}: ${what}(${given.map((value) => this.#show(value, limit)).join(", ")})`
  }

  #outcome({ exit }: Call, limit: number): string {
    if (exit === undefined) return "has not answered"
    if (Exit.isSuccess(exit)) return `answered ${this.#show(exit.value, limit)}`
    if (Cause.hasInterruptsOnly(exit.cause)) return "was interrupted"
    return `${Cause.hasDies(exit.cause) ? "died" : "failed"} with ${this.#show(Cause.squash(exit.cause), limit + 80)}`
  }

  /** Without secrets before it is cut, which could leave a part of one. */
  #show(value: unknown, limit: number): string {
    const text = this.clean(show(value, Number.POSITIVE_INFINITY))
    return text.length > limit ? `${text.slice(0, limit)}…` : text
  }
}
