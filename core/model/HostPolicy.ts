import type { IpNetwork } from "effect/net"

/** Exceptions to what is public, off by default (D37). */
export interface HostPolicy {
  /** Networks whose addresses count as public. A name all of whose addresses lie in them need not be a public name. */
  readonly allowNetworks: ReadonlyArray<IpNetwork.IpNetwork>
  /** Whether `http:` is accepted beside `https:`. */
  readonly allowHttp: boolean
}

/** Nothing but the public internet over `https:` (§6). */
export const publicOnly: HostPolicy = { allowNetworks: [], allowHttp: false }
