import { inFile, type Mutant } from "../../Mutant.ts"

/** Faults in the adapter over SQL: in how statements run: together, failing, and telling workers. */
export const statements: ReadonlyArray<Mutant> = [
  ...inFile("sql", "adapters/sql/statements/Batch.ts", [
    {
      id: "batch.transaction",
      find: "within ? Effect.map(options.run([key])",
      replace: "within && false ? Effect.map(options.run([key])",
      caughtBy: ["resources.transaction.read"],
    },
    {
      id: "batch.groups",
      find: "const groups = groupOf === undefined ? [batch]",
      replace: "const groups = groupOf !== null ? [batch]",
      caughtBy: ["resources.design.grouped"],
    },
  ]),
  ...inFile("sql", "adapters/sql/statements/Errors.ts", [
    {
      id: "errors.retryable",
      find: "isRetryable: error.isRetryable",
      replace: "isRetryable: false",
      caughtBy: ["faults.cut.shops"],
    },
    {
      id: "errors.defects",
      find: "reported(withoutDefects(effect))",
      replace: "reported(effect)",
      caughtBy: ["faults.midway.queue"],
    },
  ]),
  ...inFile("sql", "adapters/sql/queue/Signals.ts", [
    {
      id: "signals.others",
      find: "Effect.andThen(signalHere(signal), options.signalOthers(signal))",
      replace: "signalHere(signal)",
      caughtBy: ["signals.elsewhere.each"],
    },
    {
      id: "signals.alone",
      find: 'notifies ? notifying(sql, payloadOf([shop])) : sql.literal("false")',
      replace: 'sql.literal("false")',
      caughtBy: ["signals.elsewhere.each"],
    },
    {
      id: "commit.signal",
      find: "if (left && !joined) yield*",
      replace: "if (joined) yield*",
      subject: "pglite",
      caughtBy: ["signals.commit.here"],
    },
  ]),
]
