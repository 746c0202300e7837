import type { Instant } from "../Instant.ts"
import { quoteId } from "../json/Json.ts"
import type { Notice, PlatformEventNotice } from "../Resources.ts"

/** A notice as it is kept. */
export interface NoticeRecord {
  readonly shop: string
  readonly id: string
  readonly createdAt: Instant
  /** JSON of the {@link Notice}, sent byte for byte. */
  readonly body: string
}

/** The notice of a stored body. */
export const noticeOf = ({ body }: Pick<NoticeRecord, "body">): Notice => JSON.parse(body) as Notice

/** A notice as a sentence, without the endpoint's URL, which may contain a secret. */
export const sentenceOf = (told: Notice): string => {
  if (told.notice === "token.ending") {
    const { shop, token } = told
    return `The API token ${token.id} of the shop ${shop} ends at ${token.expiresAt}`
  }
  if (told.notice === "inbox.dropped") {
    const { inbox, shop } = told
    const { events, oldest } = inbox
    const about = oldest.orderId === null ? "" : ` about the order ${quoteId(oldest.orderId)}`
    const [what, were] = events === 1 ? ["An event", "was"] : [`${events} events`, "were"]
    const first = events === 1 ? "It" : "The oldest"
    const dropped = `${what} of the platform of the shop ${shop} ${were} dropped and never applied`
    return `${dropped}. ${first} was ${quoteId(oldest.topic)}${about}`
  }
  if ("inbox" in told) return sentenceOfEvent(told)
  if ("platform" in told) {
    const { domain, name, reason = null } = told.platform
    const connection = `The connection of the shop ${told.shop} to ${name} (${quoteId(domain)})`
    return reason === null
      ? `${connection} has ended: no more orders come from it`
      : `${connection} needs attention. ${reason}`
  }
  const { delivery, endpoint, notice, shop } = told
  const name = `endpoint ${endpoint.id} of the shop ${shop}`
  const failed = `have failed ${endpoint.consecutiveFailures} times in a row`
  switch (notice) {
    case "endpoint.failing":
      return `Deliveries to the ${name} ${failed}`
    case "endpoint.switched_off":
      return `The ${name} was switched off: its deliveries ${failed}`
    case "delivery.given_up":
      return `The delivery ${delivery.id} to the ${name} was given up after ${delivery.attempts} attempts`
  }
}

const troubles: Readonly<Record<PlatformEventNotice["inbox"]["state"], string>> = {
  failed: "could not be applied",
  waiting: "has waited for 15 minutes",
  unpaid: "has waited for payment for 24 hours",
}

const troublesOfMany: typeof troubles = {
  failed: "could not be applied",
  waiting: "have waited for 15 minutes for a design, or for 24 hours for payment",
  unpaid: "have waited for 15 minutes for a design, or for 24 hours for payment",
}

const sentenceOfEvent = (notice: PlatformEventNotice): string => {
  const { inbox, shop } = notice
  // Notices that earlier versions have stored are about one event each.
  const { events = 1, orders = [] } = inbox as Partial<typeof inbox>
  if (events === 1) return sentenceOfOne(notice)
  const what = `${events} events of the platform of the shop ${shop} ${troublesOfMany[inbox.state]}`
  const named = orders.length === 0 ? "" : `. Those that are new are about the orders ${orders.map(quoteId).join(", ")}`
  const more = orders.length === 10 ? ", and maybe more" : ""
  return `${what}${named}${more}. The oldest new one: ${sentenceOfOne(notice)}`
}

const sentenceOfOne = ({ inbox, shop }: PlatformEventNotice): string => {
  const { id, orderId, reason, source, state, topic } = inbox
  const about = orderId === null ? "" : ` about the order ${quoteId(orderId)}`
  const event = `The event ${id} (${quoteId(topic)}) of ${source}${about}, of the shop ${shop},`
  return `${event} ${troubles[state]}${reason === null ? "" : `: ${reason}`}`
}
