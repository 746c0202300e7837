/** Whether the statements of a migration only add to the schema, so that hosts which don't know it continue. */

const table = /^(?:ALTER TABLE|CREATE (?:UNIQUE )?INDEX (?:IF NOT EXISTS )?\w+ ON) designwire\.(\w+)/

/**
 * One column: nullable, or with a constant for rows of hosts that don't know it. `now()` is one for the rows that are
 * there: Postgres writes none of them again.
 */
const column =
  /^ADD COLUMN \w+ \w+(?:\(\d+\))?(?:\[\])?(?: COLLATE "C")?(?:(?: NOT NULL)? DEFAULT (?:'[^']*'|-?\d+|true|false|now\(\)))?$/

const isIndex = (statement: string): boolean => statement.startsWith("CREATE INDEX IF NOT EXISTS ")

/** A trigger that needs a column of the migration: rows of hosts that don't know it never set it off. */
const isTriggerOf = (statement: string, statements: ReadonlyArray<string>): boolean => {
  const column = /^CREATE TRIGGER \w+ AFTER .*\sWHEN \(OLD\.(\w+) IS NOT NULL AND /s.exec(statement)?.[1]
  return column !== undefined && statements.some((each) => each.includes(`ADD COLUMN ${column} `))
}

const isAddition = (statement: string): boolean => {
  if (/^CREATE (?:TABLE|VIEW|FUNCTION|SEQUENCE) /.test(statement)) return true
  if (isIndex(statement)) return true
  const [, actions] = /^ALTER TABLE designwire\.\w+ (.*)$/s.exec(statement) ?? []
  return actions?.split(/,\s*(?=ADD |ALTER |DROP |RENAME )/).every((action) => column.test(action)) === true
}

/**
 * The statements of a migration that older hosts may not continue alongside. A migration may do anything to its own
 * tables, and change one other table: holding the lock of one while it waits for the next could stop hosts that hold
 * the next. An index of another table is in a migration of its own, so that it is built without a lock.
 */
export const beyondExpanding = (statements: ReadonlyArray<string>): ReadonlyArray<string> => {
  const own = new Set(statements.map((each) => /^CREATE TABLE designwire\.(\w+)/.exec(each)?.[1]))
  const others = statements.map((each) => table.exec(each)?.[1]).filter((name) => name !== undefined && !own.has(name))
  return statements.filter((statement) => {
    const changed = table.exec(statement)?.[1]
    if (changed === undefined) return !(isAddition(statement) || isTriggerOf(statement, statements))
    if (own.has(changed)) return false
    if (isIndex(statement) && !statements.every(isIndex)) return true
    return !isAddition(statement) || changed !== others[0]
  })
}
