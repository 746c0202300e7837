import type postgres from "postgres"
import type { Cleanup } from "../support/Cleanup.ts"
import type { Receiver } from "./Receiver.ts"
import type { Stores } from "./Stage.ts"

/** Shared resources of all parts of the benchmark. */
export interface Bench {
  readonly sql: postgres.Sql
  readonly stores: Stores
  readonly receiver: Receiver
  /** The signing secret of all endpoints. */
  readonly secret: string
  /** Configuration of a worker's process. */
  readonly environment: Readonly<Record<string, string>>
  readonly cleanup: Cleanup
}
