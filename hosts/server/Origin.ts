import type { IncomingMessage } from "node:http"
import { Result } from "effect"
import { IpNetwork, NetAddress } from "effect/net"

/** The origin of a connection. */
export interface Origin {
  /** An IPv4 address, or the network of an IPv6 address: one machine has all addresses of its network. */
  readonly key: string
  readonly isProxy: boolean
}

/** The origin of a connection from an address, as Node writes it; `undefined` if the connection is gone. */
export const originOf = (
  remoteAddress: string | undefined,
  proxies: ReadonlyArray<IpNetwork.IpNetwork>,
): Origin | undefined => {
  // Without the zone of a link-local address.
  const parsed = NetAddress.ipFromString((remoteAddress ?? "").replace(/%.*/, ""))
  if (Result.isFailure(parsed)) return undefined
  const address = NetAddress.toCanonical(parsed.success)
  return {
    key: NetAddress.isIpv4Address(address)
      ? NetAddress.formatIp(address)
      : IpNetwork.format(IpNetwork.fromAddressUnsafe(address, 64)),
    isProxy: proxies.some((network) => IpNetwork.contains(network, address)),
  }
}

/**
 * The origin of a request. A proxy's request comes from the last address in `X-Forwarded-For` that is not a proxy's:
 * clients can write the addresses before it. `undefined` if the proxy names no client, or the connection is gone.
 */
export const clientOf = (
  { headers, socket }: Pick<IncomingMessage, "headers" | "socket">,
  proxies: ReadonlyArray<IpNetwork.IpNetwork>,
): string | undefined => {
  const connected = originOf(socket.remoteAddress, proxies)
  if (connected?.isProxy !== true) return connected?.key
  const forwarded = String(headers["x-forwarded-for"] ?? "").split(",")
  for (const text of forwarded.reverse()) {
    const origin = originOf(text.trim(), proxies)
    if (origin?.isProxy !== true) return origin?.key
  }
  return undefined
}
