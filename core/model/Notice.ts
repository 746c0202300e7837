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

/** The notice of a stored body. */
export const noticeOf = ({ body }: Pick<NoticeRecord, "body">): Notice => JSON.parse(body) as Notice

/** A notice as a sentence, without the endpoint's URL, which may contain a secret. */
export const sentenceOf = ({ delivery, endpoint, notice, shop }: Notice): string => {
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
