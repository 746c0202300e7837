import { describe, expect, it } from "vitest"
import { compareAddress, compareCell, withoutMap } from "./CompareCell.ts"
import { formatPlaces, formats, parsePlaces } from "./Places.ts"
import { placesOf } from "./PlacesOf.ts"

const cell = (open: ReadonlyArray<string>, leaving: ReadonlyArray<string> = [], left: ReadonlyArray<string> = []) => ({
  ...{ open, leaving, left },
})

describe("The proxies' map", () => {
  it("MUST have every shop in the cell where it is open, or which it is just leaving (D95)", () => {
    const cells = new Map([
      ["first", cell(["b", "a"], ["c"], ["d"])],
      ["second", cell(["d"])],
    ])
    const { places, problems } = placesOf(cells)
    expect(problems).toEqual([])
    expect(formatPlaces(places, "haproxy")).toBe("a first\nb first\nc first\nd second\n")
    expect(formatPlaces(places, "nginx")).toBe("a first;\nb first;\nc first;\nd second;\n")
    const envoy = JSON.parse(formatPlaces(places, "envoy"))
    const [{ match, route }] = envoy.resources[0].virtual_hosts[0].routes
    expect([match.path_separated_prefix, route.cluster]).toEqual(["/a", "first"])
  })

  /** The virtual hosts for Envoy, their domains, and what is matched and rewritten there. */
  const envoyHosts = (publicUrl: string) => {
    const places = new Map([
      ["a", "first"],
      ["b-", "second"],
    ])
    const [{ virtual_hosts, ...rest }] = JSON.parse(formatPlaces(places, "envoy", publicUrl)).resources
    expect(rest.ignore_port_in_host_matching).toBe(publicUrl.startsWith("https://{shop}") ? true : undefined)
    return virtual_hosts.map(
      ({ domains, routes }: { domains: unknown; routes: ReadonlyArray<Record<string, object>> }) => [
        domains,
        ...routes.map(({ match, route }) => Object.values({ ...match, ...route }).join(" ")),
      ],
    )
  }

  it("MUST have the paths of each shop for Envoy if a path of the public address names it (D95)", () => {
    expect(envoyHosts("https://example.com/{shop}")).toEqual([
      [
        ["*"],
        ...["/a/api/v1 first", "/manage/v1/shops/a first", "/settings/a first"],
        ...["/ingest/shopify/a first", "/ingest/woocommerce/a first"],
        ...["/b-/api/v1 second", "/manage/v1/shops/b- second", "/settings/b- second"],
        ...["/ingest/shopify/b- second", "/ingest/woocommerce/b- second"],
      ],
    ])
    const [[, api, managing]] = envoyHosts("https://example.com/designs/{shop}")
    expect([api, managing]).toEqual(["/designs/a/api/v1 first", "/designs/manage/v1/shops/a first /manage/v1/shops/a"])
  })

  it("MUST have the hosts of the shops for Envoy if the host of the public address names them (D95)", () => {
    const [first, others, ...rest] = envoyHosts("https://{shop}.example.com:8443")
    expect(first).toEqual([["a.example.com"], "/ first"])
    expect(others.slice(0, 3)).toEqual([["*"], "/manage/v1/shops/a first", "/settings/a first"])
    expect(rest).toEqual([])
    expect(envoyHosts("https://{shop}.example.com/designs")[0]).toEqual([["a.example.com"], "/designs/ first /"])
  })

  it("MUST refuse a shop that is in two cells, or in none (D95)", () => {
    const cells = new Map([
      ["first", cell(["a"], [], ["b"])],
      ["second", cell(["a"])],
    ])
    expect(placesOf(cells).problems).toEqual([
      expect.stringContaining("a is in two cells, first and second"),
      "b has moved from first, and is in none of these cells",
    ])
  })

  it.each(formats.filter((format) => format !== "envoy"))("MUST be read by hosts as %s reads it (D94)", (format) => {
    const places = new Map([
      ["acme", "first"],
      ["globex-2", "cell_2.eu"],
    ])
    expect(parsePlaces(`# made by a command\n\n${formatPlaces(places, format)}`)).toEqual({ places, problems: [] })
  })

  it("MUST be refused by hosts with every line that is none, and with a shop that has two cells (D94)", () => {
    expect(parsePlaces("a first\nb\na second\nUpper first\n").problems).toEqual([
      "line 2 is not a shop and a cell",
      "a is in first and in second",
      "line 4 is not a shop and a cell",
    ])
  })
})

describe("A cell's database", () => {
  const places = new Map([
    ["a", "first"],
    ["b", "second"],
    ["c", "first"],
  ])

  it("MUST have the shops that the map places in the cell (D94)", () => {
    expect(compareCell(cell(["a"], ["c"], ["b"]), "first", places)).toEqual({
      verdict: "ok",
      sentence: "has the 1 shops that the map places in first",
    })
  })

  it("MUST NOT have a shop that the map places elsewhere, lack one, or have one that left it (D94)", () => {
    const { sentence, verdict } = compareCell(cell(["b"], [], ["a"]), "first", places)
    expect(verdict).toBe("WRONG")
    expect(sentence).toMatch(/^b: here, but .*\. a: moved to another cell, .*\. c: placed here by the map/)
  })

  it("MUST be told apart from an old copy: without a map, a note says that nothing protects from one (D94)", () => {
    expect(withoutMap(cell(["a"]))).toBeUndefined()
    expect(withoutMap(cell(["a"], [], ["b"]))).toMatchObject({
      verdict: "note",
      sentence: expect.stringMatching(/^b moved to another cell/),
    })
  })

  it("MUST have shops that the public address can name, if it names them", () => {
    const shops = cell(["a", "b-"], ["xn--c"], ["d-"])
    expect(compareAddress(shops, "https://{shop}.example.com", false)).toMatchObject({
      verdict: "note",
      sentence: expect.stringMatching(/^b-, xn--c: no address, because .* in https:\/\/\{shop\}\.example\.com\./),
    })
    const ok = { verdict: "ok", sentence: "https://example.com/{shop}, which has the id of a shop at {shop}" }
    expect(compareAddress(shops, "https://example.com/{shop}", true)).toEqual(ok)
    expect(compareAddress(cell(["a"]), "https://{shop}.example.com", true)).toMatchObject({ verdict: "ok" })
  })

  it("MUST be told that proxies need the shop in addresses, if there is a map", () => {
    for (const url of [undefined, "https://example.com"]) {
      expect(compareAddress(cell(["a"]), url, false)).toBeUndefined()
      expect(compareAddress(cell(["a"]), url, true)).toMatchObject({
        verdict: "note",
        sentence: expect.stringContaining("put {shop} into DESIGNWIRE_PUBLIC_URL"),
      })
    }
  })
})
