import { Data, Effect } from "effect"
import { missingPackages } from "../../adapters/support/Packages.ts"

/** Packages that an installation may leave out, and that are needed now. */
export class PackagesMissing extends Data.TaggedError("PackagesMissing")<{ readonly message: string }> {}

/** The optional packages of a Postgres server. */
export const postgresPackages = ["@effect/sql-pg"] as const

/** The optional packages of the embedded database. */
export const embeddedPackages = [...postgresPackages, "@electric-sql/pglite", "@electric-sql/pglite-socket"] as const

/** The optional packages of the settings app. */
export const settingsPackages = ["preact", "preact-render-to-string"] as const

/** The optional packages of delivering. */
export const workerPackages = ["@effect/platform-node", "undici"] as const

/** Loads packages which an installation may leave out, and a module that needs them. `who` begins the sentence that names those that are missing. */
export const load = <A>(
  module: () => Promise<A>,
  who: string,
  packages: ReadonlyArray<string>,
): Effect.Effect<A, PackagesMissing> =>
  Effect.tryPromise({ try: module, catch: (cause) => cause }).pipe(
    Effect.catch((cause) => {
      const message = missingPackages(packages, who)
      return message === undefined ? Effect.die(cause) : new PackagesMissing({ message })
    }),
  )
