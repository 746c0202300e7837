/**
 * What the settings of an installation must be, wherever they are given: as environment variables or as options of a program. Each rule reads a text, or
 * answers what it must be, to complete "must be …"; never the text itself, which may be a secret.
 */
import { Redacted, Result } from "effect"
import { Base64 } from "effect/encoding"

type Reading<A> = Result.Result<A, string>

/** Secret keys of 32 bytes, newest first: what the port `KeyRing` is. */
export interface SecretKeys {
  readonly keys: readonly [Redacted.Redacted<Uint8Array>, ...ReadonlyArray<Redacted.Redacted<Uint8Array>>]
}

/** Whether a text is an encryption key: base64 of 32 bytes. */
export const isEncryptionKey = (text: string): boolean => keyOf(text) !== undefined

const keyOf = (text: string): Uint8Array | undefined =>
  /^[A-Za-z0-9+/]{43}=$/.test(text) ? Result.getOrUndefined(Base64.decode(text)) : undefined

/**
 * Reads a `KeyRing` as the setting `DESIGNWIRE_ENCRYPTION_KEYS` has it: base64 of 32 bytes each, comma-separated, newest first; spaces around commas don't
 * matter. Fails with what the text must be.
 */
export const parseKeyRing = (text: string): Reading<SecretKeys> => {
  const [first, ...rest] = text.split(",").map((key) => keyOf(key.trim()))
  const others = rest.filter((key) => key !== undefined)
  return first === undefined || others.length < rest.length
    ? Result.fail("base64 of 32 bytes each, comma-separated")
    : Result.succeed({ keys: [Redacted.make(first), ...others.map((key) => Redacted.make(key))] })
}

/** Reads the address of a Postgres database. */
export const parseDatabaseUrl = (text: string): Reading<Redacted.Redacted<string>> =>
  /^postgres(ql)?:$/.test(URL.parse(text)?.protocol ?? "")
    ? Result.succeed(Redacted.make(text))
    : Result.fail("a postgres:// URL")

/** Reads what stands between a host and its database. */
export const parsePooler = (text: string): Reading<"transaction"> =>
  text === "transaction" ? Result.succeed(text) : Result.fail("transaction, or left out")

/** Reads the name in the `User-Agent` of deliveries. */
export const parseServiceName = (text: string): Reading<string> =>
  /^[A-Za-z0-9._-]{1,100}$/.test(text)
    ? Result.succeed(text)
    : Result.fail("1 to 100 letters, digits, dots, hyphens and underscores")

/** Reads the URL that notices are sent to. It may hold a secret in its path or query, but no user name: credentials in URLs are not sent. */
export const parseNoticeUrl = (text: string): Reading<Redacted.Redacted<string>> => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === ""
    ? Result.succeed(Redacted.make(text))
    : Result.fail("an http(s) URL without a user name and password")
}

/** Reads how many attempts may be under way in a worker. */
export const parseConcurrency = (text: string): Reading<number> =>
  /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 10_000
    ? Result.succeed(Number(text))
    : Result.fail("an integer from 1 to 10000")
