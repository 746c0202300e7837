import { Schema } from "effect"
import { Timestamp } from "../Instant.ts"
import { noted } from "../Means.ts"

/** Texts of PEM have at most this many characters. */
const maximumPem = 16_384

const pem = (label: string, expected: string) =>
  Schema.String.check(
    Schema.isMaxLength(maximumPem, { expected }),
    Schema.isPattern(new RegExp(`^\\s*(-----BEGIN ${label}-----[A-Za-z0-9+/=\\s]+-----END ${label}-----\\s*)+$`), {
      expected,
    }),
  )

/** A certificate that deliveries present to their receiver over TLS, and its key, both as PEM (D55). */
export const ClientCertificate = Schema.Struct({
  certificate: noted(
    "The certificate, followed by its issuers if the receiver needs them.",
    pem("CERTIFICATE", `certificates as PEM, in at most ${maximumPem} characters`),
  ),
  key: noted(
    "The key, without a passphrase.",
    pem("(?:RSA |EC )?PRIVATE KEY", `a private key as PEM, without a passphrase, in at most ${maximumPem} characters`),
  ),
}).annotate({
  unrepeated: true,
  typeName: "ClientCertificateInput",
  documentation: "A client certificate as PEM, each text of at most 16,384 characters.",
})
export type ClientCertificate = typeof ClientCertificate.Type

/** The certificate as its owner sees it: whose it is, and when it ends. */
export const CertificateView = Schema.Struct({ subject: Schema.String, endsAt: Timestamp })

/** The same as it is kept, with the certificate and its key sealed as a signing secret is (D20). */
export interface SealedCertificate extends Schema.Schema.Type<typeof CertificateView> {
  readonly sealed: string
}
