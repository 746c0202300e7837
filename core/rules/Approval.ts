import { Effect, type Result } from "effect"
import { IpNetwork } from "effect/net"
import type { HostPolicy, UrlOfShop } from "../model/HostPolicy.ts"
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

/** Judges the URL of a shop's endpoint, and every address that its name has according to `lookup`, which is asked for names only (D34–D37). */
export const approve = <E>(
  { shop, url }: UrlOfShop,
  policy: HostPolicy,
  lookup: (name: string) => Effect.Effect<ReadonlyArray<string>, E>,
): Effect.Effect<Approved, NotApproved | E> =>
  Effect.gen(function* () {
    const isException = policy.exceptions?.some((exception) => exception.shop === shop && exception.url === url)
    const judge = isException === true ? anything : policy
    const destination = yield* refuseWith(checkUrl(url, judge))
    const found = destination.kind === "address" ? [destination.host] : yield* lookup(destination.host)
    const addresses = yield* refuseWith(checkAddresses(destination, found, judge))
    return { destination, addresses }
  })

/** What an exception is judged by: it was named in full. */
const anything: HostPolicy = { allowNetworks: ["0.0.0.0/0", "::/0"].map(IpNetwork.fromStringUnsafe), allowHttp: true }

const refuseWith = <A>(result: Result.Result<A, string>): Effect.Effect<A, NotApproved> =>
  Effect.mapError(Effect.fromResult(result), (message): NotApproved => ({ _tag: "NotApproved", message }))
