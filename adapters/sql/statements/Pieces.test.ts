import { expect, it } from "vitest"
import { inPieces } from "./Pieces.ts"

const mebibyte = 1024 * 1024

const lengthsOf = (lengths: ReadonlyArray<number>) => inPieces(lengths, (length) => length)

it("Records MUST be stored in order, in pieces of at most a MiB each, or of one larger record", () => {
  const half = mebibyte / 2
  expect(lengthsOf([])).toEqual([])
  expect(lengthsOf([half, half, 1])).toEqual([[half, half], [1]])
  expect(lengthsOf([1, mebibyte, 1])).toEqual([[1], [mebibyte], [1]])
  expect(lengthsOf([half, half - 1, 1, 1, half])).toEqual([
    [half, half - 1, 1],
    [1, half],
  ])
  expect(lengthsOf([2 * mebibyte, 1, 2 * mebibyte])).toEqual([[2 * mebibyte], [1], [2 * mebibyte]])
})
