/** Which shop is in which cell: the map that proxies route by, and hosts serve by. */
import { defaultPrefix } from "../../../core/api/Prefix.ts"
import { addressOf, fitsHost, generalAddress, shopPart } from "../../../core/model/webhooks/PublicAddress.ts"

/** The cell of each shop, and everything that is wrong with the text, as sentences. */
export interface Places {
  readonly places: ReadonlyMap<string, string>
  readonly problems: ReadonlyArray<string>
}

/**
 * Parses a map: a shop and its cell on each line, as HAProxy reads them, or with a semicolon, as nginx does. Empty
 * lines and comments behind # are left out.
 */
export const parsePlaces = (text: string): Places => {
  const places = new Map<string, string>()
  const problems: Array<string> = []
  for (const [index, line] of text.split("\n").entries()) {
    const content = line.replace(/#.*/, "").trim()
    if (content === "") continue
    const found = /^([a-z0-9][a-z0-9-]{0,62})\s+([A-Za-z0-9._-]+)\s*;?$/.exec(content)
    const [, shop = "", cell = ""] = found ?? []
    if (found === null) problems.push(`line ${index + 1} is not a shop and a cell`)
    else if (places.has(shop)) problems.push(`${shop} is in ${places.get(shop)} and in ${cell}`)
    else places.set(shop, cell)
  }
  return { places, problems }
}

/** Forms of the map. */
export const formats = ["nginx", "haproxy", "envoy"] as const

/**
 * The map in the form of a proxy, sorted by shop. nginx and HAProxy take the shop from addresses themselves; the routes
 * for Envoy have the addresses, by the public one, which may name the shop.
 */
export const formatPlaces = (
  places: ReadonlyMap<string, string>,
  format: (typeof formats)[number],
  publicUrl?: string,
): string => {
  const sorted = [...places].sort(([one], [other]) => (one < other ? -1 : 1))
  switch (format) {
    case "haproxy":
      return sorted.map(([shop, cell]) => `${shop} ${cell}\n`).join("")
    case "nginx":
      return sorted.map(([shop, cell]) => `${shop} ${cell};\n`).join("")
    case "envoy":
      return `${JSON.stringify(routes(sorted, publicUrl), null, 2)}\n`
  }
}

type Placed = readonly [shop: string, cell: string]

/** A file of routes (RDS), which Envoy reads again when it is replaced. */
const routes = (sorted: ReadonlyArray<Placed>, publicUrl: string | undefined) => ({
  resources: [
    {
      "@type": "type.googleapis.com/envoy.config.route.v3.RouteConfiguration",
      name: "designwire",
      ...virtualHosts(sorted, publicUrl),
    },
  ],
})

const virtualHosts = (sorted: ReadonlyArray<Placed>, publicUrl = "") => {
  const named = shopPart(publicUrl)
  if (named === undefined) return { virtual_hosts: [{ ...allHosts, routes: sorted.map(asFirstPart) }] }
  // Paths come to hosts without what precedes their own.
  const start = new URL(addressOf(generalAddress(publicUrl), "shop")).pathname.replace(/\/$/, "")
  const pages = {
    ...allHosts,
    routes: sorted.flatMap((placed) => [...ofApi(placed, publicUrl), ...ofPages(placed, start)]),
  }
  if (named === "path") return { virtual_hosts: [pages] }
  const hosts = [...new Set(sorted.map(([, cell]) => cell))].map((cluster) => ({
    name: `designwire ${cluster}`,
    domains: sorted.flatMap(([shop, cell]) =>
      cell === cluster && fitsHost(shop) ? new URL(addressOf(publicUrl, shop)).hostname : [],
    ),
    routes: [{ match: { prefix: `${start}/` }, route: { cluster, ...(start === "" ? {} : { prefix_rewrite: "/" }) } }],
  }))
  return { ignore_port_in_host_matching: true, virtual_hosts: [...hosts.filter(hasDomain), pages] }
}

const allHosts = { name: "designwire", domains: ["*"] }

/** Envoy takes no virtual host without a domain. */
const hasDomain = ({ domains }: { readonly domains: ReadonlyArray<string> }): boolean => domains.length > 0

/** Every path of a shop begins with its id, which the host does not get. */
const asFirstPart = ([shop, cluster]: Placed) => ({
  match: { path_separated_prefix: `/${shop}` },
  route: { cluster, regex_rewrite: { pattern: { regex: `^/${shop}/?` }, substitution: "/" } },
})

/** The REST API, if its path names the shop: the host takes the shop from it. */
const ofApi = ([shop, cluster]: Placed, publicUrl: string) =>
  shopPart(publicUrl) === "host"
    ? []
    : [
        {
          match: { path_separated_prefix: new URL(addressOf(publicUrl, shop)).pathname + defaultPrefix },
          route: { cluster },
        },
      ]

/** The paths that name the shop anyway. */
const ofPages = ([shop, cluster]: Placed, start: string) =>
  ["/manage/v1/shops", "/settings", "/ingest/shopify", "/ingest/woocommerce"].map((path) => ({
    match: { path_separated_prefix: `${start}${path}/${shop}` },
    route: { cluster, ...(start === "" ? {} : { prefix_rewrite: `${path}/${shop}` }) },
  }))
