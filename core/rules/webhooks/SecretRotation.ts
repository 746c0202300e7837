import type { Instant } from "../../model/Instant.ts"
import type { SigningSecrets } from "../../model/webhooks/Endpoint.ts"

/** The secrets as a worker receives them. */
type Signing = Pick<SigningSecrets, "secret" | "rotation">

/** Both secrets are known, and the old one signs. */
const isRunning = (rotation: NonNullable<Signing["rotation"]>, now: Instant): boolean => now < rotation.until

/** The sealed secret that signs `X-Service-Signature`: the old one until the rotation ends, then the new one (D40). */
export const signingSecret = (secrets: Signing, now: Instant): string =>
  secrets.rotation === null || isRunning(secrets.rotation, now) ? secrets.secret : secrets.rotation.secret

/** The sealed secrets that a receiver may know: both while a rotation runs, the signing one first (D40, D41). */
export const validSecrets = (secrets: Signing, now: Instant): ReadonlyArray<string> =>
  secrets.rotation !== null && isRunning(secrets.rotation, now)
    ? [secrets.secret, secrets.rotation.secret]
    : [signingSecret(secrets, now)]

/** The secrets at an instant. After a rotation only the new secret remains. */
export const at = (secrets: SigningSecrets, now: Instant): SigningSecrets =>
  secrets.rotation === null || isRunning(secrets.rotation, now)
    ? secretsOf(secrets)
    : { secret: secrets.rotation.secret, secretSince: secrets.rotation.until, rotation: null }

/** A new sealed secret that signs from `until` on. */
export interface NewSecret {
  readonly secret: string
  readonly until: Instant
  readonly now: Instant
}

/**
 * The secrets after a rotation (D40). An earlier new secret that does not sign yet is dropped, and the old one keeps
 * signing. If `until` is not after `now`, the new secret replaces the old one at once.
 */
export const rotate = (secrets: SigningSecrets, { now, secret, until }: NewSecret): SigningSecrets =>
  until <= now ? { secret, secretSince: now, rotation: null } : { ...at(secrets, now), rotation: { secret, until } }

/**
 * The secrets after the owner promoted the new one, which is the only one left. Unchanged if no rotation is running.
 */
export const promote = (secrets: SigningSecrets, now: Instant): SigningSecrets =>
  secrets.rotation !== null && isRunning(secrets.rotation, now)
    ? { secret: secrets.rotation.secret, secretSince: now, rotation: null }
    : at(secrets, now)

/**
 * A worker starts an attempt less than this many milliseconds after the claim. Until then it may sign with the previous
 * secret.
 */
const longestHeld = 60_000

/** The sealed secret that signed an attempt started at an instant; `undefined` if that secret may no longer be kept. */
export const signedWith = (secrets: SigningSecrets, began: Instant): string | undefined =>
  secrets.secretSince !== null && began < secrets.secretSince + longestHeld ? undefined : signingSecret(secrets, began)

const secretsOf = ({ rotation, secret, secretSince }: SigningSecrets): SigningSecrets => ({
  secret,
  secretSince,
  rotation,
})
