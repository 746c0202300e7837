/** Refusals of buckets, and how calls fail that can't be made elsewhere. */
import { Effect } from "effect"
import { StorageError } from "../../core/ports/StorageError.ts"
import { causeCodeOf } from "../sql/statements/Reason.ts"
import type { Bucket } from "./BucketMap.ts"
import type { Database } from "./Databases.ts"

/**
 * A table, function or schema does not exist: the name of a bucket's schema changes when the bucket is moved away. If a
 * shop is moved away, its bucket refuses changes of the shop with the same code.
 */
export const isRefusal = (error: unknown): error is StorageError =>
  error instanceof StorageError && ["42P01", "42883", "3F000"].includes(causeCodeOf(error.cause) ?? "")

/** A refusal within an outer transaction. The cause stays, so that the owner of the transaction sees the refusal. */
export const movedWithin = (database: Database, { cause }: StorageError) =>
  Effect.fail(
    new StorageError({
      message:
        `The shop, or its bucket, is moved away from its place in the database ${database.name}: ` +
        "roll the transaction back, then try again",
      cause,
      isRetryable: true,
    }),
  )

/** SQLSTATE for a transaction that has no part in this database. */
const noBranch = "25005"

/** A transaction of another database than the shop's. */
export const elsewhere = (database: Database, open: Database) =>
  Effect.fail(
    new StorageError({
      message:
        `The shop is in the database ${database.name}, and the transaction is in ${open.name}: ` +
        "no transaction spans two databases. Nothing was stored",
      cause: Object.assign(new Error("The transaction is in another database"), { code: noBranch }),
      isRetryable: false,
    }),
  )

/** The databases are not migrated. */
export const noDirectory = Effect.fail(
  new StorageError({
    message: 'There is no directory of buckets: run "designwire migrate"',
    cause: undefined,
    isRetryable: false,
  }),
)

/** The directory has a database that the configuration lacks. */
export const unknownDatabase = (bucket: Bucket, databases: ReadonlyArray<Database>) =>
  Effect.fail(
    new StorageError({
      message:
        `The directory has a bucket in the database ${JSON.stringify(bucket.database)}, which this host does not know: ` +
        `it has ${databases.map(({ name }) => name).join(", ")}. Name it in DESIGNWIRE_DATABASES`,
      cause: undefined,
      isRetryable: false,
    }),
  )
