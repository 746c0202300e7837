import { expect, it } from "@effect/vitest"
import { Arbitrary, Effect, Schema } from "effect"
import { changedNumbers, numberProblem } from "./ExactNumbers.ts"

const paths = (text: string) => changedNumbers(text).listed.map(({ path }) => path)

const most = Number.MAX_SAFE_INTEGER

it.each([
  ...["0", "-0", "-0.0e-7", "0e400", "1", "1.0", "1e2", "1E+2", "100e-2", "-1.50", "0.1", "1e-300"],
  ...[`${most}`, `-${most}`, `${most}.000`, "9007199254740991e0", "0.30000000000000004", "5e-324", "1e-323"],
  ...["2.2250738585072014e-308", "0.000001", "1e-7", "123456789012345.6", `1.${"0".repeat(1_000)}`],
])("A number that has the same value once it is parsed MUST be taken, however it is written: %s (D44a)", (written) => {
  expect(changedNumbers(`[${written}]`).total).toBe(0)
  expect(JSON.parse(JSON.stringify(JSON.parse(written)))).toBe(Number(written) + 0)
})

it.each([
  ...["9007199254740992", "9007199254740993", "-9007199254740993", "12345678901234567890", "9007199254740993.0"],
  ...["9007199254740993e0", "1e400", "-1e400", "1e309", "1e21", "1e-400", "3e-324", "0.1234567890123456789"],
  ...[
    "0.1000000000000000055511151231257827",
    "1.00000000000000000001",
    `1.${"0".repeat(1_000)}1`,
    "4503599627370497.3",
  ],
])(
  "A number that would have another value, or may have had one before, MUST be refused with its path: %s (D44a)",
  (written) => {
    expect(changedNumbers(written).listed).toMatchObject([{ path: "" }])
    expect(paths(`{"a":[1,{"b":${written}}],"c":"${written}"}`)).toEqual(["a[1].b"])
    const [{ message } = { message: "" }] = changedNumbers(`[${written}]`).listed
    expect(message).toContain(`not ${written.slice(0, 40)}`)
    expect(message.length).toBeLessThan(200)
  },
)

it("Paths MUST be those of the places of the numbers, whatever stands around them", () => {
  const bad = "9007199254740993"
  const text = `{ "list" : [ [ ] , {} , "a,b:[{" , ${bad} , [ ${bad}\n] ] , "a \\"key\\\\" : {"b" : { "c" : 1 } , "d" : ${bad}} ,
    "e" : [ true , null , -${bad} ] , "" : ${bad} , "\\u0061" : ${bad} }`
  expect(paths(text)).toEqual(["list[3]", "list[4][0]", '["a \\"key\\\\"].d', "e[2]", '[""]', "a"])
})

it("Of many only the first 100 MUST be listed, and all be counted", () => {
  const { listed, total } = changedNumbers(`[${Array(1_000).fill("1e400").join(",")}]`)
  expect([listed.length, listed[99]?.path, total]).toEqual([100, "[99]", 1_000])
})

const integer = (minimum: number, maximum: number) =>
  Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum, maximum })))
const digits = (maxLength: number) =>
  Arbitrary.map(Arbitrary.array(integer(0, 9), { maxLength }), (list) => list.join(""))
const numbers = Arbitrary.all([
  integer(0, 2),
  digits(20),
  digits(20),
  integer(-330, 310),
  Arbitrary.schema(Schema.Finite),
])

it.effect("What parsing keeps MUST be taken, and what it changes refused: decided by exact arithmetic (D44a)", () =>
  Effect.gen(function* () {
    /** A decimal as an integer and a power of ten, without zeros at its end. */
    const exactly = (written: string): string => {
      const [mantissa = "", exponent = "0"] = written.split("e")
      const [whole = "", decimals = ""] = mantissa.split(".")
      let [digits, power] = [BigInt(whole.replace("-", "") + decimals), Number(exponent) - decimals.length]
      if (digits === 0n) return "0"
      for (; digits % 10n === 0n; power++) digits /= 10n
      return `${written.startsWith("-")} ${digits}e${power}`
    }
    const seen = { kept: 0, changed: 0 }
    const check = (text: string) => {
      const value = Number(text)
      const isKept = numberProblem(value) === undefined && exactly(text) === exactly(String(value))
      seen[isKept ? "kept" : "changed"]++
      expect([text, changedNumbers(text).total]).toEqual([text, isKept ? 0 : 1])
    }
    for (const [form, whole, decimals, power, double] of yield* Arbitrary.sampleEffect(numbers, {
      count: 2_000,
      seed: 2026,
    })) {
      const sign = power % 2 === 0 ? "-" : ""
      const written = `${sign}${whole.replace(/^0+/, "") || "0"}${decimals === "" ? "" : `.${decimals}`}`
      check(form === 0 ? `${written}e${power}` : written)
      check(String(double))
    }
    expect(Math.min(seen.kept, seen.changed)).toBeGreaterThan(400)
  }),
)

it.each([
  [Number.POSITIVE_INFINITY, "must be a finite number, not Infinity"],
  [Number.NaN, "must be a finite number, not NaN"],
  [most + 1, expect.stringContaining("not 9007199254740992")],
  [-most - 1, expect.stringContaining("not -9007199254740992")],
  [most, undefined],
  [-most, undefined],
  [0.1, undefined],
])("A number in an object MUST be finite and no integer beyond 2^53 − 1: %s", (value, problem) => {
  expect(numberProblem(value)).toEqual(problem)
})
