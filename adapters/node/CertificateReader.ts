import { createPrivateKey, X509Certificate } from "node:crypto"
import { createSecureContext } from "node:tls"
import { Effect, Layer, Redacted } from "effect"
import { CertificateReader, UnusableCertificate } from "../../core/ports/CertificateReader.ts"

/** Characters of a subject that are kept. */
const longestSubject = 255

/** Fails with a sentence if a step throws. The error itself is not kept: it might show a part of the key. */
const step = <A>(run: () => A, code: "certificate" | "key", message: string) =>
  Effect.try({ try: run, catch: () => new UnusableCertificate({ code, message }) })

/** `CertificateReader` by Node's cryptography. */
export const layerCertificateReader: Layer.Layer<never> = Layer.succeed(CertificateReader, {
  read: Effect.fnUntraced(function* (certificate: string, key: Redacted.Redacted<string>) {
    const read = yield* step(() => new X509Certificate(certificate), "certificate", "The certificate can't be read")
    const text = Redacted.value(key)
    const privateKey = yield* step(
      () => createPrivateKey(text),
      "key",
      "The key can't be read: it must have no passphrase",
    )
    if (!read.checkPrivateKey(privateKey)) {
      return yield* new UnusableCertificate({
        code: "otherKey",
        message: "The key does not belong to the certificate, the first of them",
      })
    }
    yield* step(
      () => createSecureContext({ cert: certificate, key: text }),
      "certificate",
      "The certificates can't be used for TLS",
    )
    const subject = (read.subject ?? "").replaceAll("\n", ", ").replaceAll("\0", "").toWellFormed()
    return { subject: [...subject].slice(0, longestSubject).join(""), endsAt: Date.parse(read.validTo) }
  }),
})
