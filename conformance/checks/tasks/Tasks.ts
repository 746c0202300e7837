/** The tasks: each folder alongside this file that has a `task.md`. */
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import type { Attempt, Check } from "./Attempt.ts"

export const names: ReadonlyArray<string> = readdirSync(import.meta.dirname)
  .filter((name) => existsSync(join(import.meta.dirname, name, "task.md")))
  .toSorted()

/** A task's own code. */
export interface Task {
  readonly check: Check
  /** Makes files in a new folder that depend on the package. */
  readonly prepare?: (attempt: Attempt) => Promise<void>
  /** Programs that its solution needs alongside Node. */
  readonly needs?: ReadonlyArray<string>
}

/** The path of a task's files. */
export const folderOf = (name: string, ...rest: ReadonlyArray<string>): string => {
  if (names.includes(name)) return join(import.meta.dirname, name, ...rest)
  throw new Error(`There is no task ${name}. The tasks are ${names.join(", ")}`)
}

export const taskOf = (name: string): Promise<Task> => import(`${folderOf(name)}/check.ts`)
