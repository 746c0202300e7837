/** The state of the look for lost orders of a connection (D88). Times are arguments. */
import type { Instant } from "../../model/Instant.ts"
import { neverAsked, type PlatformRecord, type Reconciling } from "../../model/ingest/PlatformConnection.ts"
import type { ApiFault } from "./ApiAnswer.ts"

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]

/** From the beginning of one look to the next: what was lost is found within the hour, the look itself included. */
const interval = 50 * minute

/** How far a look goes back before the last one: platforms show changes late, and clocks differ. */
const overlap = day

/** How long a worker has a connection for itself. Each page gives it the time again. */
const lease = 10 * minute

/** After an outage, or if it was asked too much, a platform is asked again after this time, or when it says. */
const retry = 15 * minute

/** The time from which a look begins: a day before the last one. */
export const beginningOf = ({ createdAt, reconciling }: PlatformRecord): Instant =>
  (reconciling.askedAt ?? createdAt) - overlap

/** A worker takes a connection that is due. An interrupted look continues from the instant that it had reached. */
export const taken = (record: PlatformRecord, now: Instant): PlatformRecord => ({
  ...record,
  dueAt: now + lease,
  reconciling: {
    ...record.reconciling,
    run: record.reconciling.run ?? { startedAt: now, from: beginningOf(record) },
  },
})

/** Whether a worker may take a connection. */
export const isDue = ({ accessKey, dueAt }: PlatformRecord, now: Instant): boolean =>
  accessKey !== null && (dueAt ?? 0) <= now

/** A look has come to an instant. */
export const reachedTo = (record: PlatformRecord, from: Instant, now: Instant): PlatformRecord => {
  const { run } = record.reconciling
  return run === null
    ? record
    : { ...record, dueAt: now + lease, reconciling: { ...record.reconciling, run: { ...run, from } } }
}

/** A look has come to its end. */
export const looked = (
  record: PlatformRecord,
  kept: Pick<Reconciling, "webhooks" | "missing" | "checked">,
  now: Instant,
): PlatformRecord => {
  const startedAt = record.reconciling.run?.startedAt ?? now
  return {
    ...record,
    dueAt: Math.max(now, startedAt + interval),
    reconciling: { ...record.reconciling, ...kept, askedAt: startedAt, run: null, trouble: null },
  }
}

/** The platform does not answer. */
export const notAnswered = (
  record: PlatformRecord,
  { kind, message, wait }: ApiFault,
  now: Instant,
): PlatformRecord => {
  const { trouble } = record.reconciling
  const isKey = kind === "key"
  const isSame = trouble !== null && (trouble.kind === "key") === isKey
  return {
    ...record,
    dueAt: now + (isKey ? interval : Math.min(hour, Math.max(retry, wait ?? 0))),
    reconciling: {
      ...record.reconciling,
      trouble: { kind: isKey ? "key" : "outage", reason: message, since: isSame ? trouble.since : now },
    },
  }
}

/** New troubles of a changed connection: each is reported once. */
export const newTroubles = (before: PlatformRecord | null, after: PlatformRecord) => {
  const [was, is] = [before?.reconciling ?? neverAsked, after.reconciling]
  return {
    trouble: is.trouble !== null && is.trouble.since !== was.trouble?.since ? is.trouble : null,
    missing: is.missing.filter((topic) => !was.missing.includes(topic)),
  }
}
