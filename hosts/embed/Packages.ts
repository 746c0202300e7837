import { Data, Effect } from "effect"
import { missingPackages, otherRuntime } from "../../adapters/support/Packages.ts"

/** Something that a call needs is not there: optional packages, or Node. */
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

/** Fails on Bun and Deno. `who` begins the sentence. */
export const requireNode = (who: string): Effect.Effect<void, PackagesMissing> =>
  Effect.suspend(() => {
    const message = otherRuntime(who)
    return message === undefined ? Effect.void : new PackagesMissing({ message })
  })
