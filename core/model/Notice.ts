import type { Instant } from "./Instant.ts"
import type { Notice } from "./Resources.ts"

/** A notice as it is kept. */
export interface NoticeRecord {
  readonly shop: string
  readonly id: string
  readonly createdAt: Instant
  /** JSON of the {@link Notice}, sent byte for byte. */
  readonly body: string
}

/** A notice of which its body is kept. */
export const noticeOf = ({ body }: Pick<NoticeRecord, "body">): Notice => JSON.parse(body) as Notice

/** A notice as a sentence. The endpoint's URL may hold a secret: it is not in it. */
export const sentenceOf = ({ delivery, endpoint, notice, shop }: Notice): string => {
  const of = `the endpoint ${endpoint.id} of the shop ${shop}`
  switch (notice) {
    case "endpoint.failing":
      return `Deliveries to ${of} have failed ${endpoint.consecutiveFailures} times in a row`
    case "endpoint.switched_off":
      return `${of[0]?.toUpperCase()}${of.slice(1)} was switched off: its deliveries have failed ${endpoint.consecutiveFailures} times in a row`
    case "delivery.given_up":
      return `The delivery ${delivery.id} to ${of} was given up after ${delivery.attempts} attempts`
  }
}
