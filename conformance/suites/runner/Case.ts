import type { Effect, Scope } from "effect"

/** One requirement as a program that fails if the requirement is not met. */
export interface Case<R = never> {
  /** Stable: it never changes and is never reused for another case. */
  readonly id: string
  /** "MUST …" */
  readonly title: string
  /** Ids of `designwire/conformance/requirements`; none for cases about the harness. */
  readonly requirements: ReadonlyArray<string>
  /** Names of the ports that it calls. */
  readonly ports: ReadonlyArray<string>
  /** Required capabilities; without them the case is skipped. */
  readonly needs?: ReadonlyArray<string>
  /** The missing capability that it is for: what must happen instead. */
  readonly without?: string
  /** Looks at state that all cases share, so it runs alone. */
  readonly alone?: boolean
  /** Takes long; runs only if slow cases are requested. */
  readonly slow?: boolean
  /** Timeout in milliseconds. Default: {@link defaultTimeoutMs}. */
  readonly timeoutMs?: number
  /** Needs the live clock. */
  readonly run: Effect.Effect<void, unknown, R | Scope.Scope>
}

/** Default timeout of a case in milliseconds. */
export const defaultTimeoutMs = 60_000
