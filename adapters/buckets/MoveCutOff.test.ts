/** Moves that are killed before any of their changes, and go on or back afterwards. */
import { expect, it } from "@effect/vitest"
import { Effect, Fiber, References } from "effect"
import { inject } from "vitest"
import {
  type BucketUse,
  type DatabaseName,
  newDeployment,
  replicatingServer,
  schema,
  type TestDeployment,
  useOf,
} from "../../conformance/testkit/databases/MovingBuckets.ts"
import { MoveError, move } from "./Move.ts"

const server = replicatingServer()

/** The changes of a move, in order. */
const forth = [
  ...["begin", "publish", "make the slot", "make the tables", "subscribe", "watch", "analyze"],
  ...["announce", "close", "drain", "hand over", "open", "complete"],
  ...["drop the old subscription", "drop the old slot", "drop the closed schema", "drop the old publication"],
]

/** The changes that undo a move. */
const back = [
  ...["reopen", "disable the subscription", "drop the slots", "drop the subscription", "drop the copy"],
  ...["drop the publication", "give up"],
]

/** All changes in the long form of the tests (`npm run test:all`), otherwise every fourth of them, and the switch. */
const some = (changes: ReadonlyArray<string>): ReadonlyArray<string> =>
  changes.filter((change, index) => inject("wholeMatrix") || index % 4 === 1 || switching.has(change))

const switching: ReadonlySet<string> = new Set(["close", "open", "complete", "reopen"])

/** The other database. */
const otherThan = (name: DatabaseName): DatabaseName => (name === "first" ? "second" : "first")

/** Moves the bucket, and is killed before a change: it makes no change any more. */
const killedBefore = Effect.fnUntraced(function* ({ options }: TestDeployment, to: DatabaseName, change: string) {
  // Every move begins by dropping what an earlier one has left.
  let begun = !forth.slice(-4).includes(change)
  let killed = false
  const end = yield* Effect.exit(
    move({
      ...options(to),
      onStep: (step) =>
        Effect.suspend(() => {
          begun ||= step === "complete"
          killed ||= begun && step === change
          return killed ? new MoveError({ message: "killed" }) : Effect.void
        }),
    }),
  ).pipe(Effect.provideService(References.MinimumLogLevel, "None"))
  expect([change, killed, end._tag]).toEqual([change, true, "Failure"])
})

/** Runs a command beside calls of hosts, which wait while the bucket is closed. */
const withCalls = Effect.fnUntraced(function* <A, E>(use: BucketUse, command: Effect.Effect<A, E>) {
  const calls = yield* Effect.forkChild(use.write)
  const result = yield* command
  yield* Fiber.join(calls)
  yield* use.check
  return result
})

/** Expects a bucket to be whole in a database, and no trace of a move in either. */
const expectAt = Effect.fnUntraced(function* ({ remains, whereabouts }: TestDeployment, name: DatabaseName) {
  const { database, phase } = yield* whereabouts
  expect({ database, phase }).toEqual({ database: name, phase: null })
  expect({ [name]: yield* remains(name), [otherThan(name)]: yield* remains(otherThan(name)) }).toEqual({
    [name]: [`schema ${schema}`],
    [otherThan(name)]: [],
  })
})

it.live(`the changes of a move MUST be those that the cases below kill it before`, () =>
  Effect.gen(function* () {
    const deployment = yield* newDeployment(server.url())
    const recorded = Effect.fnUntraced(function* (to: DatabaseName) {
      const steps: Array<string> = []
      yield* move({ ...deployment.options(to), onStep: (step) => Effect.sync(() => void steps.push(step)) })
      return steps
    })
    expect(new Set(yield* recorded("second"))).toEqual(
      new Set([
        ...forth.slice(-4),
        "begin",
        "reopen",
        "drop the slots",
        "drop the subscription",
        "drop the copy",
        "drop the publication",
        ...forth,
      ]),
    )
    yield* killedBefore(deployment, "first", "drain")
    expect(yield* recorded("second")).toEqual([...back, ...forth.slice(-4)])
  }).pipe(Effect.scoped),
)

it.live("a move that was killed before any change MUST be completed by the same command", () =>
  Effect.gen(function* () {
    const deployment = yield* newDeployment(server.url())
    const use = yield* useOf(deployment)
    let at: DatabaseName = "first"
    for (const change of some(forth)) {
      const to = otherThan(at)
      yield* killedBefore(deployment, to, change)
      yield* withCalls(use, move(deployment.options(to)))
      yield* expectAt(deployment, to)
      at = to
    }
  }).pipe(Effect.scoped),
)

it.live("a move that was killed before any change MUST be undone by the command back", () =>
  Effect.gen(function* () {
    const deployment = yield* newDeployment(server.url())
    const use = yield* useOf(deployment)
    for (const change of some(forth)) {
      const { epoch } = yield* deployment.whereabouts
      yield* killedBefore(deployment, "second", change)
      const result = yield* withCalls(use, move(deployment.options("first")))
      // Once the target was open, the bucket has moved there and back.
      const wasOpen = forth.indexOf(change) >= forth.indexOf("complete")
      expect([change, result]).toEqual([
        change,
        { database: "first", epoch: epoch + (wasOpen ? 2 : 0), moved: wasOpen },
      ])
      yield* expectAt(deployment, "first")
    }
  }).pipe(Effect.scoped),
)

it.live("undoing a move that was killed before any change MUST be completed, or given up, by the next command", () =>
  Effect.gen(function* () {
    const deployment = yield* newDeployment(server.url())
    const use = yield* useOf(deployment)
    let at: DatabaseName = "first"
    for (const change of some(back)) {
      for (const goesBack of [true, false]) {
        yield* killedBefore(deployment, otherThan(at), "drain")
        yield* killedBefore(deployment, at, change)
        const to: DatabaseName = goesBack ? at : otherThan(at)
        yield* withCalls(use, move(deployment.options(to)))
        yield* expectAt(deployment, to)
        at = to
      }
    }
  }).pipe(Effect.scoped),
)
