import type { TokenRecord } from "../../model/access/Token.ts"
import { service } from "../../model/audit/Actor.ts"
import type { AuditAction, AuditEntry } from "../../model/audit/AuditEntry.ts"
import type { EventKind } from "../../model/events/Event.ts"
import type { Health } from "../../model/Health.ts"
import { format, type Instant } from "../../model/Instant.ts"
import { type InboxEntry, isDone } from "../../model/ingest/InboxItem.ts"
import type { PlatformRecord } from "../../model/ingest/PlatformConnection.ts"
import type {
  DeliveryNotice,
  InboxNotice,
  PlatformEventNotice,
  PlatformNotice,
  TokenNotice,
} from "../../model/Resources.ts"
import type { Attempt, DeliveryStatus } from "../../model/webhooks/Delivery.ts"
import { type NoticeRecord, noticeOf } from "../../model/webhooks/Notice.ts"
import { newTroubles } from "../ingest/Reconciled.ts"
import { endedAt } from "./DeliveryState.ts"

/** Consecutive failed attempts after which the operator gets a notice (D42). */
const failuresToTell = 10

/** How long before the end of a token the operator gets a notice (D77), in milliseconds: seven days. */
const beforeEnd = 604_800_000

type DeliveryNoticeKind = DeliveryNotice["notice"]

/** A settled attempt. */
interface Settled {
  readonly claim: {
    readonly shop: string
    readonly deliveryId: string
    readonly endpointId: string
    readonly event: EventKind
    readonly test: boolean
    readonly url: string
  }
  readonly attempt: Attempt
  readonly status: DeliveryStatus
}

/**
 * Notices caused by a settled attempt (D42); `before` and `after` are the endpoint's health. Attempts of test events
 * cause none, because their sender sees the result.
 *
 * A notice's id is derived from its attempt, so that no notice is stored twice.
 */
export const noticesOf = (
  { attempt, claim, status }: Settled,
  before: Health,
  after: Health,
): ReadonlyArray<NoticeRecord> => {
  if (claim.test) return []
  const kinds: ReadonlyArray<DeliveryNoticeKind> = [
    ...(before.consecutiveFailures < failuresToTell && after.consecutiveFailures >= failuresToTell
      ? (["endpoint.failing"] as const)
      : []),
    ...(before.status === "active" && after.status === "switched_off" ? (["endpoint.switched_off"] as const) : []),
    ...(status === "failed" ? (["delivery.given_up"] as const) : []),
  ]
  return kinds.map((notice) => {
    const createdAt = endedAt(attempt)
    const told: DeliveryNotice = {
      id: `ntc_${claim.deliveryId.replace(/^dlv_/, "")}_${attempt.number}${letters[notice]}`,
      notice,
      createdAt: format(createdAt),
      shop: claim.shop,
      endpoint: { id: claim.endpointId, url: claim.url, consecutiveFailures: after.consecutiveFailures },
      delivery: {
        id: claim.deliveryId,
        event: claim.event,
        attempts: attempt.number,
        statusCode: attempt.statusCode,
        error: attempt.error,
      },
    }
    return { shop: claim.shop, id: told.id, createdAt, body: JSON.stringify(told) }
  })
}

const letters: Readonly<Record<DeliveryNoticeKind, string>> = {
  "endpoint.failing": "f",
  "endpoint.switched_off": "o",
  "delivery.given_up": "g",
}

/** The id of the notice about the end of a token. */
export const endingId = (tokenId: string): string => `ntc_${tokenId.replace(/^tok_/, "")}_e`

/**
 * The notice about the end of a new token, for a store to keep with it (D77): due seven days before the end, or at once
 * if the token has less. Its id is derived from the token's, so that there is one for each token; none for a token
 * without an end.
 */
export const endingOf = ({ createdAt, expiresAt, hint, id, name, shop }: TokenRecord): ReadonlyArray<NoticeRecord> => {
  if (expiresAt === null) return []
  const due = Math.max(createdAt, expiresAt - beforeEnd)
  const told: TokenNotice = {
    id: endingId(id),
    notice: "token.ending",
    createdAt: format(due),
    shop,
    token: { id, name, hint, expiresAt: format(expiresAt) },
  }
  return [{ shop, id: told.id, createdAt: due, body: JSON.stringify(told) }]
}

const day = 86_400_000

/**
 * The instant before which a store drops events of platforms: the beginning of the UTC day of `PruneStep.eventsBefore`.
 * Whole days are dropped, so that there is one notice for each shop and day, however often stores are pruned.
 */
export const inboxBefore = (eventsBefore: Instant): Instant => Math.floor(eventsBefore / day) * day

/** Whether an event was dropped before it came to its end: {@link droppedOf} is about these. */
export const isLost = ({ state }: Pick<InboxEntry, "state">): boolean => !isDone(state)

/**
 * The notice about the events of a shop that a store has dropped and that are {@link isLost lost}, for the store to
 * keep with their removal (D57): how many they are, and the oldest, by `receivedAt` and then by id. Its id is derived
 * from the oldest's.
 */
export const droppedOf = (events: number, oldest: InboxEntry, now: Instant): NoticeRecord => {
  const { id, orderId, reason, receivedAt, shop, source, state, topic } = oldest
  const told: InboxNotice = {
    id: `ntc_${id.replace(/^inb_/, "")}_d`,
    notice: "inbox.dropped",
    createdAt: format(now),
    shop,
    inbox: {
      events,
      oldest: {
        ...{ id, source, topic, orderId, state: state === "waiting" ? state : "failed", reason },
        receivedAt: format(receivedAt),
      },
    },
  }
  return { shop, id: told.id, createdAt: now, body: JSON.stringify(told) }
}

/**
 * How long an event may wait without alarming anybody, in milliseconds (D85): 15 minutes for its design or its turn, 24
 * hours for payment.
 */
const untroubled = { failed: 0, waiting: 900_000, unpaid: day }

/** Events that came earlier raise no notice: the store drops notices after 30 days, and would raise theirs again. */
const raisedFor = 7 * day

/**
 * The latest `receivedAt` with which an event of each state is in trouble, and the earliest with which a notice reports
 * it.
 */
export const troubleAt = (now: Instant) => ({
  failed: now - untroubled.failed,
  waiting: now - untroubled.waiting,
  unpaid: now - untroubled.unpaid,
  toldSince: now - raisedFor,
})

/** Whether somebody should look at an event: it has failed, or has waited for too long (D85). */
export const isTroubled = ({ receivedAt, state }: Pick<InboxEntry, "receivedAt" | "state">, now: Instant): boolean =>
  (state === "failed" || state === "waiting" || state === "unpaid") && receivedAt <= troubleAt(now)[state]

/** The kinds of trouble, and the end of the ids of notices about each. */
export const troubleLetters = { failed: "f", waiting: "w" } as const
export type Trouble = keyof typeof troubleLetters

/** The kind of trouble that an event in trouble is in. */
export const kindOfTrouble = ({ state }: Pick<InboxEntry, "state">): Trouble =>
  state === "failed" ? "failed" : "waiting"

/** A shop has one notice of a kind in this time, in milliseconds, however many events are in trouble: one hour. */
export const betweenTroubles = 3_600_000

/** A notice reports at most this many events; others have the next one. It names the orders of the first ten. */
export const toldTogether = 1_000
const namedTogether = 10

/**
 * The notice about events of a shop that {@link isTroubled are in trouble} of one kind, and that no notice has reported
 * (D85): the oldest first. `events`: how many are in that trouble now. Its id is derived from the oldest's.
 */
export const troubleOf = (
  told: readonly [InboxEntry, ...ReadonlyArray<InboxEntry>],
  events: number,
  now: Instant,
): NoticeRecord => {
  const [oldest] = told
  const { id, orderId, reason, receivedAt, shop, source, topic } = oldest
  const state = oldest.state === "waiting" || oldest.state === "unpaid" ? oldest.state : "failed"
  const kind = kindOfTrouble(oldest)
  const orders = [...new Set(told.flatMap((entry) => entry.orderId ?? []))].slice(0, namedTogether)
  const notice: PlatformEventNotice = {
    id: `ntc_${id.replace(/^inb_/, "")}_${troubleLetters[kind]}`,
    notice: `inbox.${kind}`,
    createdAt: format(now),
    shop,
    inbox: { id, source, topic, orderId, state, reason, receivedAt: format(receivedAt), events, orders },
  }
  return { shop, id: notice.id, createdAt: now, body: JSON.stringify(notice) }
}

/**
 * The notices that a platform has ended its connection, no longer accepts the access key, or has lost webhooks (D85,
 * D88), for a store to keep with the change; none for any other change. Their ids are derived from the connection and
 * the time.
 */
export const disconnectionOf = (
  before: PlatformRecord | null,
  after: PlatformRecord | null,
): ReadonlyArray<NoticeRecord> => {
  if (after === null) return []
  const { disconnectedAt: at, domain, platform, reconciling, shop } = after
  const told = (letter: string, createdAt: Instant, reason: string | null): NoticeRecord => {
    const notice: PlatformNotice = {
      id: `ntc_${platform}_${createdAt}_${letter}`,
      notice: "platform.disconnected",
      createdAt: format(createdAt),
      shop,
      platform: { name: platform, domain, reason },
    }
    return { shop, id: notice.id, createdAt, body: JSON.stringify(notice) }
  }
  const { missing, trouble } = newTroubles(before, after)
  const since = reconciling.askedAt ?? after.changedAt
  return [
    ...(at === null || (before?.disconnectedAt ?? null) !== null ? [] : [told("p", at, null)]),
    ...(trouble?.kind === "key" ? [told("k", trouble.since, trouble.reason)] : []),
    ...(missing.length === 0
      ? []
      : [told("w", since, `Its webhooks are gone or switched off: ${reconciling.missing.join(", ")}`)]),
  ]
}

const actions: Readonly<Partial<Record<DeliveryNoticeKind, AuditAction>>> = {
  "endpoint.failing": "endpoint.failing",
  "endpoint.switched_off": "endpoint.switched_off",
}

/** The audit's entries about endpoints that the service changed or saw failing, by its notices (D59). */
export const entriesOf = (notices: ReadonlyArray<NoticeRecord>): ReadonlyArray<AuditEntry> =>
  notices.flatMap((record) => {
    const told = noticeOf(record)
    if (!("endpoint" in told)) return []
    const { endpoint, notice } = told
    const action = actions[notice]
    if (action === undefined) return []
    const { consecutiveFailures, id } = endpoint
    const isOff = notice === "endpoint.switched_off"
    return {
      shop: record.shop,
      id: record.id.replace(/^ntc_/, "aud_"),
      at: record.createdAt,
      actor: service,
      action,
      subject: { type: "endpoint" as const, id },
      before: isOff ? { status: "active" } : null,
      after: { ...(isOff ? { status: "switched_off" } : {}), consecutiveFailures },
    }
  })
