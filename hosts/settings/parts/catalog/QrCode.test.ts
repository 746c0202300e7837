import { expect, it } from "@effect/vitest"
import { h } from "preact"
import { renderToString } from "preact-render-to-string"
import { QrCode, qrBytes, qrPathOf } from "./QrCode.tsx"

/** The rows of modules that a path of strokes draws. */
const drawn = ({ path, size }: { readonly path: string; readonly size: number }): ReadonlyArray<string> => {
  const rows = Array.from({ length: size }, () => Array.from({ length: size }, () => "."))
  for (const [, y = "", strokes = ""] of path.matchAll(/M0 (\d+)\.5((?:m\d+ 0h\d+)*)/g)) {
    let x = 0
    for (const [, skip, length] of strokes.matchAll(/m(\d+) 0h(\d+)/g)) {
      rows[Number(y)]?.fill("#", x + Number(skip), x + Number(skip) + Number(length))
      x += Number(skip) + Number(length)
    }
  }
  return rows.map((row) => row.join(""))
}

// A scanner read `design-1027` from exactly these modules.
const scanned = `
  #######...#.#.#######
  #.....#.###...#.....#
  #.###.#..#.##.#.###.#
  #.###.#..#..#.#.###.#
  #.###.#.#.#.#.#.###.#
  #.....#.....#.#.....#
  #######.#.#.#.#######
  ...........##........
  #.#.#.#..###....#..#.
  ....##..#....#..#..##
  ..##..#####.###.#####
  #...#........#.....#.
  ##.##.#.#.#.##.#.#.##
  ........#.##.#.###.##
  #######...##..#.##.##
  #.....#..#.###.##...#
  #.###.#.####.#.#.....
  #.###.#..#.#.#.#####.
  #.###.#.###.#..####.#
  #.....#.....##..#..#.
  #######.######.##..##`

it("A job ticket MUST draw exactly the modules of an id's QR code, within a margin of four (D69)", () => {
  const code = qrPathOf("design-1027")
  expect(code && drawn(code)).toEqual(scanned.trim().split(/\s+/))
  const shown = renderToString(h(QrCode, { text: "design-1027", label: "QR code" }))
  expect(shown).toContain(`viewBox="-4 -4 29 29"`)
  expect(shown).not.toContain("style")
  expect(shown.length).toBeLessThan(qrBytes("design-1027"))
})

it("A job ticket MUST have no QR code that is too dense for scanners (D69)", () => {
  expect([qrPathOf("x".repeat(106))?.size, qrPathOf("x".repeat(107)), qrPathOf("é".repeat(54))]).toEqual([
    41,
    null,
    null,
  ])
})
