/** What failed in TLS, each with the sentence by which an attempt's `responseStart` says so (D32). */
export const tlsFaults = {
  expired: "The certificate has expired",
  notYetValid: "The certificate is not valid yet",
  otherName: "The certificate is for another name",
  selfSigned: "The certificate is self-signed",
  untrusted: "The certificate is from an authority that is not trusted",
  incomplete: "The certificate came without an intermediate certificate, or its authority is not trusted",
  http2: "The receiver speaks HTTP/2 only, and must speak HTTP/1.1",
  version: "The receiver speaks neither TLS 1.2 nor TLS 1.3",
  notTls: "The receiver did not answer in TLS",
  refused: "The receiver refused the TLS handshake, e.g. as it wants a client certificate or other ciphers",
  closed: "The receiver closed the connection during the TLS handshake",
  certificateWanted: "The receiver wants a client certificate",
  certificateRefused: "The receiver refused the client certificate",
  certificateUnusable: "TLS can't use the client certificate",
  broken: "The receiver broke TLS",
} as const

export type TlsFault = keyof typeof tlsFaults

/** The fault that a sentence says. */
export const tlsFaultOf = (sentence: string | null): TlsFault | undefined =>
  (Object.keys(tlsFaults) as ReadonlyArray<TlsFault>).find((fault) => tlsFaults[fault] === sentence)
