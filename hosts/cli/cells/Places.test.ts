import { describe, expect, it } from "vitest"
import { compareCell, withoutMap } from "./CompareCell.ts"
import { formatPlaces, formats, parsePlaces } from "./Places.ts"
import { placesOf } from "./PlacesOf.ts"

const cell = (open: ReadonlyArray<string>, leaving: ReadonlyArray<string> = [], left: ReadonlyArray<string> = []) => ({
  ...{ open, leaving, left },
})

describe("The proxies' map", () => {
  it("MUST have every shop in the cell where it is open, or which it is just leaving", () => {
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

  it("MUST refuse a shop that is in two cells, or in none", () => {
    const cells = new Map([
      ["first", cell(["a"], [], ["b"])],
      ["second", cell(["a"])],
    ])
    expect(placesOf(cells).problems).toEqual([
      expect.stringContaining("a is in two cells, first and second"),
      "b has moved from first, and is in none of these cells",
    ])
  })

  it.each(formats.filter((format) => format !== "envoy"))("MUST be read by hosts as %s reads it", (format) => {
    const places = new Map([
      ["acme", "first"],
      ["globex-2", "cell_2.eu"],
    ])
    expect(parsePlaces(`# made by a command\n\n${formatPlaces(places, format)}`)).toEqual({ places, problems: [] })
  })

  it("MUST be refused by hosts with every line that is none, and with a shop that has two cells", () => {
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

  it("MUST have the shops that the map places in the cell", () => {
    expect(compareCell(cell(["a"], ["c"], ["b"]), "first", places)).toEqual({
      verdict: "ok",
      sentence: "has the 1 shops that the map places in first",
    })
  })

  it("MUST NOT have a shop that the map places elsewhere, lack one, or have one that left it", () => {
    const { sentence, verdict } = compareCell(cell(["b"], [], ["a"]), "first", places)
    expect(verdict).toBe("WRONG")
    expect(sentence).toMatch(/^b: here, but .*\. a: moved to another cell, .*\. c: placed here by the map/)
  })

  it("MUST be told apart from an old copy: without a map, a note says that nothing protects from one", () => {
    expect(withoutMap(cell(["a"]))).toBeUndefined()
    expect(withoutMap(cell(["a"], [], ["b"]))).toMatchObject({
      verdict: "note",
      sentence: expect.stringMatching(/^b moved to another cell/),
    })
  })
})
