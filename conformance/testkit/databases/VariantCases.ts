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
  ...["shops.remove.again", "shops.remove.purge.again", "upkeep.statistics", "upkeep.backlog"],
  ...["tokens.find.transaction", "tokens.touch.gone", "tokens.caught-up.elsewhere", "rate.apart.concurrent"],
  ...["resources.texts", "resources.customizer.publish.rolled-back", "resources.latest.none"],
  ...["resources.commit.stores", "resources.commit.parts", "resources.commit.long", "resources.commit.atomic.last"],
  ...[
    "resources.early.commit",
    "resources.early.transaction",
    "resources.remove.events",
    "resources.remove.transaction",
  ],
  ...["resources.search.texts", "resources.search.filters", "resources.search.pages", "resources.search.designs"],
  ...["resources.customizer.list", "resources.customizer.versions"],
  ...["resources.page.next", "resources.page.empty", "resources.page.refused"],
  ...[
    "resources.transaction.kept",
    "resources.transaction.read",
    "resources.transaction.stale",
    "resources.transaction.together",
  ],
  ...[
    "events.commit.deliveries",
    "events.commit.many",
    "events.commit.stale",
    "events.commit.race",
    "events.transaction.undone",
  ],
  ...["event-store.redact.long", "feed.ahead", "feed.redacted"],
  ...["endpoints.change.given", "endpoints.list.ties", "secrets.removed", "secrets.replace.both"],
  ...["claim.due", "claim.now", "settle.stores", "settle.retries", "release.some", "recover.missed"],
  ...["try.due", "try.suspended", "resend.finished", "resend.filter", "resend.steps"],
  ...["signals.commit.elsewhere", "signals.transaction", "notices.claim.open", "log.counts.mixed", "log.waiting"],
  ...["views.endpoints", "views.page", "views.activity", "views.mark"],
  ...["search.page", "search.pending", "search.events", "search.find"],
  ...["audit.list", "audit.list.filter", "audit.transaction", "audit.endpoints", "audit.customizers", "audit.service"],
  ...["audit.tokens", "audit.orders", "audit.deliveries", "audit.prune", "audit.add.transaction"],
  ...["prune.add.open", "prune.pending", "answers.kept", "answers.atomic", "answers.erase"],
  ...["sessions.spend", "sessions.epoch"],
  ...["prune.add.open", "prune.pending", "prune.log.time", "answers.kept", "answers.atomic", "answers.erase"],
]

/** What variants of the Postgres adapter run. */
export const variantCases: Selection = inject("wholeMatrix") ? {} : { only: everyStatement }
