/** Certificates for receivers under test, made on demand so that none expires or needs to be kept secret. For Node. */
import { Buffer } from "node:buffer"
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto"
import { isIP, isIPv4 } from "node:net"

/** A certificate and its key, as PEM. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

/** Signs certificates. */
export interface Authority extends Certificate {
  readonly issue: (options: CertificateOptions) => Certificate
}

/** The subject of a certificate, and its validity. Default: from yesterday for a month. */
export interface CertificateOptions {
  /** Host names and IPv4 addresses. */
  readonly hosts: ReadonlyArray<string>
  readonly from?: Date
  readonly until?: Date
  /** The certificate whose key it has. Default: a new key. */
  readonly renews?: Certificate
}

const day = 24 * 60 * 60 * 1_000
const inDays = (days: number) => new Date(Date.now() + days * day)

// The part of DER (X.690) that an X.509 certificate (RFC 5280) needs.
const der = (tag: number, ...parts: ReadonlyArray<Uint8Array>): Buffer => {
  const content = Buffer.concat(parts)
  if (content.length < 0x80) return Buffer.concat([Buffer.from([tag, content.length]), content])
  return Buffer.concat([Buffer.from([tag, 0x82, content.length >> 8, content.length & 0xff]), content])
}
const sequence = (...parts: ReadonlyArray<Uint8Array>) => der(0x30, ...parts)
const oid = (hex: string) => der(0x06, Buffer.from(hex, "hex"))
const time = (date: Date) => der(0x18, Buffer.from(`${date.toISOString().replace(/\D/g, "").slice(0, 14)}Z`, "latin1"))
const bits = (content: Uint8Array) => der(0x03, Buffer.from([0]), content)
const nameOf = (text: string) => sequence(der(0x31, sequence(oid("550403"), der(0x0c, Buffer.from(text, "utf8")))))

const ecdsaWithSha256 = sequence(oid("2a8648ce3d040302"))
const certificateAuthority = sequence(
  oid("551d13"),
  der(0x01, Buffer.from([0xff])),
  der(0x04, sequence(der(0x01, Buffer.from([0xff])))),
)
const alternativeNames = (hosts: ReadonlyArray<string>) =>
  sequence(
    oid("551d11"),
    der(
      0x04,
      sequence(
        ...hosts.map((host) =>
          isIPv4(host) ? der(0x87, Buffer.from(host.split(".").map(Number))) : der(0x82, Buffer.from(host, "latin1")),
        ),
      ),
    ),
  )

const pem = (kind: string, content: Uint8Array) =>
  `-----BEGIN ${kind}-----\n${Buffer.from(content)
    .toString("base64")
    .replace(/.{1,64}/g, "$&\n")}-----END ${kind}-----\n`

const certificate = (
  subject: { readonly name: string; readonly publicKey: KeyObject },
  issuer: { readonly name: string; readonly privateKey: KeyObject },
  extension: Uint8Array,
  from: Date,
  until: Date,
): string => {
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1]), randomBytes(8)),
    ecdsaWithSha256,
    nameOf(issuer.name),
    sequence(time(from), time(until)),
    nameOf(subject.name),
    subject.publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(extension)),
  )
  return pem("CERTIFICATE", sequence(content, ecdsaWithSha256, bits(sign("sha256", content, issuer.privateKey))))
}

const makeKeys = () => generateKeyPairSync("ec", { namedCurve: "P-256" })
const keyText = (key: KeyObject) => key.export({ type: "pkcs8", format: "pem" }).toString()

/** A new certificate authority. */
export const makeAuthority = (): Authority => {
  const keys = makeKeys()
  const issuer = { name: `authority ${randomBytes(4).toString("hex")}`, ...keys }
  return {
    cert: certificate(issuer, issuer, certificateAuthority, inDays(-2), inDays(60)),
    key: keyText(keys.privateKey),
    issue: ({ hosts, from = inDays(-1), renews, until = inDays(30) }) => {
      const { publicKey, privateKey } =
        renews === undefined
          ? makeKeys()
          : { publicKey: createPublicKey(renews.key), privateKey: createPrivateKey(renews.key) }
      const subject = { name: "receiver", publicKey }
      return { cert: certificate(subject, issuer, alternativeNames(hosts), from, until), key: keyText(privateKey) }
    },
  }
}

/** A self-signed certificate. */
export const selfSigned = (host: string): Certificate => {
  if (isIP(host) === 6) throw new Error("names and IPv4 addresses only")
  const keys = makeKeys()
  const receiver = { name: host, ...keys }
  return {
    cert: certificate(receiver, receiver, alternativeNames([host]), inDays(-1), inDays(30)),
    key: keyText(keys.privateKey),
  }
}

/** The authority that the sender under test trusts. */
export const authority = makeAuthority()
