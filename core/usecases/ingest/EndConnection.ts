/** A platform's reports of the end of its connection, and of its continuing (D85, D87). */
import { Effect, Result } from "effect"
import { service } from "../../model/audit/Actor.ts"
import type { Instant } from "../../model/Instant.ts"
import type { InboxItem } from "../../model/ingest/InboxItem.ts"
import type { PlatformRecord } from "../../model/ingest/PlatformConnection.ts"
import { platformDomain } from "../../model/ingest/PlatformDomain.ts"
import { logged } from "../../model/log/LogEvent.ts"
import type { Shop } from "../../model/shops/Shop.ts"
import { Inbox } from "../../ports/Inbox.ts"
import * as AuditRules from "../../rules/audit/AuditRules.ts"
import { outcome } from "../../rules/ingest/Outcome.ts"
import type { Reading } from "../../rules/ingest/Reading.ts"
import { auditing, CurrentActor } from "../../support/Auditing.ts"
import { findConnection } from "./Connections.ts"
import { wrongEnd } from "./OrderChanges.ts"

/** Changes the end of a connection, unless it was removed meanwhile. */
const setEnd = (
  { platform, shop }: Pick<PlatformRecord, "shop" | "platform">,
  rule: typeof AuditRules.platform,
  endOf: (record: PlatformRecord) => Instant | null,
) =>
  auditing(rule, (audited) =>
    Inbox.use((inbox) =>
      inbox.updatePlatform(
        shop,
        platform,
        (record) => Result.succeed(record && { ...record, disconnectedAt: endOf(record) }),
        audited,
      ),
    ),
  ).pipe(Effect.provideService(CurrentActor, service), Effect.catchTag("DomainTaken", Effect.die))

/**
 * A platform sends nothing more. The connection says so, and people are notified. Without a connection the event itself
 * notifies them: it has failed.
 */
export const endOf = Effect.fnUntraced(function* (
  shop: Shop,
  { domains, reason }: Extract<Reading, { readonly _tag: "Ended" }>,
  { receivedAt, source, triggeredAt }: Pick<InboxItem, "receivedAt" | "source" | "triggeredAt">,
) {
  const connection = yield* findConnection(shop.id, source)
  if (connection === undefined) return outcome("failed", reason)
  const isNamed = domains.some((named) => platformDomain(named) === connection.domain)
  if (!isNamed) return outcome("failed", wrongEnd({ ...shop, domain: connection.domain }, domains[0] ?? null))
  const at = triggeredAt ?? receivedAt
  yield* setEnd(connection, AuditRules.disconnection, ({ disconnectedAt }) => disconnectedAt ?? at)
  yield* Effect.logWarning(`${reason}: shop ${shop.id}, ${source}, ${connection.domain}`).pipe(
    logged("platform.disconnected", { shop: shop.id, source, domain: connection.domain }),
  )
  return outcome("applied", reason)
})

/** A connection that had ended continues, if a later event is about an order. The event does not fail with it. */
export const resume = (
  connection: PlatformRecord,
  { receivedAt, triggeredAt }: Pick<InboxItem, "receivedAt" | "triggeredAt">,
) => {
  const { disconnectedAt } = connection
  if (disconnectedAt === null || (triggeredAt ?? receivedAt) <= disconnectedAt) return Effect.void
  const { platform: source, shop } = connection
  return Effect.catch(
    setEnd(connection, AuditRules.reconnection, () => null),
    (error) =>
      Effect.logWarning("A platform sends orders again. That could not be noted; its next event notes it", error).pipe(
        logged("platform.not_resumed", { shop, source }),
      ),
  )
}
