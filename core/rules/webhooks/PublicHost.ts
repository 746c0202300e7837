/**
 * URLs and addresses that webhooks may be sent to (§6, D34, D35, D37, D47). {@link checkUrl} judges a URL before any
 * lookup; {@link checkAddresses} judges the addresses of its name, when the endpoint is added and before every attempt
 * (D36).
 */
import { Result } from "effect"
import { IpNetwork, NetAddress } from "effect/net"
import type { RefusalReason } from "../../model/Errors.ts"
import { type HostPolicy, maximumUrl, publicOnly } from "../../model/webhooks/HostPolicy.ts"

/** Destination of an accepted URL. */
export interface Destination {
  /** The parsed URL as text. */
  readonly href: string
  readonly protocol: "https:" | "http:"
  /** A name in lower-case ASCII, or an IP address without brackets. */
  readonly host: string
  /** The scheme's default if the URL names none. */
  readonly port: number
  /**
   * `address`: `host` needs no lookup. `special`: a name that only {@link HostPolicy.allowNetworks} can make
   * acceptable.
   */
  readonly kind: "address" | "name" | "special"
}

/** Why a URL is refused: a sentence for the endpoint's owner, and its code. */
export interface UrlFault {
  readonly message: string
  readonly reason: Omit<RefusalReason, "path">
}

const fault = (code: RefusalReason["code"], message: string, value = "") =>
  Result.fail<UrlFault>({ message, reason: { code, value } })

const schemePorts = { "https:": 443, "http:": 80 } as const

/** Ports that the Fetch standard blocks, so that a webhook can't speak to another protocol's server. */
const blockedPorts: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
])

/** Names below these are not public hosts; the names themselves have too few labels or are below another one. */
const reservedNames = [
  "localhost",
  "local",
  "internal",
  "home.arpa",
  "lan",
  "test",
  "invalid",
  "example",
  "onion",
  "arpa",
]

const httpNeeds = "http is not allowed here, unless the service has allowHttp (DESIGNWIRE_ALLOW_HTTP=true)"

/** The setting that a service needs to send to an address that is not public, for the end of a sentence. */
export const networksNeed =
  "; the service can allow its network by allowNetworks (DESIGNWIRE_ALLOW_NETWORKS, e.g. 127.0.0.0/8)"

/**
 * Checks an endpoint's URL (D34) as a client would parse it, not as it is written. A failure is a sentence for the
 * endpoint's owner.
 *
 * A `name` may still have addresses that are not public: see {@link checkAddresses}.
 */
export const checkUrl = (text: string, policy: HostPolicy = publicOnly): Result.Result<Destination, string> =>
  Result.mapError(judgeUrl(text, policy), ({ message }) => message)

/** The same as {@link checkUrl}, with a code for the reason. */
export const judgeUrl = (text: string, policy: HostPolicy): Result.Result<Destination, UrlFault> => {
  const url = URL.parse(text)
  if (url === null)
    return fault("notAbsolute", "The URL can't be read as an absolute URL, e.g. https://erp.example.com/webhooks")
  const { protocol } = url
  if (protocol !== "https:" && !(protocol === "http:" && policy.allowHttp)) {
    if (policy.allowHttp) return fault("notHttp", "The URL must be https or http")
    return fault("notHttps", `The URL must be https${protocol === "http:" ? `: ${httpNeeds}` : ""}`)
  }
  if (url.href.length > maximumUrl) return fault("tooLong", `The URL must have at most ${maximumUrl} characters`)
  if (url.username !== "" || url.password !== "")
    return fault("password", "The URL must not have a user name or password")
  // An empty fragment leaves its # in the URL and nothing in `hash`.
  if (url.href.includes("#")) return fault("fragment", "The URL must not have a fragment (#)")
  const port = url.port === "" ? schemePorts[protocol] : Number(url.port)
  if (blockedPorts.has(port)) return fault("port", `The URL's port ${port} belongs to another protocol`, String(port))
  return Result.map(checkHost(url.hostname, policy), (host) => ({ href: url.href, protocol, port, ...host }))
}

const checkHost = (
  hostname: string,
  policy: HostPolicy,
): Result.Result<Pick<Destination, "host" | "kind">, UrlFault> => {
  const literal = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname
  if (Result.isSuccess(NetAddress.ipFromString(literal))) {
    const refusal = refusalOf(literal, policy)
    return refusal === undefined ? Result.succeed({ host: literal, kind: "address" }) : fault("notPublic", refusal)
  }
  const labels = hostname.split(".")
  if (hostname.length > 253 || !labels.every((label) => /^[a-z0-9_-]{1,63}$/.test(label))) {
    return fault("notPublic", "The URL's host is not a host name")
  }
  if (labels.length > 1 && !reservedNames.some((name) => hostname.endsWith(`.${name}`))) {
    return Result.succeed({ host: hostname, kind: "name" })
  }
  return policy.allowNetworks.length > 0
    ? Result.succeed({ host: hostname, kind: "special" })
    : fault("notPublic", `The URL's host ${hostname} is not a public host name${networksNeed}`)
}

/**
 * Checks all addresses of a destination's host, given as text. Every address must be public; the addresses of a
 * `special` name must be in {@link HostPolicy.allowNetworks} (D35, D37, D47). Returns them, or a sentence that names
 * the first refused address. A host without addresses is refused.
 */
export const checkAddresses = (
  destination: Pick<Destination, "host" | "kind">,
  addresses: ReadonlyArray<string>,
  policy: HostPolicy = publicOnly,
): Result.Result<ReadonlyArray<string>, string> => {
  for (const address of addresses) {
    const refusal = refusalOf(address, policy, destination.kind === "special")
    if (refusal !== undefined) return Result.fail(`${destination.host}: ${refusal}`)
  }
  return addresses.length === 0 ? Result.fail(`${destination.host} has no address`) : Result.succeed(addresses)
}

/** Why an address is refused; `undefined` if it is accepted. */
const refusalOf = (text: string, policy: HostPolicy, onlyAllowed = false): string | undefined => {
  const address = parseAddress(text)
  if (address === undefined) return `${JSON.stringify(text)} is not a public address`
  if (isIn(address, policy.denyNetworks))
    return `${JSON.stringify(text)} is in a network that is denied here (denyNetworks, DESIGNWIRE_DENY_NETWORKS)`
  if (isIn(address, policy.allowNetworks)) return undefined
  return onlyAllowed || isIn(address, policy.ownNetworks) || !isPublic(address)
    ? `${JSON.stringify(text)} is not a public address${networksNeed}`
    : undefined
}

/** IPv4 networks that D35 refuses, in its order. */
const refusedIpv4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "168.63.129.16/32",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
].map(IpNetwork.fromStringUnsafe)

/** The only part of IPv6 allocated to the public internet. */
const globalIpv6 = IpNetwork.fromStringUnsafe("2000::/3")

/** Refused networks inside {@link globalIpv6}. */
const refusedIpv6 = ["2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3ffe::/16", "3fff::/20"].map(
  IpNetwork.fromStringUnsafe,
)

/**
 * Whether an address is public (D35), or accepted or refused by a policy (D37, D47). The text must be exactly one IPv4
 * address in full decimal octets, or one IPv6 address without a zone.
 */
export const isPublicAddress = (text: string, policy: HostPolicy = publicOnly): boolean =>
  refusalOf(text, policy) === undefined

const isPublic = (address: NetAddress.IpAddress): boolean =>
  NetAddress.isIpv4Address(address)
    ? !isIn(address, refusedIpv4)
    : IpNetwork.contains(globalIpv6, address) && !isIn(address, refusedIpv6) && !isIsatap(address)

/** An IPv4-mapped IPv6 address counts as its IPv4 address, because a connection to it goes there. */
const parseAddress = (text: string): NetAddress.IpAddress | undefined =>
  Result.getOrUndefined(Result.map(NetAddress.ipFromString(text), (address) => NetAddress.toCanonical(address)))

const isIn = (address: NetAddress.IpAddress, networks: ReadonlyArray<IpNetwork.IpNetwork> = []): boolean =>
  networks.some((network) => IpNetwork.contains(network, address))

/** Whether the lower half is an ISATAP interface id, which embeds an IPv4 address to tunnel to. */
const isIsatap = (address: NetAddress.Ipv6Address): boolean => {
  const [, , , , high, low] = NetAddress.ipv6ToSegments(address)
  return (high === 0 || high === 0x200) && low === 0x5efe
}

const networksForm = "networks in CIDR form separated by commas, without host bits, e.g. 127.0.0.0/8,::1/128"

/** Parses networks such as `127.0.0.0/8,::1/128`. Fails with the accepted form. Ignores spaces around commas. */
export const parseNetworks = (text: string): Result.Result<ReadonlyArray<IpNetwork.IpNetwork>, string> => {
  const networks: Array<IpNetwork.IpNetwork> = []
  for (const part of text.split(",")) {
    const network = Result.map(IpNetwork.fromString(part.trim()), unmapped)
    if (Result.isFailure(network)) return Result.fail(networksForm)
    networks.push(network.success)
  }
  return Result.succeed(networks)
}

/** Converts a network of IPv4-mapped addresses to its IPv4 network, because such addresses are judged as IPv4. */
const unmapped = (network: IpNetwork.IpNetwork): IpNetwork.IpNetwork => {
  const address = NetAddress.toCanonical(network.address)
  return NetAddress.isIpv6Address(network.address) && NetAddress.isIpv4Address(address) && network.prefixLength >= 96
    ? IpNetwork.fromAddressUnsafe(address, network.prefixLength - 96)
    : network
}
