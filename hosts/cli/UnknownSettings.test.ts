import { expect, it } from "vitest"
import { unknownSettings } from "./UnknownSettings.ts"

const known = ["PORT", "DESIGNWIRE_DATA_DIR", "DESIGNWIRE_ENCRYPTION_KEYS", "DESIGNWIRE_LEASE"]

/** The unknown settings and what was meant, and nothing else of the environment. */
const meant = (...variables: ReadonlyArray<string>) =>
  unknownSettings(Object.fromEntries(variables.map((name) => [name, "s3cretword"])), known).map((sentence) => {
    expect(sentence).not.toContain("s3cretword")
    return /^(\S+) is not a setting and has no effect: did you mean (\S+)\?$/.exec(sentence)?.slice(1)
  })

it("MUST name variables that look like settings and are none, each with the nearest setting", () => {
  expect(
    meant("DESIGNWIRE_LEASES", "DESIGNWIRE_DATADIR", "DESIGNWIRE_ENCRYPTON_KEY", "DESIGNWIRE_DATA_DIR_FIEL"),
  ).toEqual([
    ["DESIGNWIRE_DATADIR", "DESIGNWIRE_DATA_DIR"],
    ["DESIGNWIRE_DATA_DIR_FIEL", "DESIGNWIRE_DATA_DIR_FILE"],
    ["DESIGNWIRE_ENCRYPTON_KEY", "DESIGNWIRE_ENCRYPTION_KEYS"],
    ["DESIGNWIRE_LEASES", "DESIGNWIRE_LEASE"],
  ])
})

it("MUST say nothing of settings, of their files, and of what is not ours", () => {
  expect(meant("PORT", "PROT", "PATH", "DESIGNWIRE_LEASE", "DESIGNWIRE_LEASE_FILE", "MY_DESIGNWIRE_LEASE")).toEqual([])
})
