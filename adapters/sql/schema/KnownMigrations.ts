/** The versions of the schema that this version of designwire knows. */
import { Context } from "effect"
import { baseline } from "./Baseline.ts"
import {
  attemptCounts,
  auditEntries,
  drafts,
  endpointOptions,
  eventTraces,
  inbox,
  inboxTold,
  inboxTriggered,
  keptAnswers,
  moves,
  oneDueQueue,
  orderSearch,
  paces,
  receivers,
  savedDesigns,
  settingsMarks,
  shopDomains,
  subjects,
  tokenScopes,
  unstoredOrders,
} from "./LaterMigrations.ts"
import { ordering, orderingIndexes } from "./Ordering.ts"
import { orderLines } from "./OrderLines.ts"
import { platforms, reconciling } from "./Platforms.ts"

/**
 * The SQL of each version of the schema, in order: `<number>_<name>`. Databases keep account of the names, so a
 * migration is never edited or renamed once it was released; what changes is added at the end.
 */
export const migrations: Readonly<Record<string, ReadonlyArray<string>>> = {
  "1_baseline": baseline,
  "2_unstored_orders": unstoredOrders,
  "3_kept_answers": keptAnswers,
  "4_one_due_queue": oneDueQueue,
  "5_attempt_counts": attemptCounts,
  "6_subjects": subjects,
  "7_audit_entries": auditEntries,
  "8_settings_marks": settingsMarks,
  "9_order_search": orderSearch,
  "10_shop_domains": shopDomains,
  "11_event_traces": eventTraces,
  "12_compatible_with": ["ALTER TABLE designwire.migrations ADD COLUMN compatible_with integer"],
  "13_endpoint_options": endpointOptions,
  "14_token_scopes": tokenScopes,
  "15_inbox": inbox,
  "16_ordering": ordering,
  "17_ordering_indexes": orderingIndexes,
  "18_paces": paces,
  "19_moves": moves,
  "20_inbox_triggered": inboxTriggered,
  "21_receivers": receivers,
  "22_order_lines": orderLines,
  "23_platforms": platforms,
  "24_inbox_told": inboxTold,
  "25_saved_designs": savedDesigns,
  "26_drafts": drafts,
  "27_reconciling": reconciling,
}

/**
 * The newest migration that hosts must know to continue alongside a migration, by its name. An expanding migration
 * names an older one, so that hosts of the version before continue; the number of a migration itself stops them. Every
 * migration from the twelfth on has an entry, and databases keep it: a host looks there for migrations that it does not
 * know.
 */
export const compatibleWith: Readonly<Record<string, number>> = {
  // Hosts from before it stop at any migration that they don't know.
  "12_compatible_with": 12,
  // They deliver as before, whatever options an endpoint has.
  "13_endpoint_options": 12,
  // They know neither ends nor scopes: tokens may have them once every host is upgraded.
  "14_token_scopes": 12,
  // They take no events of platforms.
  "15_inbox": 12,
  // They add deliveries in no line: endpoints may be ordered once every host is upgraded. Lines continue alongside
  // them.
  "16_ordering": 12,
  "17_ordering_indexes": 12,
  // They know no pace: endpoints may have one once every host is upgraded.
  "18_paces": 12,
  // They don't say of a shop that it has moved: shops may move once every host is upgraded.
  "19_moves": 12,
  // Their events say nothing of it: of two of one second, the later one counts.
  "20_inbox_triggered": 12,
  // They ask the tables.
  "21_receivers": 12,
  // They show no lines, place orders that are not paid, and leave the states of events of platforms to newer hosts.
  "22_order_lines": 12,
  // They know only the service's secrets: shops may be connected once every host is upgraded.
  "23_platforms": 12,
  // They send a notice for each event.
  "24_inbox_told": 12,
  // A draft that they save again counts from when it was saved first.
  "25_saved_designs": 12,
  "26_drafts": 12,
  // They ask no platform.
  "27_reconciling": 12,
}

/** Migrations as a version of designwire knows them. */
export interface MigrationList {
  readonly migrations: typeof migrations
  readonly compatibleWith: typeof compatibleWith
}

/** The migrations that the current host knows. */
export const KnownMigrations = Context.Reference<MigrationList>("designwire/sql/KnownMigrations", {
  defaultValue: () => ({ migrations, compatibleWith }),
})

/** The number of a migration, by its name. */
export const numberOf = (name: string): number => Number.parseInt(name, 10)

/** The number of the newest migration that a host knows. */
export const latestOf = ({ migrations }: MigrationList): number => Math.max(...Object.keys(migrations).map(numberOf))

/** The migration that hosts must know at least, to continue once these have run. */
export const leastFor = ({ compatibleWith }: MigrationList, names: ReadonlyArray<string>): number =>
  Math.max(0, ...names.map((name) => compatibleWith[name] ?? numberOf(name)))
