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
  ...["shops.list.order", "shops.remove.begun", "shops.remove.purge", "upkeep.statistics", "upkeep.backlog"],
  ...["time.hosts", "time.transaction", "probe.well"],
  ...["tokens.caught-up.elsewhere", "tokens.find.transaction", "tokens.touch.gone", "sessions.shop"],
  ...["rate.apart.concurrent"],
  ...["resources.commit.atomic.last", "resources.commit.long", "resources.commit.parts"],
  ...[
    "resources.commit.stale.order.missing",
    "resources.customizer.list",
    "resources.design.exists",
    "resources.designs",
  ],
  ...["resources.orders.stale", "resources.orders.together", "resources.orders.transaction"],
  ...["events.orders.together", "events.commit.quiet", "drafts.list", "drafts.ended"],
  ...["resources.customizer.publish.rolled-back", "resources.customizer.versions", "resources.early.commit"],
  ...["resources.early.transaction", "resources.order.life", "resources.page.borders", "resources.page.empty"],
  ...["resources.remove.transaction", "resources.search.designs", "resources.search.exact"],
  ...[
    "resources.search.customizer",
    "resources.search.filters",
    "resources.search.pages",
    "resources.texts",
    "resources.lines",
    "resources.transaction.kept",
    "resources.transaction.read",
  ],
  ...["resources.transaction.together", "events.commit.many", "events.commit.stale", "events.transaction.undone"],
  ...["event-store.redact.long", "feed.ahead", "endpoints.change.given", "endpoints.list.ties"],
  ...[
    "secrets.removed",
    "secrets.replace.both",
    "claim.due",
    "claim.now",
    "claim.trace",
    "settle.stores",
    "try.already-due",
  ],
  ...["ordering.changed", "ordering.dropped", "ordering.line"],
  ...["pace.changed", "pace.concurrent", "pace.rate"],
  ...["resend.filter", "resend.steps", "prune.log.time", "prune.pending", "signals.transaction"],
  ...["notices.claim.open", "views.activity", "views.endpoints", "views.mark", "views.page"],
  ...[
    "log.counts.transaction",
    "log.list.part",
    "search.attempts",
    "search.claimed",
    "search.events",
    "search.find",
    "search.page",
    "search.pending",
    "search.spellings",
    "search.waiting",
  ],
  ...["audit.deliveries", "audit.endpoints.none", "audit.list", "audit.list.filter", "audit.transaction"],
  ...["answers.atomic", "answers.erase"],
  ...["wanted.changed", "wanted.new"],
  ...[
    "inbox.again",
    "inbox.atomic",
    "inbox.erase",
    "inbox.erase.many",
    "inbox.known",
    "inbox.list",
    "inbox.list.order",
    "inbox.list.saying",
    "inbox.order",
    "inbox.order.atomic",
    "inbox.placed",
    "inbox.put",
    "inbox.raise",
    "inbox.ready",
    "inbox.ready.shop",
    "inbox.settles",
    "platforms.all",
    "platforms.domain",
    "platforms.due",
    "platforms.put",
    "platforms.told",
    "platforms.transaction",
    "platforms.update",
    "inbox.size",
    "inbox.triggered",
    "inbox.waiting",
  ],
  ...["resources.early.withdrawn", "resources.early.withdrawn.inbox", "resources.early.withdrawn.transaction"],
]

/** What variants of the Postgres adapter run. */
export const variantCases: Selection = inject("wholeMatrix") ? {} : { only: everyStatement }

/** Cases that together send and read every type of value, within transactions too. */
const everyValue: ReadonlyArray<string> = [
  ...["time.transaction", "tokens.find.transaction", "tokens.touch.gone", "sessions.shop", "resources.commit.parts"],
  ...["resources.customizer.versions", "resources.designs.exact", "resources.search.pages", "resources.texts"],
  ...["resources.transaction.kept", "events.transaction.undone", "feed.ahead", "endpoints.change.given", "claim.trace"],
  ...["settle.stores", "pace.changed", "notices.claim.open", "views.activity", "log.counts.transaction"],
  ...["audit.list.filter", "answers.atomic", "inbox.list", "inbox.order.atomic"],
]

/** What runs where values may be converted otherwise than by `pg`, or statements go another way. */
export const valueCases: Selection = inject("wholeMatrix") ? {} : { only: everyValue }
