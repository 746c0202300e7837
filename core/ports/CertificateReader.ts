import { Context, Data, Effect, type Redacted } from "effect"
import type { RefusalReason } from "../model/Errors.ts"
import type { Instant } from "../model/Instant.ts"

/** The certificate can't be used, for a reason that a sentence without the key's text says. */
export class UnusableCertificate extends Data.TaggedError("UnusableCertificate")<{
  readonly message: string
  readonly code?: RefusalReason["code"]
}> {}

/** Whose a certificate is, as text that a store can keep, and when it ends. */
export interface CertificateFacts {
  readonly subject: string
  readonly endsAt: Instant
}

/**
 * Reads a client certificate with its chain, and makes sure that the key belongs to it, both as PEM (D55). Without an
 * adapter none can be set.
 */
export const CertificateReader = Context.Reference<{
  readonly read: (
    certificate: string,
    key: Redacted.Redacted<string>,
  ) => Effect.Effect<CertificateFacts, UnusableCertificate>
}>("designwire/CertificateReader", {
  defaultValue: () => ({
    read: () =>
      Effect.fail(new UnusableCertificate({ message: "Client certificates can't be read by this installation" })),
  }),
})
