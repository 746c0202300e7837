import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { register, storage } from "../../conformance/index.ts"
import { storageCases } from "../../conformance/suites/storage/cases.ts"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { openPostgres } from "../../conformance/testkit/databases/PostgresStore.ts"
import { StatementLog } from "../../conformance/testkit/databases/StatementLog.ts"
import { everyStatement } from "../../conformance/testkit/databases/VariantCases.ts"

const caseOf = () => expect.getState().currentTestName ?? ""
const [listed, others] = [new StatementLog(caseOf), new StatementLog(caseOf)]
const open = (log: StatementLog) => Effect.flatMap(migratedDatabase, (url) => openPostgres(url, log))

const isListed = (id: string) => everyStatement.some((name) => id === name || id.startsWith(`${name}.`))
const otherIds = storageCases.flatMap(({ id }) => (isListed(id) ? [] : id))

register(storage({ name: "storage, every statement", open: open(listed), only: everyStatement }), { describe, it })
register(storage({ name: "storage, the other cases", open: open(others), only: otherIds }), { describe, it })

it("the listed cases MUST run every statement, in every kind of transaction that the other cases run", () => {
  expect(listed.statements.size).toBeGreaterThan(150)
  expect([...others.statements].filter(([statement]) => !listed.statements.has(statement))).toEqual([])
})
