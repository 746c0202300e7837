/**
 * Profiles: what a report can certify. Each is a fixed list of cases, so that two reports on a version of a profile
 * mean the same. A list never changes without a new version: `Profiles.test.ts` has the digest of each.
 */
import { canonical } from "./Canonical.ts"

/** The names of the profiles of services. */
export const serviceProfiles = ["rest", "webhooks", "evaluation", "feed", "full"] as const

/** The names of all profiles. */
export const profileNames = [...serviceProfiles, "receiver"] as const

export type ProfileName = (typeof profileNames)[number]

/** A fixed list of cases. */
export interface Profile {
  readonly name: ProfileName
  /** 1 and up: another list is another version. */
  readonly version: number
  /** Ids of cases that must pass. */
  readonly required: ReadonlyArray<string>
  /** Ids of cases that may be skipped and must not fail: not every driver can do what they need. */
  readonly optional: ReadonlyArray<string>
}

/** Ids of cases with the same beginning. */
const group = (name: string, rest: string): ReadonlyArray<string> => rest.split(" ").map((each) => `${name}.${each}`)

/** Everything of the REST API that needs no webhooks and none of the features beyond the specification. */
const rest = [
  ...group("access", "missing altered scheme secrets origins other other.all apart revoked tokens plan"),
  ...group("tokens", "hundred"),
  ...group("routes", "unknown prefix methods version customizers ids checks ids.any ids.part head.unknown"),
  ...group("shape", "orders same customizer draft created images images.order images.kept images.views order"),
  ...group("shape", "order.many customizer.states definition money instants state"),
  ...group("pages", "walk link form limits many link.all ties added total token filter bytes beside objects"),
  ...group("query", "refused unknown after limit cursor cursor.other after.epoch after.forms after.refused"),
  ...group("query", "unknown.all"),
  ...group("conditional", "headers match head end forms tokens changes"),
  ...group("rates", "headers count plan limit checks window"),
  ...group("states", "again frozen changes cancel cancel.early version unpublished"),
  ...group("orders", "same more refused none conflicts one-design currency sum"),
]

const webhooks = [
  ...group("endpoints", "secret five public kinds plan"),
  ...group("deliveries", "ordered once cancelled created endpoints refused plan redeliver test.ping test.sample"),
  ...group("deliveries", "log log.length"),
  ...group("retries", "schedule success trace failures redirect timeout test redelivered"),
  ...group("off", "twenty exact recover reset"),
]

/** Pausing an endpoint is a call that many services do not have. */
const maybeWebhooks = group("off", "pause")

const evaluation = group("evaluation", "vectors refused definitions numbers")

const feed = [
  ...group("feed", "form access answers query events pages latest types writers"),
  ...group("feed", "cursor.altered cursor.forged cursor.other"),
  ...group("cursor", "joined"),
]

/** They need a driver that drops events, and a place to receive deliveries at. */
const maybeFeed = group("feed", "gone delivered")

/** Features beyond the specification, and the crash. */
const others = [
  ...group("rotation", "promote overlap at-once refused"),
  ...group("standard", "default headers rotation"),
  ...group("options", "reference customizers headers oauth ordering pace retry-after"),
  ...group("scopes", "refused feed end input"),
  ...group("restart", "kept retries committed"),
]

const receiver = [
  ...group("signed", "kinds test bytes unknown delayed"),
  ...group("repeated", "again together"),
  ...group("order", "reversed"),
  ...group("size", "large slow"),
  ...group("forged", "secret body timestamp form"),
  ...group("late", "past future"),
]

/** Not every receiver reads the headers of Standard Webhooks. */
const maybeReceiver = group("standard", "several")

/**
 * Cases of no profile: what must happen instead of a feature that is missing, and what only hosts that take webhooks of
 * shop platforms can show.
 */
export const unlisted: ReadonlyArray<string> = [
  ...["feed.none", "rotation.none", "endpoints.public.default"],
  ...group("strangers", "bodies-of-one bodies-of-many"),
]

/** The profiles by name. */
export const profiles: Readonly<Record<ProfileName, Profile>> = {
  rest: { name: "rest", version: 1, required: rest, optional: [] },
  webhooks: { name: "webhooks", version: 1, required: webhooks, optional: maybeWebhooks },
  evaluation: { name: "evaluation", version: 1, required: evaluation, optional: [] },
  feed: { name: "feed", version: 1, required: feed, optional: maybeFeed },
  full: {
    name: "full",
    version: 1,
    required: [...rest, ...webhooks, ...evaluation, ...feed, ...others],
    optional: [...maybeWebhooks, ...maybeFeed],
  },
  receiver: { name: "receiver", version: 1, required: receiver, optional: maybeReceiver },
}

/** The text whose digest stands for a profile. */
export const profileText = ({ name, optional, required, version }: Profile): string =>
  canonical({ name, version, required: required.toSorted(), optional: optional.toSorted() })
