import type { SigningSecrets } from "../model/Endpoint.ts"
import type { Instant } from "../model/Instant.ts"

/** The secrets as a worker gets them. */
type Signing = Pick<SigningSecrets, "secret" | "rotation">

/** Both secrets are known, and the old one signs. */
const isRunning = (rotation: NonNullable<Signing["rotation"]>, now: Instant): boolean => now < rotation.until

/** The secret that `X-Service-Signature` is made with, sealed: the old one until the rotation is over, and the new one from that instant on (D40). */
export const signingSecret = (secrets: Signing, now: Instant): string =>
  secrets.rotation === null || isRunning(secrets.rotation, now) ? secrets.secret : secrets.rotation.secret

/** The secrets that a receiver may know, sealed: while a rotation runs both, the one that signs first (D40, D41). */
export const validSecrets = (secrets: Signing, now: Instant): ReadonlyArray<string> =>
  secrets.rotation !== null && isRunning(secrets.rotation, now)
    ? [secrets.secret, secrets.rotation.secret]
    : [signingSecret(secrets, now)]

/** The secrets as they are at an instant: of a rotation that is over, only the new secret is left. */
export const at = (secrets: SigningSecrets, now: Instant): SigningSecrets =>
  secrets.rotation === null || isRunning(secrets.rotation, now)
    ? secretsOf(secrets)
    : { secret: secrets.rotation.secret, secretSince: secrets.rotation.until, rotation: null }

/** A new secret, sealed, which signs from `until` on. */
export interface NewSecret {
  readonly secret: string
  readonly until: Instant
  readonly now: Instant
}

/**
 * The secrets after a new one was made (D40). A new secret of before that does not sign yet is dropped, and the old one goes on to sign. An `until` that is
 * not after `now` replaces the secret at once.
 */
export const rotate = (secrets: SigningSecrets, { now, secret, until }: NewSecret): SigningSecrets =>
  until <= now ? { secret, secretSince: now, rotation: null } : { ...at(secrets, now), rotation: { secret, until } }

/** The secrets after the owner promoted the new one: it alone is left. Without a rotation that runs they stay as they are. */
export const promote = (secrets: SigningSecrets, now: Instant): SigningSecrets =>
  secrets.rotation !== null && isRunning(secrets.rotation, now)
    ? { secret: secrets.rotation.secret, secretSince: now, rotation: null }
    : at(secrets, now)

/** A worker holds what it has claimed for less than this, in milliseconds, before it begins the attempt: until then it may sign with the secret of before. */
const longestHeld = 60_000

/** The secret that an attempt was signed with which began at an instant, sealed; `undefined` where that may be one that is no longer kept. */
export const signedWith = (secrets: SigningSecrets, began: Instant): string | undefined =>
  secrets.secretSince !== null && began < secrets.secretSince + longestHeld ? undefined : signingSecret(secrets, began)

const secretsOf = ({ rotation, secret, secretSince }: SigningSecrets): SigningSecrets => ({
  secret,
  secretSince,
  rotation,
})
