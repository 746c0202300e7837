import { inject } from "vitest"
import type { Selection } from "../../index.ts"

declare module "vitest" {
  export interface ProvidedContext {
    /** Whether variants run the whole suite, and other long tests their longest form: `npm run test:all`. */
    readonly wholeMatrix: boolean
  }
}

/**
 * Cases that together run every statement of the SQL adapters, in every kind of transaction. `Postgres.test.ts` runs
 * the whole suite, and proves that the list is complete.
 */
export const everyStatement: ReadonlyArray<string> = [
  ...["shops.find.exact", "shops.find.unknown", "shops.list.order", "shops.remove"],
  ...["resources.customizer.texts", "resources.customizer.publish", "resources.customizer.ids", "resources.texts"],
  ...["resources.ids", "resources.designs.exact", "resources.commit.stores", "resources.commit.parts"],
  ...["resources.commit.long", "resources.commit.long.stale", "event-store.redact"],
  ...["resources.commit.atomic", "resources.commit.stale", "resources.order.life", "resources.latest"],
  ...["resources.page.next", "resources.page.bytes", "resources.page.counted", "resources.page.empty"],
  ...["resources.page.borders", "resources.transaction.kept", "resources.transaction.read"],
  ...["resources.transaction.stale", "resources.transaction.together", "resources.transaction.undone"],
  ...["resources.remove", "feed.ahead"],
  ...["resources.early.kept", "resources.early.commit", "resources.early.transaction", "resources.early.prune"],
  ...["tokens.find", "tokens.list.order", "tokens.listen.transaction", "tokens.touch", "tokens.revoke.gone"],
  ...["tokens.caught-up.elsewhere", "rate.apart", "rate.peek"],
  ...["endpoints.add.exact", "endpoints.change.given", "endpoints.list.ties", "endpoints.turn-on", "endpoints.remove"],
  ...["dropped.pending", "dropped.claimed", "dropped.open"],
  ...["secrets.list", "secrets.removed", "secrets.replace"],
  ...["events.commit.deliveries", "events.commit.many", "events.commit.stale", "events.commit.race"],
  ...["events.transaction", "event-store.of-designs", "feed.transaction"],
  ...["signals.commit.elsewhere", "signals.transaction", "signals.turn-on.here"],
  ...["claim.due", "claim.now", "claim.transaction.open", "due.first", "due.retries"],
  ...["settle.stores", "settle.retries", "settle.streak", "settle.health", "release.some", "recover.missed"],
  ...["recover.received", "hold.turn-on", "hold.transaction", "log.attempts.fields", "log.find", "log.missed"],
  ...["log.activity.limit", "notices.claim", "prune.steps", "prune.add.open", "prune.add.waits", "prune.pending"],
  ...["answers.kept", "answers.ended", "answers.atomic", "answers.transaction", "answers.erase", "answers.prune"],
  ...["upkeep.statistics"],
]

/** What variants of the Postgres adapter run. */
export const variantCases: Selection = inject("wholeMatrix") ? {} : { only: everyStatement }
