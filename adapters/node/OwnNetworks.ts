import { networkInterfaces } from "node:os"
import { Option, Result } from "effect"
import { IpNetwork, NetAddress } from "effect/net"
import type { HostPolicy } from "../../core/model/webhooks/HostPolicy.ts"

/** Milliseconds for which the addresses of the interfaces are remembered: they may change while a process runs. */
const memory = 5_000

/** A policy that also refuses the current addresses of this machine's own interfaces, unless they are allowed (D47). */
export const withOwnNetworks = (
  policy: HostPolicy,
  interfaces: typeof networkInterfaces = networkInterfaces,
): HostPolicy => {
  let known: ReadonlyArray<IpNetwork.IpNetwork> = []
  let until = Number.NEGATIVE_INFINITY
  return {
    ...policy,
    get ownNetworks() {
      const now = performance.now()
      if (now >= until) {
        known = [...(policy.ownNetworks ?? []), ...networksOf(interfaces)]
        until = now + memory
      }
      return known
    },
  }
}

const networksOf = (interfaces: typeof networkInterfaces): ReadonlyArray<IpNetwork.IpNetwork> =>
  Object.values(interfaces())
    .flatMap((addresses = []) => addresses)
    // The zone does not matter: no webhook may go to an address with one.
    .flatMap(({ address }) => Option.toArray(Result.getSuccess(NetAddress.ipFromString(address.replace(/%.*$/, "")))))
    .map((address) => NetAddress.toCanonical(address))
    .map((address) => IpNetwork.fromAddressUnsafe(address, NetAddress.isIpv4Address(address) ? 32 : 128))
