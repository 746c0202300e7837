import { Buffer } from "node:buffer"
import { X509Certificate } from "node:crypto"
import { connect, type Socket } from "node:net"
import type { TLSSocket } from "node:tls"
import { Effect, Redacted } from "effect"
import type { WebhookResponse } from "../../../core/ports/WebhookSender.ts"
import { equal, holds } from "../Assertion.ts"
import { authority, makeAuthority, selfSigned } from "./Certificates.ts"
import { answer, type ReceiverOptions, receiver } from "./Receiver.ts"
import { calling, type ListedCase } from "./SenderCase.ts"
import { answered, send, unanswered } from "./Sending.ts"

const answering = { answer: (socket: Socket) => socket.write(answer("200 OK")) }
const day = 24 * 60 * 60 * 1_000

/** A case of a receiver with a certificate that does or does not match the URL's host. */
const verified = (
  id: string,
  title: string,
  options: () => ReceiverOptions,
  expected: WebhookResponse,
  host = "shop.example",
): ListedCase => ({
  id: `tls.${id}`,
  title,
  requirements: ["§4-11", "D36", "D32"],
  run: Effect.gen(function* () {
    const { port, requests } = yield* receiver({ ...answering, ...options() })
    yield* equal("the answer", yield* send(`https://${host}:${port}/`), expected)
    yield* equal("received requests", requests.length, expected.error === null ? 1 : 0)
  }),
})

const issued = (hosts: ReadonlyArray<string>, times: { from?: Date; until?: Date } = {}) => ({
  certificate: authority.issue({ hosts, ...times }),
})

/** Authentication of receivers. */
export const tlsCases = calling("WebhookSender")([
  verified("name", "MUST accept a certificate for the URL's host", () => issued(["shop.example"]), answered(200)),
  verified(
    "wildcard",
    "MUST accept a wildcard for one label",
    () => issued(["*.shop.example"]),
    answered(200),
    "hooks.shop.example",
  ),
  verified(
    "address",
    "MUST accept a certificate for the address in the URL",
    () => issued(["127.0.0.1"]),
    answered(200),
    "127.0.0.1",
  ),
  verified(
    "other.name",
    "MUST refuse a certificate for another host, even for the connected address",
    () => issued(["other.example", "127.0.0.1"]),
    unanswered("tls", "otherName"),
  ),
  verified(
    "other.address",
    "MUST refuse a certificate without the address in the URL",
    () => issued(["shop.example", "127.0.0.2"]),
    unanswered("tls", "otherName"),
    "127.0.0.1",
  ),
  verified(
    "expired",
    "MUST refuse a certificate that has expired",
    () => issued(["shop.example"], { from: new Date(Date.now() - 2 * day), until: new Date(Date.now() - day) }),
    unanswered("tls", "expired"),
  ),
  verified(
    "future",
    "MUST refuse a certificate that is not valid yet",
    () => issued(["shop.example"], { from: new Date(Date.now() + day), until: new Date(Date.now() + 2 * day) }),
    unanswered("tls", "notYetValid"),
  ),
  verified(
    "self-signed",
    "MUST refuse a self-signed certificate",
    () => ({ certificate: selfSigned("shop.example") }),
    unanswered("tls", "selfSigned"),
  ),
  verified(
    "authority",
    "MUST refuse a certificate of an authority that is not trusted",
    () => ({ certificate: makeAuthority().issue({ hosts: ["shop.example"] }) }),
    unanswered("tls", "incomplete"),
  ),
  verified(
    "authority.sent",
    "MUST refuse a certificate of an authority that is not trusted, though it sends the authority's",
    () => {
      const other = makeAuthority()
      const { cert, key } = other.issue({ hosts: ["shop.example"] })
      return { certificate: { cert: cert + other.cert, key } }
    },
    unanswered("tls", "untrusted"),
  ),
  verified(
    "http2",
    "MUST say so if the receiver speaks HTTP/2 only",
    () => ({ ...issued(["shop.example"]), tls: { ALPNProtocols: ["h2"] } }),
    unanswered("tls", "http2"),
  ),
  verified(
    "version",
    "MUST say so if the receiver speaks no version of TLS that is still safe",
    () => ({
      ...issued(["shop.example"]),
      tls: { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT:@SECLEVEL=0" },
    }),
    unanswered("tls", "version"),
  ),
  verified(
    "ciphers",
    "MUST say so if the receiver refuses the handshake",
    () => ({ ...issued(["shop.example"]), tls: { maxVersion: "TLSv1.2", ciphers: "AES128-SHA" } }),
    unanswered("tls", "refused"),
  ),
  verified(
    "client.wanted",
    "MUST say so if the receiver wants a client certificate",
    () => ({ ...issued(["shop.example"]), tls: { requestCert: true, rejectUnauthorized: true } }),
    unanswered("tls", "certificateWanted"),
  ),
  {
    id: "tls.http2.frames",
    title: "MUST say so if the receiver answers in HTTP/2 over TLS, whatever was agreed",
    requirements: ["D32"],
    run: Effect.gen(function* () {
      const settings = Buffer.from("00000c0400000000000003000000640004001000000006", "hex")
      const { port } = yield* receiver({ ...issued(["shop.example"]), answer: (socket) => socket.write(settings) })
      yield* equal("the answer", yield* send(`https://shop.example:${port}/`), unanswered("tls", "http2"))
    }),
  },
  verified(
    "plain",
    "MUST report `tls` for a receiver that speaks HTTP without TLS",
    () => ({
      accept: (socket) => {
        socket.once("data", () => socket.end(answer("400 Bad Request")))
        return true
      },
    }),
    unanswered("tls", "notTls"),
  ),
  verified(
    "closed",
    "MUST report `tls` if the receiver closes the connection in the handshake",
    () => ({
      accept: (socket) => {
        socket.once("data", () => socket.end())
        return true
      },
    }),
    unanswered("tls", "closed"),
  ),
  verified(
    "reset",
    "MUST report `tls` if the receiver resets the connection in the handshake",
    () => ({
      accept: (socket) => {
        socket.once("data", () => socket.resetAndDestroy())
        return true
      },
    }),
    unanswered("tls", "closed"),
  ),
  {
    id: "tls.broken",
    title: "MUST report `tls` if bytes after the handshake are not TLS, and not resend",
    requirements: ["§4-11", "D32", "D36"],
    run: Effect.gen(function* () {
      let wire: Socket | undefined
      const encrypted = yield* receiver({
        ...issued(["shop.example"]),
        answer: () => wire?.write(answer("200 OK")),
      })
      // Relays both directions, and injects the response.
      const { port, sockets } = yield* receiver({
        accept: (socket) => {
          wire = socket
          const inner = connect({ port: encrypted.port, host: "127.0.0.1" })
          inner.on("error", () => socket.destroy())
          inner.pipe(socket).pipe(inner)
          socket.once("close", () => inner.destroy())
          return true
        },
      })
      yield* equal("the answer", yield* send(`https://shop.example:${port}/`), unanswered("tls", "broken"))
      yield* equal("connections", sockets.length, 1)
      yield* equal("requests", encrypted.requests.length, 1)
    }),
  },
  {
    id: "tls.server-name",
    title: "MUST send the URL's host to the receiver, never an address",
    requirements: ["§4-11", "D36"],
    run: Effect.gen(function* () {
      const { port, serverNames } = yield* receiver({ ...answering, ...issued(["shop.example", "127.0.0.1"]) })
      yield* equal("by name", yield* send(`https://shop.example:${port}/`), answered(200))
      yield* equal("by address", yield* send(`https://127.0.0.1:${port}/`), answered(200))
      yield* equal("server names", serverNames, ["shop.example", false])
    }),
  },
  {
    id: "tls.reuse",
    title: "MUST reuse a TLS connection only for the host whose certificate it has verified",
    requirements: ["D36"],
    run: Effect.gen(function* () {
      const { port, sockets, requests } = yield* receiver({ ...answering, ...issued(["one.example"]) })
      for (let index = 0; index < 5; index++) {
        yield* equal("one", yield* send(`https://one.example:${port}/`), answered(200))
      }
      yield* equal("connections", sockets.length, 1)
      yield* equal("two", yield* send(`https://two.example:${port}/`), unanswered("tls", "otherName"))
      yield* equal("requests", requests.length, 5)
    }),
  },
  {
    id: "tls.large",
    title: "MUST send and read over TLS as without it",
    requirements: ["D21", "D26"],
    run: Effect.gen(function* () {
      const { port, requests } = yield* receiver({
        ...issued(["shop.example"]),
        answer: (socket) => socket.write(answer("500 No", [], "y".repeat(1_000_000))),
      })
      const body = "é".repeat(500_000)
      yield* equal(
        "the answer",
        yield* send(`https://shop.example:${port}/`, { body }),
        answered(500, "y".repeat(1_024)),
      )
      yield* equal("bytes of the body", requests[0]?.body.length, 1_000_000)
    }),
  },
  {
    id: "tls.client",
    title: "MUST present the client certificate of a request, over connections that no other one's requests use",
    requirements: ["D55"],
    run: Effect.gen(function* () {
      const { port, sockets } = yield* receiver({
        certificate: authority.issue({ hosts: ["shop.example"] }),
        asksForCertificate: true,
        answer: (socket) => {
          const presented = (socket as TLSSocket).getPeerX509Certificate()
          socket.write(answer("200 OK", [], presented?.fingerprint256 ?? "none"))
        },
      })
      const [one, other] = [authority.issue({ hosts: ["one.example"] }), authority.issue({ hosts: ["other.example"] })]
      const renewed = authority.issue({ hosts: ["one.example"], renews: one })
      for (const client of [one, undefined, other, one, renewed, one, undefined]) {
        const clientCertificate = client && { certificate: client.cert, key: Redacted.make(client.key) }
        const expected = client === undefined ? "none" : new X509Certificate(client.cert).fingerprint256
        const answer = yield* send(`https://shop.example:${port}/`, { clientCertificate })
        yield* equal("the answer", answer, answered(200, expected))
      }
      const clientCertificate = { certificate: one.cert, key: Redacted.make(other.key) }
      const refused = yield* send(`https://shop.example:${port}/`, { clientCertificate })
      yield* equal("with another key", refused, unanswered("tls", "certificateUnusable"))
      yield* holds(`a connection for each of them at least, not ${sockets.length}`, sockets.length >= 3)
    }),
  },
  {
    id: "tls.client.unusable",
    title: "MUST end with tls and connect to nothing if TLS can't use the client certificate of a request",
    requirements: ["D55"],
    run: Effect.gen(function* () {
      const { port, sockets } = yield* receiver({
        ...answering,
        certificate: authority.issue({ hosts: ["shop.example"] }),
      })
      const [one, other] = [authority.issue({ hosts: ["one.example"] }), authority.issue({ hosts: ["other.example"] })]
      for (const [certificate, key] of [
        ["-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----", one.key],
        [one.cert, other.key],
      ] as const) {
        const clientCertificate = { certificate, key: Redacted.make(key) }
        const answer = yield* send(`https://shop.example:${port}/`, { clientCertificate })
        yield* equal("the answer", answer, unanswered("tls", "certificateUnusable"))
      }
      yield* equal("connections", sockets.length, 0)
    }),
  },
])
