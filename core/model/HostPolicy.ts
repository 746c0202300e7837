import type { IpNetwork } from "effect/net"

/** What an operator makes of what is public: exceptions, off by default (D37), and what is refused beside (D47). */
export interface HostPolicy {
  /** Networks whose addresses count as public. A name all of whose addresses lie in them need not be a public name. */
  readonly allowNetworks: ReadonlyArray<IpNetwork.IpNetwork>
  /** Networks that are refused, allowed ones too. None where it is left out. */
  readonly denyNetworks?: ReadonlyArray<IpNetwork.IpNetwork>
  /** Where this machine itself is: refused unless allowed. None where it is left out. It may change with time, and is another array then. */
  readonly ownNetworks?: ReadonlyArray<IpNetwork.IpNetwork>
  /** Whether `http:` is accepted beside `https:`. */
  readonly allowHttp: boolean
  /** URLs that one shop may use as they are, whatever the rest says. None where it is left out. */
  readonly exceptions?: ReadonlyArray<UrlOfShop>
}

/** A URL that webhooks of a shop are to be sent to. */
export interface UrlOfShop {
  readonly shop: string
  readonly url: string
}

/** Nothing but the public internet over `https:` (§6). */
export const publicOnly: HostPolicy = { allowNetworks: [], allowHttp: false }
