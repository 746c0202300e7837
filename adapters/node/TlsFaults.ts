import { type TlsFault, tlsFaults } from "../../core/model/webhooks/TlsFault.ts"

/** The faults by the ends of the codes of errors, as Node and OpenSSL name them. */
const faults: ReadonlyArray<readonly [code: RegExp, fault: TlsFault]> = [
  [/^CERT_HAS_EXPIRED$/, "expired"],
  [/^CERT_NOT_YET_VALID$/, "notYetValid"],
  [/^ERR_TLS_CERT_ALTNAME_/, "otherName"],
  [/^DEPTH_ZERO_SELF_SIGNED_CERT$/, "selfSigned"],
  [/^SELF_SIGNED_CERT_IN_CHAIN$/, "untrusted"],
  [/^UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT(_LOCALLY)?)$/, "incomplete"],
  [/NO_APPLICATION_PROTOCOL$/, "http2"],
  [/(ALERT_PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL)$/, "version"],
  [/(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)$/, "notTls"],
  [/(CERTIFICATE_REQUIRED)$/, "certificateWanted"],
  [/ALERT_(BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_\w+|UNKNOWN_CA|ACCESS_DENIED)$/, "certificateRefused"],
  [/ALERT_\w+$/, "refused"],
  [/^(ECONNRESET|EPIPE)$/, "closed"],
]

/** Says what failed in TLS. */
export const tlsSentence = (error: unknown): string => {
  const code = error instanceof Error && "code" in error ? String(error.code) : ""
  return tlsFaults[faults.find(([pattern]) => pattern.test(code))?.[1] ?? "broken"]
}
