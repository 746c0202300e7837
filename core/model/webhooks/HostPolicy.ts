import type { IpNetwork } from "effect/net"

/** The URL of an endpoint has at most this many characters, and so has its token URL (D34, D55). */
export const maximumUrl = 2048

/** An operator's exceptions to what is public, none by default (D37), and further refusals (D47). */
export interface HostPolicy {
  /** Networks whose addresses count as public. A name all of whose addresses lie in them need not be a public name. */
  readonly allowNetworks: ReadonlyArray<IpNetwork.IpNetwork>
  /** Networks that are refused, allowed ones too. Default: none. */
  readonly denyNetworks?: ReadonlyArray<IpNetwork.IpNetwork>
  /** Networks of this machine itself: refused unless allowed. Default: none. If they change, this is another array. */
  readonly ownNetworks?: ReadonlyArray<IpNetwork.IpNetwork>
  /** Whether `http:` is accepted alongside `https:`. */
  readonly allowHttp: boolean
  /** URLs that one shop may use as they are, whatever the rest says. Default: none. */
  readonly exceptions?: ReadonlyArray<UrlOfShop>
}

/** A URL to send webhooks of a shop to. */
export interface UrlOfShop {
  readonly shop: string
  readonly url: string
}

/** Nothing but the public internet over `https:` (§6). */
export const publicOnly: HostPolicy = { allowNetworks: [], allowHttp: false }
