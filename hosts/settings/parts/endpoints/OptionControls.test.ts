import { expect, it } from "@effect/vitest"
import { readOptions, usualValues } from "./OptionControls.ts"

const headersOf = (sent: Readonly<Record<string, string>>) =>
  readOptions((name) => sent[name] ?? "", usualValues).headers

it("A user and a password MUST become the header of basic authentication, with the headers that were entered (D71)", () => {
  const basic = { "basic.user": "erp", "basic.password": "pâss:word" }
  expect(headersOf(basic)).toEqual({ Authorization: "Basic ZXJwOnDDonNzOndvcmQ=" })
  expect(headersOf({ ...basic, headers: "X-A: b" })).toEqual({
    "X-A": "b",
    Authorization: "Basic ZXJwOnDDonNzOndvcmQ=",
  })
  expect(headersOf({ "basic.user": "erp" })).toEqual({ Authorization: "Basic ZXJwOg==" })
  expect(headersOf({})).toBeUndefined()
  expect(headersOf({ "remove.headers": "yes" })).toBeNull()
})
