/** Which shop is in which cell: the map that proxies route by, and hosts serve by. */

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

/** The map in the form of a proxy, sorted by shop. */
export const formatPlaces = (places: ReadonlyMap<string, string>, format: (typeof formats)[number]): string => {
  const sorted = [...places].sort(([one], [other]) => (one < other ? -1 : 1))
  switch (format) {
    case "haproxy":
      return sorted.map(([shop, cell]) => `${shop} ${cell}\n`).join("")
    case "nginx":
      return sorted.map(([shop, cell]) => `${shop} ${cell};\n`).join("")
    case "envoy":
      return `${JSON.stringify(routes(sorted), null, 2)}\n`
  }
}

/** A file of routes (RDS), which Envoy reads again when it is replaced: the first part of a path is the shop. */
const routes = (sorted: ReadonlyArray<readonly [shop: string, cell: string]>) => ({
  resources: [
    {
      "@type": "type.googleapis.com/envoy.config.route.v3.RouteConfiguration",
      name: "designwire",
      virtual_hosts: [
        {
          name: "designwire",
          domains: ["*"],
          routes: sorted.map(([shop, cluster]) => ({
            match: { path_separated_prefix: `/${shop}` },
            route: { cluster, regex_rewrite: { pattern: { regex: `^/${shop}/?` }, substitution: "/" } },
          })),
        },
      ],
    },
  ],
})
