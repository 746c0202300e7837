import { expect, it } from "@effect/vitest"
import { h } from "preact"
import { renderToString } from "preact-render-to-string"
import { QrCode, qrBytes } from "./QrCode.tsx"

const show = (text: string) => renderToString(h(QrCode, { text, label: "QR code" }))

/** The number of modules of a side. */
const sizeOf = (shown: string) => Number(/viewBox="-4 -4 (\d+) /.exec(shown)?.[1]) - 8

/** The rows of modules that strokes draw. */
const drawn = (shown: string): ReadonlyArray<string> => {
  const size = sizeOf(shown)
  const rows = Array.from({ length: size }, () => Array.from({ length: size }, () => "."))
  for (const [, y = "", strokes = ""] of shown.matchAll(/M0 (\d+)\.5((?:m\d+ 0h\d+)*)/g)) {
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
  const shown = show("design-1027")
  expect(drawn(shown)).toEqual(scanned.trim().split(/\s+/))
  expect(shown).toContain(`viewBox="-4 -4 29 29"`)
  expect(shown).not.toContain("style")
  expect(shown.length).toBeLessThan(qrBytes("design-1027"))
})

it("A job ticket MUST have no QR code that is too dense for scanners (D69)", () => {
  expect([sizeOf(show("x".repeat(106))), show("x".repeat(107)), show("é".repeat(54))]).toEqual([41, "", ""])
})
