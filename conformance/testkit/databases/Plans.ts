/** The plans of statements, as they were carried out. */
import { Effect } from "effect"
import { SqlClient, Statement } from "effect/sql"

/** A part of a plan that was carried out. */
export interface PlanPart {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Actual Rows": number
  readonly "Actual Loops": number
  readonly "Rows Removed by Filter"?: number
  readonly Plans?: ReadonlyArray<PlanPart>
}

/** The texts and values of the statements that a call makes. */
export const statementsOf = Effect.fnUntraced(function* <E, R>(call: Effect.Effect<unknown, E, R>) {
  const statements: Array<readonly [text: string, values: ReadonlyArray<unknown>]> = []
  const noting: Statement.Transformer = (statement) =>
    Effect.sync(() => {
      statements.push(statement.compile())
      return statement
    })
  yield* Effect.provideService(call, Statement.CurrentTransformer, noting)
  return statements
})

const partsOf = (part: PlanPart): ReadonlyArray<PlanPart> => [part, ...(part.Plans ?? []).flatMap(partsOf)]

/** Carries statements out, and returns all parts of their plans. */
export const planned = Effect.fnUntraced(function* (
  statements: ReadonlyArray<readonly [text: string, values: ReadonlyArray<unknown>]>,
) {
  const sql = yield* SqlClient.SqlClient
  const plans = yield* Effect.forEach(statements, ([text, values]) =>
    sql.unsafe<{ readonly "QUERY PLAN": readonly [{ readonly Plan: PlanPart }] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
      values,
    ),
  )
  return plans.flat().flatMap(({ "QUERY PLAN": [{ Plan }] }) => partsOf(Plan))
})
