import { Redacted, Result } from "effect"
import { describe, expect, it } from "vitest"
import { authorizedBy, tokenIn, tokenRequest } from "./AccessToken.ts"

const secret = Redacted.make("p:ä +/%")

const granted = (more: object = {}) =>
  Result.getOrUndefined(tokenIn(200, JSON.stringify({ access_token: "t", token_type: "bearer", ...more })))

/** Why an answer has no token. */
const refusal = (body: unknown, statusCode = 200) =>
  Result.getFailure(tokenIn(statusCode, typeof body === "string" ? body : JSON.stringify(body)))

describe("A request for an access token (D55)", () => {
  it("MUST authenticate the client as RFC 6749 §2.3.1 says, and have the secret nowhere else (D55)", () => {
    const { body, headers } = tokenRequest({ clientId: "shop:1", scope: "a b", audience: "https://api/" }, secret)
    expect(headers["Content-Type"]).toBe("application/x-www-form-urlencoded")
    expect(atob(headers.Authorization.slice("Basic ".length))).toBe("shop%3A1:p%3A%C3%A4+%2B%2F%25")
    expect(body).toBe("grant_type=client_credentials&scope=a+b&audience=https%3A%2F%2Fapi%2F")
    expect(tokenRequest({ clientId: "a", scope: null, audience: null }, secret).body).toBe(
      "grant_type=client_credentials",
    )
  })
})

describe("The answer to it", () => {
  it("MUST last until a minute before its end, 4 minutes if it does not say, and a day at most (D55)", () => {
    const lasts = (expires?: unknown) => granted(expires === undefined ? {} : { expires_in: expires })?.lasts
    expect([3600, "3600", 61, 60, 0, -5].map(lasts)).toEqual([3_540_000, 3_540_000, 1_000, 0, 0, 0])
    expect([undefined, null, "soon", {}].map(lasts)).toEqual([240_000, 240_000, 240_000, 240_000])
    expect([1e300, "9".repeat(15)].map(lasts)).toEqual([86_340_000, 86_340_000])
  })

  it("MUST be 200 with JSON, a Bearer token, and visible ASCII of at most 8 KiB", () => {
    const token = "x".repeat(8_192)
    expect(Redacted.value(granted({ access_token: token })?.token ?? Redacted.make(""))).toBe(token)
    const texts = [`${token}x`, "", "a b", "ä", "a\r\nX: y", 7, null]
    for (const access_token of texts) expect(granted({ access_token })).toBeUndefined()
    for (const token_type of ["mac", "", null]) expect(granted({ token_type })).toBeUndefined()
    for (const body of ["", "<html>", '{"access_token":"t","token_ty', "[]", "null", '"t"']) {
      expect(Result.isFailure(tokenIn(200, body))).toBe(true)
    }
  })

  it("MUST say why there is none, by a code of RFC 6749 if there is one, and repeat nothing else of it (D55)", () => {
    const sent = { error: "invalid_client", error_description: "p:ä +/%" }
    const say = (body: unknown, statusCode: number) => refusal(body, statusCode)
    expect(say(sent, 401)).toMatchObject({ value: "The token endpoint answered 401: invalid_client" })
    expect(say({ error: "p:ä +/%" }, 400)).toMatchObject({ value: "The token endpoint answered 400" })
    expect(say("", 302)).toMatchObject({ value: "The token endpoint answered 302" })
    expect(say({ access_token: "t", token_type: "Bearer" }, 201)).toMatchObject({
      value: "The token endpoint answered 201",
    })
  })
})

describe("Headers with a token", () => {
  it("MUST have one Authorization, whatever the case of another (D55)", () => {
    const token = { token: Redacted.make("t"), lasts: 0 }
    expect(authorizedBy(token, { authorization: "Basic x", AUTHORIZATION: "Basic y", "X-A": "b" })).toEqual({
      Authorization: "Bearer t",
      "X-A": "b",
    })
  })
})
