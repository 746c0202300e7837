import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { reader } from "../Input.ts"
import { ClientCredentials } from "./ClientCredentials.ts"

const read = reader(ClientCredentials)

const valid = { tokenUrl: "https://id.example.com/token", clientId: "shop", clientSecret: "s3cret" }

/** The paths of the problems of credentials with these fields. */
const wrong = (fields: object) => {
  const result = read({ ...valid, ...fields })
  return Result.isSuccess(result) ? [] : result.failure.problems.map(({ path }) => path)
}

describe("OAuth client credentials (D55)", () => {
  it("MUST have a token URL, an id and a secret of visible ASCII, and may have a scope and an audience (D55)", () => {
    expect(wrong({})).toEqual([])
    expect(wrong({ scope: "a b:write", audience: "https://api.example.com/" })).toEqual([])
    expect(wrong({ scope: null, audience: null, clientId: "x".repeat(255), clientSecret: "~ ".repeat(512) })).toEqual(
      [],
    )
    for (const field of ["tokenUrl", "clientId", "clientSecret"]) {
      for (const value of ["", undefined, null, 7]) expect(wrong({ [field]: value })).toEqual([field])
    }
    expect(wrong({ tokenUrl: `https://${"x".repeat(2_041)}` })).toEqual(["tokenUrl"])
    expect(wrong({ clientId: "x".repeat(256), clientSecret: "x".repeat(1_025) })).toEqual(["clientId", "clientSecret"])
    expect(wrong({ clientId: "ä", clientSecret: "a\nb", audience: "" })).toEqual([
      "clientId",
      "clientSecret",
      "audience",
    ])
  })

  it("MUST have a scope as RFC 6749 writes it", () => {
    for (const scope of ["", " a", "a  b", "a ", 'a"', "a\\", "ä", "x".repeat(1_025)]) {
      expect(wrong({ scope })).toContain("scope")
    }
  })

  it("MUST NOT be repeated by the problems of an input", () => {
    const result = read({ ...valid, clientSecret: "s3cret-ä" })
    expect(JSON.stringify(Result.getFailure(result))).not.toContain("s3cret")
  })
})
