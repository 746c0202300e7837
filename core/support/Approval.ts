import { Effect, Exit, Function, Result } from "effect"
import { IpNetwork } from "effect/net"
import type { HostPolicy, UrlOfShop } from "../model/webhooks/HostPolicy.ts"
import {
  checkAddresses,
  type Destination,
  judgeUrl,
  networksNeed,
  type UrlFault,
} from "../rules/webhooks/PublicHost.ts"
import { BoundedMap } from "./BoundedMap.ts"

/** A URL that may be connected to, at these addresses only. */
export interface Approved {
  readonly destination: Destination
  readonly addresses: ReadonlyArray<string>
}

/** A URL that may not be connected to. */
export interface NotApproved extends UrlFault {
  readonly _tag: "NotApproved"
  /** The found address that is refused, in a sentence for the log. */
  readonly found?: string
}

/** Number of URLs to remember. */
const maximumUrls = 10_000

/**
 * Returns a function that judges the URL of a shop's endpoint and every address of its name (D34–D37). `lookup` is
 * called for names only.
 *
 * A verdict is reused while `lookup` returns the same array of addresses and the policy has the same array of own
 * networks; both are compared at each call.
 */
export const makeApprove = <E>(
  policy: HostPolicy,
  lookup: (name: string) => Effect.Effect<ReadonlyArray<string>, E>,
) => {
  type Approval = Effect.Effect<Approved, NotApproved | E>

  const approvalOf = ({ shop, url }: UrlOfShop): (() => Approval) => {
    const isException = policy.exceptions?.some((exception) => exception.shop === shop && exception.url === url)
    const judge = isException === true ? anything : policy
    const parsed = judgeUrl(url, judge)
    if (Result.isFailure(parsed)) return Function.constant(refusal(parsed.failure))
    const destination = parsed.success
    const verdictOn = (found: ReadonlyArray<string>): Exit.Exit<Approved, NotApproved> =>
      Result.match(checkAddresses(destination, found, judge), {
        onFailure: (message) => {
          if (found.length === 0) return refusal({ message, reason: { code: "notFound" } })
          const fault: UrlFault = { message, reason: { code: "notPublic" } }
          return destination.kind === "address" ? refusal(fault) : refusalOfFound(destination, fault)
        },
        onSuccess: (addresses) => Exit.succeed({ destination, addresses }),
      })
    if (destination.kind === "address") return Function.constant(verdictOn([destination.host]))
    let last: { readonly found: ReadonlyArray<string>; readonly verdict: Exit.Exit<Approved, NotApproved> } | undefined
    return () =>
      Effect.flatMapEager(lookup(destination.host), (found) => {
        if (last?.found !== found) last = { found, verdict: verdictOn(found) }
        return last.verdict
      })
  }

  const known = new BoundedMap<string, { readonly own: HostPolicy["ownNetworks"]; readonly approve: () => Approval }>(
    maximumUrls,
  )
  return (url: UrlOfShop): Approval => {
    const key = policy.exceptions === undefined ? url.url : `${url.shop} ${url.url}`
    const own = policy.ownNetworks
    let one = known.get(key)
    if (one === undefined || one.own !== own) {
      one = { own, approve: approvalOf(url) }
      known.set(key, one)
    }
    return one.approve()
  }
}

/** The policy of an exception: its URL was named in full. */
const anything: HostPolicy = { allowNetworks: ["0.0.0.0/0", "::/0"].map(IpNetwork.fromStringUnsafe), allowHttp: true }

const refusal = (fault: UrlFault): Exit.Exit<never, NotApproved> => Exit.fail({ _tag: "NotApproved", ...fault })

/** Which addresses a private name has is not for owners of shops to learn. */
const refusalOfFound = ({ host }: Destination, { message: found, reason }: UrlFault): Exit.Exit<never, NotApproved> =>
  Exit.fail({
    _tag: "NotApproved",
    message: `The URL's host ${host} has an address that webhooks may not be sent to${networksNeed}`,
    reason,
    found,
  })
