import type { Query } from "../../adapters/connection/Query.ts"

/** The last argument of every method that changes something. */
export interface InTransaction {
  /**
   * An open transaction of yours in the database of this service, e.g. `fromPg(client)`: the change, its events and
   * their deliveries are committed or rolled back with it. After an error the transaction is as it was before the call.
   * Call {@link Designwire.wake} after the commit if nothing listens.
   */
  readonly tx?: Query
  /**
   * The person for whom you call, 1 to 255 characters: the name of the change's actor in {@link Audit.list} and in the
   * settings app. Default: your application, as `application`.
   */
  readonly actor?: string
}
