import { type TlsFault, tlsFaults } from "../../../../../core/model/webhooks/TlsFault.ts"
import { figuresOf } from "../../../parts/Figures.ts"

const { figure } = figuresOf("en-GB")

/** The words for deliveries, their attempts and their outcomes. */
export const deliveries = {
  states: { succeeded: "Delivered", failed: "Failed", pending: "Pending", dropped: "Dropped" },
  underWay: "Under way",
  attempts: (made: number, maximum: number) => `${made} of ${maximum}`,
  milliseconds: (number: number) => `${figure(number)} ms`,
  statusAndReason: (code: number, reason: string) => `${code}: ${reason}`,
  notFound: "The host was not found",
  refused: "The connection was refused, or the host can't be reached",
  noConnection: (seconds: number) => `No connection within ${seconds} seconds`,
  certificate: "The certificate was not accepted",
  tls: tlsFaults as Readonly<Record<TlsFault, string>>,
  notReady: (seconds: number) => `The connection was not ready within ${seconds} seconds`,
  noResponse: (seconds: number) => `No response within ${seconds} seconds`,
  redirects: "Redirects are not followed",
  notPublic: "The host has a non-public address",
  closed: "The connection was closed",
  noToken: "No access token, so nothing was sent",
}
