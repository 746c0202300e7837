/** Migrations alongside hosts that serve: how long they keep others waiting, and how often they try again. */
import { Context } from "effect"

/** How long a migration waits for tables that others use. */
export interface Patience {
  /**
   * Milliseconds to wait for one table. Statements of hosts queue behind the migration meanwhile. Autovacuum gives way
   * after a second.
   */
  readonly lock: number
  /** Seconds to wait after each try that came to nothing. */
  readonly pauses: ReadonlyArray<number>
}

/** The patience of migrations: with it they try for about six minutes. */
export const MigrationPatience = Context.Reference<Patience>("designwire/sql/MigrationPatience", {
  defaultValue: () => ({ lock: 2_000, pauses: [1, 1, 2, 4, 8, 15, ...Array.from({ length: 10 }, () => 30)] }),
})
