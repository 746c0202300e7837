import type { Effect, Scope } from "effect"

/** One requirement, as a program that fails if it is not met. */
export interface Case<R = never> {
  /** Stable: it never changes, and is never given to another case. */
  readonly id: string
  /** "MUST …" */
  readonly title: string
  /** Ids of `designwire/conformance/requirements`; none where the case is about the harness. */
  readonly requirements: ReadonlyArray<string>
  /** The ports that it calls, by name. */
  readonly ports: ReadonlyArray<string>
  /** The capabilities without which it is left out. */
  readonly needs?: ReadonlyArray<string>
  /** The capability whose lack it is for: what must happen instead. */
  readonly without?: string
  /** Looks at what all others share: nothing else runs at the same time. */
  readonly alone?: boolean
  /** Takes long; runs only where slow cases are asked for. */
  readonly slow?: boolean
  /** Milliseconds that it may take, {@link defaultTimeoutMs} if nothing is said. */
  readonly timeoutMs?: number
  /** Needs the live clock. */
  readonly run: Effect.Effect<void, unknown, R | Scope.Scope>
}

/** Milliseconds that a case may take. */
export const defaultTimeoutMs = 60_000
