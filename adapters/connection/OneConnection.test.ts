/** The connection of a transaction, over a library whose statements a test answers by hand. */
import { expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { oneConnection, poolConnection } from "./Connection.ts"

/** A library that answers each statement when the test says so. */
const byHand = () => {
  const sent: Array<{ readonly text: string; readonly end: (error?: unknown) => void }> = []
  const query = (text: string) =>
    new Promise<ReadonlyArray<Record<string, unknown>>>((resolve, reject) => {
      sent.push({ text, end: (error) => (error === undefined ? resolve([]) : reject(error as Error)) })
    })
  return { sent, query, texts: () => sent.map(({ text }) => text) }
}

const turn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

it.live(
  "MUST run one statement at a time, also if the first is interrupted: what ends the transaction comes last",
  () =>
    Effect.gen(function* () {
      const { query, sent, texts } = byHand()
      const { execute } = oneConnection(query)
      const first = yield* Effect.forkChild(execute("INSERT", [], undefined))
      yield* turn
      const interrupted = yield* Effect.forkChild(Fiber.interrupt(first))
      const end = yield* Effect.forkChild(execute("ROLLBACK", [], undefined))
      yield* turn
      expect(texts()).toEqual(["INSERT"])
      sent[0]?.end()
      yield* Fiber.join(interrupted)
      yield* turn
      expect(texts()).toEqual(["INSERT", "ROLLBACK"])
      sent[1]?.end()
      yield* Fiber.join(end)
    }),
)

it.live("MUST send nothing over a lost connection, and fail with the error that said so", () =>
  Effect.gen(function* () {
    const { query, sent, texts } = byHand()
    const { execute } = oneConnection(query)
    const refused = yield* Effect.forkChild(Effect.flip(execute("A", [], undefined)))
    yield* turn
    sent[0]?.end(Object.assign(new Error("refused"), { code: "23505" }))
    expect((yield* Fiber.join(refused)).reason._tag).toBe("UniqueViolation")
    const lost = yield* Effect.forkChild(Effect.flip(execute("B", [], undefined)))
    yield* turn
    sent[1]?.end(Object.assign(new Error("gone"), { code: "57P01" }))
    const reason = yield* Fiber.join(lost)
    expect(reason.reason._tag).toBe("ConnectionError")
    expect(yield* Effect.flip(execute("C", [], undefined))).toBe(reason)
    expect(yield* Effect.flip(execute("D", [], undefined))).toBe(reason)
    expect(texts()).toEqual(["A", "B"])
  }),
)

it.live("Statements of a pool MUST NOT wait for each other", () =>
  Effect.gen(function* () {
    const { query, sent, texts } = byHand()
    const { execute } = poolConnection(query)
    const both = yield* Effect.forkChild(
      Effect.all([execute("A", [], undefined), execute("B", [], undefined)], { concurrency: 2 }),
    )
    yield* turn
    expect(texts()).toEqual(["A", "B"])
    for (const { end } of sent) end()
    yield* Fiber.join(both)
  }),
)
