import { Data, Effect } from "effect"
import { missingPackages } from "../../adapters/support/Packages.ts"

/** Optional packages that a call needs are not installed. */
export class PackagesMissing extends Data.TaggedError("PackagesMissing")<{ readonly message: string }> {}

/** Loads a module that needs optional packages. `who` begins the sentence that names the missing ones. */
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
