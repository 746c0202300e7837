import { generateKeyPairSync } from "node:crypto"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { makeAuthority } from "../../conformance/suites/sender/Certificates.ts"
import { CertificateReader } from "../../core/ports/CertificateReader.ts"
import { layerLookup } from "./index.ts"

const authority = makeAuthority()
const until = new Date("2031-01-02T03:04:05Z")
const { cert, key } = authority.issue({ hosts: ["client.example"], until })

const read = (certificate: string, text: string) =>
  CertificateReader.use((reader) => reader.read(certificate, Redacted.make(text))).pipe(Effect.provide(layerLookup()))

const garbage = cert.replace(/[A-Za-z0-9+/=]{20}/, "AAAA")

describe("A client certificate (D55)", () => {
  it.effect("MUST be read with its subject and its end, with or without its issuers behind it (D55)", () =>
    Effect.gen(function* () {
      for (const certificate of [cert, `${cert}${authority.cert}`]) {
        expect(yield* read(certificate, key)).toEqual({ subject: "CN=receiver", endsAt: until.getTime() })
      }
    }),
  )

  it.effect("MUST be refused with the reason, and without the key, if it or its key can't be used (D55)", () =>
    Effect.gen(function* () {
      const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
      const passphrase = { type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "p" } as const
      const other = authority.issue({ hosts: ["other.example"] })
      for (const [certificate, text, reason] of [
        [garbage, key, "The certificate can't be read"],
        [cert, privateKey.export(passphrase).toString(), "must have no passphrase"],
        [cert, key.replace(/[A-Za-z0-9+/=]{20}/, "AAAA"), "The key can't be read"],
        [cert, other.key, "does not belong to the certificate"],
        [`${authority.cert}${cert}`, key, "does not belong to the certificate"],
        [`${cert}${garbage}`, key, "can't be used for TLS"],
      ] as const) {
        const error = yield* Effect.flip(read(certificate, text))
        expect(error.message).toContain(reason)
        expect(JSON.stringify(error)).not.toContain(text.slice(40, 80))
      }
    }),
  )
})
