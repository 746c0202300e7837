/**
 * Parsers of configuration values, from environment variables or from the options of a program. A parser fails with
 * words that complete "must be …". They never repeat the text, which may be a secret.
 */
import { Redacted, Result } from "effect"
import { Base64 } from "effect/encoding"
import { addressOf, isTemplateOrPlain, templateForm } from "../../model/webhooks/PublicAddress.ts"
import { parseSchedule } from "../webhooks/RetryPolicy.ts"

type Parsed<A> = Result.Result<A, string>

/** Secret keys of 32 bytes, newest first: the shape of the port `KeyRing`. */
export interface SecretKeys {
  readonly keys: readonly [Redacted.Redacted<Uint8Array>, ...ReadonlyArray<Redacted.Redacted<Uint8Array>>]
}

/** Whether a text is an encryption key: base64 of 32 bytes. */
export const isEncryptionKey = (text: string): boolean => keyOf(text) !== undefined

const keyOf = (text: string): Uint8Array | undefined =>
  /^[A-Za-z0-9+/]{43}=$/.test(text) ? Result.getOrUndefined(Base64.decode(text)) : undefined

/**
 * Parses a `KeyRing` in the form of `DESIGNWIRE_ENCRYPTION_KEYS`: base64 of 32 bytes each, comma-separated, newest
 * first. Ignores spaces around commas. Fails with the accepted form.
 */
export const parseKeyRing = (text: string): Parsed<SecretKeys> => {
  const [first, ...rest] = text.split(",").map((key) => keyOf(key.trim()))
  const others = rest.filter((key) => key !== undefined)
  return first === undefined || others.length < rest.length
    ? Result.fail("base64 of 32 bytes each, comma-separated")
    : Result.succeed({ keys: [Redacted.make(first), ...others.map((key) => Redacted.make(key))] })
}

/** Whether a text can be the manage key. */
export const isManageKey = (text: string): boolean => /^[\x21-\x7e]{16,}$/.test(text)

/** Parses the manage key. */
export const parseManageKey = (text: string): Parsed<Redacted.Redacted<string>> =>
  isManageKey(text)
    ? Result.succeed(Redacted.make(text))
    : Result.fail("at least 16 characters, printable ASCII without spaces")

/**
 * Parses the secrets with which a shop platform signs, with commas between them: two are valid while one is replaced.
 * Ignores spaces around commas.
 */
export const parsePlatformSecrets = (text: string): Parsed<ReadonlyArray<Redacted.Redacted<string>>> => {
  const secrets = text.split(",").map((secret) => secret.trim())
  return secrets.every(isManageKey)
    ? Result.succeed(secrets.map((secret) => Redacted.make(secret)))
    : Result.fail("at least 16 characters each, printable ASCII without spaces and commas, comma-separated")
}

/** Parses the name of a line item's property. */
export const parseProperty = (text: string): Parsed<string> =>
  /^[^\p{Cc}\p{Cs}]{1,255}$/u.test(text) ? Result.succeed(text) : Result.fail("a text of 1 to 255 characters")

/** Parses the address of a Postgres database. */
export const parseDatabaseUrl = (text: string): Parsed<Redacted.Redacted<string>> =>
  /^postgres(ql)?:$/.test(URL.parse(text)?.protocol ?? "")
    ? Result.succeed(Redacted.make(text))
    : Result.fail("a postgres:// URL")

/** Parses the name of a cell. */
export const parseCell = (text: string): Parsed<string> =>
  /^[A-Za-z0-9._-]{1,100}$/.test(text)
    ? Result.succeed(text)
    : Result.fail("1 to 100 letters, digits, dots, hyphens and underscores")

/** Parses the kind of pooler between a host and its database. */
export const parsePooler = (text: string): Parsed<"transaction"> =>
  text === "transaction" ? Result.succeed(text) : Result.fail("transaction, or left out")

/** Parses the name in the `User-Agent` of deliveries. */
export const parseServiceName = (text: string): Parsed<string> =>
  /^[A-Za-z0-9._-]{1,100}$/.test(text)
    ? Result.succeed(text)
    : Result.fail("1 to 100 letters, digits, dots, hyphens and underscores")

/**
 * Parses the URL that notices are sent to. It may hold a secret in its path or query, but no user name: credentials in
 * URLs are not sent.
 */
export const parseNoticeUrl = (text: string): Parsed<Redacted.Redacted<string>> => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === ""
    ? Result.succeed(Redacted.make(text))
    : Result.fail("an http(s) URL without a user name and password")
}

/** Parses the URL of an HTTP proxy, which may have a user name and a password (RFC 7617). */
export const parseProxyUrl = (text: string): Parsed<Redacted.Redacted<string>> => {
  const url = URL.parse(text)
  const isBare = url !== null && /^https?:$/.test(url.protocol) && url.pathname + url.search + url.hash === "/"
  return isBare && isDecodable(url.username, /[:\p{Cc}]/u) && isDecodable(url.password, /\p{Cc}/u)
    ? Result.succeed(Redacted.make(text))
    : Result.fail("an http(s) URL without a path, such as http://user:password@proxy.example.com:3128")
}

/** Whether a part of a URL can be decoded, and then has no forbidden character. */
const isDecodable = (part: string, forbidden: RegExp): boolean =>
  Result.match(
    Result.try(() => decodeURIComponent(part)),
    { onFailure: () => false, onSuccess: (decoded) => !forbidden.test(decoded) },
  )

/** Parses a base address for links, without the slashes at its end. It may have `{shop}`. */
export const parsePublicUrl = (text: string): Parsed<string> => {
  if (!isTemplateOrPlain(text)) return Result.fail(templateForm)
  return /^https?:$/.test(URL.parse(addressOf(text, "shop"))?.protocol ?? "")
    ? Result.succeed(text.replace(/\/+$/, ""))
    : Result.fail("an http(s) URL")
}

/** Parses one of several words. */
export const parseOneOf =
  <A extends string>(...words: ReadonlyArray<A>) =>
  (text: string): Parsed<A> => {
    const found = words.find((word) => word === text)
    return found === undefined ? Result.fail(`one of ${words.join(", ")}`) : Result.succeed(found)
  }

/** Parses ids of shops with commas between them. */
export const parseShops = (text: string): Parsed<ReadonlyArray<string>> => {
  const shops = text.split(",").map((shop) => shop.trim())
  return shops.length <= mostShops && shops.every((shop) => /^[a-z0-9][a-z0-9-]{0,62}$/.test(shop))
    ? Result.succeed([...new Set(shops)])
    : Result.fail(`at most ${mostShops} ids of shops with commas between them, such as acme,globex`)
}

const mostShops = 50

/** Parses the number of attempts that a worker may make at the same time. */
export const parseConcurrency = (text: string): Parsed<number> =>
  /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 10_000
    ? Result.succeed(Number(text))
    : Result.fail("an integer from 1 to 10000")

/** Parses the number of connections that one address may have at once. */
export const parseConnections = (text: string): Parsed<number> =>
  /^[1-9]\d{0,3}$/.test(text) && Number(text) <= 4096
    ? Result.succeed(Number(text))
    : Result.fail("an integer from 1 to 4096")

/** Parses the requests that a token may make in a minute. */
export const parseRateLimit = (text: string): Parsed<number> =>
  /^[1-9]\d{0,5}$/.test(text) && Number(text) <= 100_000
    ? Result.succeed(Number(text))
    : Result.fail("an integer from 1 to 100000")

/** Parses the requests that a process may have under way at once. */
export const parseRequests = (text: string): Parsed<number> =>
  /^[1-9]\d{0,4}$/.test(text) && Number(text) >= 4
    ? Result.succeed(Number(text))
    : Result.fail("an integer from 4 to 99999")

/** Parses a port to listen on; 0 is any free one. */
export const parsePort = (text: string): Parsed<number> =>
  /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Result.succeed(Number(text)) : Result.fail("a port, 0 to 65535")

/** Parses `true` or `false`. */
export const parseSwitch = (text: string): Parsed<boolean> =>
  text === "true" || text === "false" ? Result.succeed(text === "true") : Result.fail("true or false")

/** Parses a duration of at least 0, to milliseconds. */
export const parseDuration = (text: string): Parsed<number> =>
  /^0(ms|s|m|h)$/.test(text) ? Result.succeed(0) : Result.mapError(oneWait(text), () => "a duration, e.g. 30s, or 0s")

/** Parses a duration longer than the given milliseconds, to milliseconds. */
export const parseDurationOver =
  (least: number) =>
  (text: string): Parsed<number> =>
    Result.mapError(
      Result.filterOrFail(
        oneWait(text),
        (duration) => duration > least,
        () => "",
      ),
      () => `a duration of more than ${least / 1000}s, e.g. 30s`,
    )

const hour = 3_600_000

const parseTimeFrom =
  (least: number, form: string) =>
  (text: string): Parsed<number> =>
    Result.mapError(
      Result.filterOrFail(
        oneWait(text),
        (time) => time >= least,
        () => "",
      ),
      () => form,
    )

/** Parses how long delivery logs keep what is finished, to milliseconds. */
export const parseLogTime = parseTimeFrom(hour, "a time from 1h to 365d, e.g. 30d")

/** Parses how long drafts are kept that nobody saves again, to milliseconds. */
export const parseDraftTime = parseTimeFrom(24 * hour, "a time from 1d to 365d, e.g. 90d")

const oneWait = (text: string): Parsed<number> =>
  Result.flatMap(parseSchedule(text), ([wait, ...rest]) =>
    wait === undefined || rest.length > 0 ? Result.fail("one duration") : Result.succeed(wait),
  )
