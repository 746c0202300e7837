import { expect, it } from "vitest"
import { unknownVariables } from "./Variables.ts"

const known = ["PORT", "DESIGNWIRE_DATA_DIR", "DESIGNWIRE_ENCRYPTION_KEYS", "DESIGNWIRE_LEASE"]

/** The unknown variables and their suggestions. */
const meant = (...variables: ReadonlyArray<string>) =>
  unknownVariables(Object.fromEntries(variables.map((name) => [name, "s3cretword"])), known).map((sentence) => {
    expect(sentence).not.toContain("s3cretword")
    return /^The environment variable (\S+) is unknown and has no effect: did you mean (\S+)\?$/
      .exec(sentence)
      ?.slice(1)
  })

it("MUST name unknown variables that look like ours, each with the nearest known one", () => {
  expect(
    meant("DESIGNWIRE_LEASES", "DESIGNWIRE_DATADIR", "DESIGNWIRE_ENCRYPTON_KEY", "DESIGNWIRE_DATA_DIR_FIEL"),
  ).toEqual([
    ["DESIGNWIRE_DATADIR", "DESIGNWIRE_DATA_DIR"],
    ["DESIGNWIRE_DATA_DIR_FIEL", "DESIGNWIRE_DATA_DIR_FILE"],
    ["DESIGNWIRE_ENCRYPTON_KEY", "DESIGNWIRE_ENCRYPTION_KEYS"],
    ["DESIGNWIRE_LEASES", "DESIGNWIRE_LEASE"],
  ])
})

it("MUST say nothing about known variables, their files, and variables that are not ours", () => {
  expect(meant("PORT", "PROT", "PATH", "DESIGNWIRE_LEASE", "DESIGNWIRE_LEASE_FILE", "MY_DESIGNWIRE_LEASE")).toEqual([])
})
