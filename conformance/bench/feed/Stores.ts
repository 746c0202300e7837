import { ManagedRuntime, Redacted } from "effect"
import * as Postgres from "../../../adapters/postgres/index.ts"

/** Designwire's ports in this process, and their client. */
export const openStores = (url: string) =>
  ManagedRuntime.make(Postgres.layer({ url: Redacted.make(url), maxConnections: 8 }))
export type Stores = ReturnType<typeof openStores>
