import { Effect, type Result } from "effect"
import type { HostPolicy } from "../model/HostPolicy.ts"
import { checkAddresses, checkUrl, type Destination } from "./PublicHost.ts"

/** A URL that may be connected to, at these addresses and no others. */
export interface Approved {
  readonly destination: Destination
  readonly addresses: ReadonlyArray<string>
}

/** A URL that may not be connected to, with a sentence for the endpoint's owner. */
export interface NotApproved {
  readonly _tag: "NotApproved"
  readonly message: string
}

/** Judges a URL, and every address that its name has according to `lookup`, which is asked for names only (D34–D36). */
export const approve = <E>(
  url: string,
  policy: HostPolicy,
  lookup: (name: string) => Effect.Effect<ReadonlyArray<string>, E>,
): Effect.Effect<Approved, NotApproved | E> =>
  Effect.gen(function* () {
    const destination = yield* refuseWith(checkUrl(url, policy))
    const found = destination.kind === "address" ? [destination.host] : yield* lookup(destination.host)
    const addresses = yield* refuseWith(checkAddresses(destination, found, policy))
    return { destination, addresses }
  })

const refuseWith = <A>(result: Result.Result<A, string>): Effect.Effect<A, NotApproved> =>
  Effect.mapError(Effect.fromResult(result), (message): NotApproved => ({ _tag: "NotApproved", message }))
