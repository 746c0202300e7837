/** Helpers for cases of audit entries. */
import { Effect } from "effect"
import type { AuditEntry } from "../../../../core/model/audit/AuditEntry.ts"
import { type AuditQuery, AuditStore } from "../../../../core/ports/AuditStore.ts"
import type { Occasion } from "../../../../core/rules/audit/AuditRules.ts"
import { onOtherHost } from "../StorageCase.ts"
import { someTime, unique } from "../support/Fixtures.ts"

/** An occasion with an id of its own. */
export const newOccasion = (at = someTime): Occasion => ({
  id: `aud_${unique(22)}`,
  at,
  actor: { type: "person", name: `Zoë ${unique(4)} <b>` },
})

/** An entry of a shop. */
export const makeEntry = (shop: string, fields: Partial<AuditEntry> = {}): AuditEntry => ({
  ...newOccasion(),
  shop,
  action: "endpoint.changed",
  subject: { type: "endpoint", id: `whe_${unique(22)}` },
  before: { description: "ERP", standardWebhooks: false },
  after: { description: "Shop", standardWebhooks: true },
  ...fields,
})

/** Every entry of a shop, narrowed down by some fields. */
export const queryOf = (shop: string, fields: Partial<AuditQuery> = {}): AuditQuery => ({
  shop,
  subject: null,
  from: null,
  until: null,
  after: null,
  limit: 1_000,
  ...fields,
})

/** The stores of both hosts. */
export const bothAudits = Effect.all([AuditStore, onOtherHost(AuditStore)])

/** The entries of a shop, as this host sees them, newest first. */
export const entriesOf = (shop: string, fields: Partial<AuditQuery> = {}) =>
  AuditStore.use((store) => store.list(queryOf(shop, fields)))

/** What entries say, without when and by whom. */
export const said = (entries: ReadonlyArray<AuditEntry>) =>
  entries.map(({ action, after, before, subject }) => ({ action, subject, before, after }))
