import { Cause, type Context, Effect, Fiber, Option, RcRef, Scope } from "effect"
import { AssertionFailed, show } from "../Assertion.ts"
import { Calls, type Heard } from "./Calls.ts"
import { type Case, defaultTimeoutMs } from "./Case.ts"
import { CaseFailed, caseFailed } from "./CaseFailed.ts"
import { CaseSkipped } from "./CaseSkipped.ts"

/** A case of a suite, ready to run. */
export interface SuiteCase extends Required<Omit<Case, "run" | "without">> {
  /** Why it is skipped: what it needs and the subject lacks. */
  readonly leftOut: string | undefined
  /** Fails with the problem, or with the reason why it can't be judged. */
  readonly run: Effect.Effect<void, CaseFailed | CaseSkipped>
}

/** Cases about one subject. `register` passes them to a test runner, `check` runs them itself. */
export interface Suite {
  readonly name: string
  readonly cases: ReadonlyArray<SuiteCase>
}

/** Selects cases of a suite. */
export interface Selection {
  /** Only cases whose id is one of these, or starts with one of these and a dot. */
  readonly only?: ReadonlyArray<string>
  /** Include slow cases. */
  readonly slow?: boolean
  /** Cases to skip, by id or its beginning, with the reason. */
  readonly skip?: Readonly<Record<string, string>>
}

/** Ingredients of a suite. */
interface SuiteOptions<R> {
  readonly name: string
  readonly cases: ReadonlyArray<Case<R>>
  readonly selection: Selection
  /** Capabilities that the subject lacks, and why. */
  readonly lacks: Readonly<Record<string, string | undefined>>
  /**
   * Opens what cases share and returns the services of each case, with recorded calls. Used once for cases that run
   * alone, and once for the others.
   */
  readonly open: Effect.Effect<(each: Case<R>, calls: Calls) => Context.Context<R>, unknown, Scope.Scope>
  /** Receives what a case asked and was answered, once it has ended. */
  readonly hear?: ((id: string, heard: Heard) => void) | undefined
}

/** Builds a suite. Throws if `only` or `skip` names an unknown case. */
export const makeSuite = <R>({ cases, hear, lacks, name, open, selection }: SuiteOptions<R>): Suite => {
  const wanted = select(cases, selection).filter(({ without }) => without === undefined || lacks[without] !== undefined)
  const skip = Object.entries(selection.skip ?? {})
  const leftOut = ({ id, needs = [] }: Case<R>): string | undefined => {
    const asked = skip.flatMap(([name, reason]) => (isNamed(name, id) ? reason : []))
    const reasons = [...asked, ...needs.flatMap((capability) => lacks[capability] ?? [])]
    return reasons.length === 0 ? undefined : reasons.join("; ")
  }
  const ready = (alone: boolean): ReadonlyArray<SuiteCase> => {
    const some = wanted.filter((each) => (each.alone ?? false) === alone)
    const using = shared(open, some.filter((each) => leftOut(each) === undefined).length)
    return some.map((each) => ({
      id: each.id,
      title: each.title,
      requirements: each.requirements,
      ports: each.ports,
      needs: each.needs ?? [],
      alone,
      slow: each.slow ?? false,
      timeoutMs: each.timeoutMs ?? defaultTimeoutMs,
      leftOut: leftOut(each),
      run: using(each.id, (subjects) => runCase(each, subjects, hear)),
    }))
  }
  return { name, cases: [...ready(false), ...ready(true)] }
}

/** Whether a name matches a case: its id, or the beginning of it. */
const isNamed = (name: string, id: string): boolean => id === name || id.startsWith(`${name}.`)

const select = <R>(
  cases: ReadonlyArray<Case<R>>,
  { only, skip = {}, slow = false }: Selection,
): ReadonlyArray<Case<R>> => {
  const names = [...(only ?? []), ...Object.keys(skip)]
  const unknown = names.find((name) => !cases.some(({ id }) => isNamed(name, id)))
  if (unknown !== undefined) {
    const groups = [...new Set(cases.map(({ id }) => id.split(".")[0]))]
    throw new Error(`There is no case ${unknown}: ids begin with ${groups.join(", ")}`)
  }
  return cases.filter(
    ({ id, slow: isSlow = false }) => (slow || !isSlow) && (only?.some((name) => isNamed(name, id)) ?? true),
  )
}

/**
 * A resource that several cases share, opened for the first of them and closed when all have ended. Test runners may
 * skip cases; then it is closed when nothing has used it for a second.
 */
const shared = <A>(open: Effect.Effect<A, unknown, Scope.Scope>, cases: number) => {
  const scope = Scope.makeUnsafe()
  const ref = Effect.runSync(RcRef.make({ acquire: open, idleTimeToLive: "1 second" }).pipe(Scope.provide(scope)))
  const ended = new Set<string>()
  return (id: string, use: (opened: A) => Effect.Effect<void, CaseFailed | CaseSkipped>) =>
    RcRef.get(ref).pipe(
      Effect.catchCause((cause) => Effect.fail(notOpened(cause))),
      Effect.flatMap(use),
      Effect.scoped,
      Effect.ensuring(
        Effect.suspend(() => {
          ended.add(id)
          if (ended.size < cases) return Effect.void
          ended.clear()
          return RcRef.invalidate(ref)
        }),
      ),
    )
}

const notOpened = (cause: Cause.Cause<unknown>): CaseFailed =>
  new CaseFailed({ message: `the harness did not open: ${show(Cause.squash(cause))}` })

/** Runs a case within its timeout, even if it can't be interrupted. */
const runCase = Effect.fnUntraced(function* <R>(
  each: Case<R>,
  subjects: (each: Case<R>, calls: Calls) => Context.Context<R>,
  hear: SuiteOptions<R>["hear"],
) {
  const calls = new Calls()
  const { timeoutMs = defaultTimeoutMs } = each
  const late = new AssertionFailed({ message: `has not ended within ${timeoutMs} ms` })
  const running = yield* Effect.forkDetach(
    // Cleaning up afterwards does not belong to the failure.
    Effect.scoped(Effect.onExit(Effect.provideContext(each.run, subjects(each, calls)), () => calls.end)),
  )
  yield* Fiber.join(running).pipe(
    Effect.timeoutOrElse({
      duration: timeoutMs,
      orElse: () => Effect.andThen(Effect.forkDetach(Fiber.interrupt(running)), Effect.fail(late)),
    }),
    Effect.catchCause((cause) => {
      const error = Option.getOrUndefined(Cause.findErrorOption(cause))
      return Effect.fail(error instanceof CaseSkipped ? error : caseFailed(each, cause, calls))
    }),
    Effect.ensuring(Effect.sync(() => hear?.(each.id, calls.heard()))),
  )
})
