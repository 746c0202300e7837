/** Access tokens by OAuth 2.0 client credentials (RFC 6749 §4.4), for the deliveries of an endpoint (D55). */
import { Redacted, Result } from "effect"
import { Base64 } from "effect/encoding"
import type { SealedCredentials } from "../../model/webhooks/ClientCredentials.ts"

/** An access token, and the milliseconds for which it may be used: 0 if for only one attempt. */
export interface AccessToken {
  readonly token: Redacted.Redacted<string>
  readonly lasts: number
}

/** A text as `application/x-www-form-urlencoded` has it. */
const encoded = (text: string): string => new URLSearchParams([["", text]]).toString().slice(1)

/** The headers and the body that ask a token endpoint for a token: the client authenticates by RFC 6749 §2.3.1. */
export const tokenRequest = (
  { audience, clientId, scope }: Pick<SealedCredentials, "audience" | "clientId" | "scope">,
  secret: Redacted.Redacted<string>,
) => ({
  headers: {
    "Content-Type": "application/x-www-form-urlencoded",
    Accept: "application/json",
    Authorization: `Basic ${Base64.encode(`${encoded(clientId)}:${encoded(Redacted.value(secret))}`)}`,
  },
  body: new URLSearchParams({
    grant_type: "client_credentials",
    ...(scope === null ? {} : { scope }),
    ...(audience === null ? {} : { audience }),
  }).toString(),
})

/** A token is given up this many seconds before it ends, so that it does not end on its way. */
const margin = 60

/** The seconds for which a token lasts if its answer does not say. */
const usualLife = 300

/** The most seconds for which a token is kept. */
const longestLife = 86_400

/** The codes that RFC 6749 §5.2 has for a refusal. Nothing else of an answer is shown: it might repeat a secret. */
const codes: ReadonlyArray<unknown> = [
  "invalid_request",
  "invalid_client",
  "invalid_grant",
  "unauthorized_client",
  "unsupported_grant_type",
  "invalid_scope",
]

const objectOf = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
  } catch {
    return {}
  }
}

/** Some servers write numbers as text. */
const secondsOf = (value: unknown): number => {
  const seconds = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof seconds === "number" ? seconds : usualLife
}

/** The token in the answer of a token endpoint, or a sentence for the endpoint's owner, without any secret. */
export const tokenIn = (statusCode: number, body: string): Result.Result<AccessToken, string> => {
  const answer = objectOf(body)
  if (statusCode !== 200) {
    const code = codes.includes(answer["error"]) ? `: ${answer["error"]}` : ""
    return Result.fail(`The token endpoint answered ${statusCode}${code}`)
  }
  const { access_token: token, expires_in: life, token_type: type } = answer
  if (typeof token !== "string" || !/^[\x21-\x7e]{1,8192}$/.test(token)) {
    return Result.fail(
      "The token endpoint's answer is not JSON with an access_token of 1 to 8192 visible ASCII characters",
    )
  }
  if (typeof type !== "string" || type.toLowerCase() !== "bearer") {
    return Result.fail("The token endpoint's answer has a token_type other than Bearer")
  }
  const lasts = Math.max(0, Math.min(secondsOf(life), longestLife) - margin) * 1_000
  return Result.succeed({ token: Redacted.make(token), lasts })
}

/** Headers with the token. An endpoint's owner may have added a header `Authorization` just now. */
export const authorizedBy = ({ token }: AccessToken, headers: Readonly<Record<string, string>>) => ({
  ...Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== "authorization")),
  Authorization: `Bearer ${Redacted.value(token)}`,
})
