/** Two people edit one endpoint: neither's change may undo the other's without a word. */
import { Effect, Option, Schema } from "effect"
import type { AuditValue, AuditView } from "../../../core/model/audit/AuditEntry.ts"
import type { Endpoint } from "../../../core/model/webhooks/Endpoint.ts"
import { listAudit } from "../../../core/usecases/audit/ReadAudit.ts"
import type { EndpointInput, SentEndpoint } from "../parts/endpoints/EndpointFields.tsx"
import { shownOAuth } from "../parts/endpoints/OAuthFields.tsx"
import { isSecret, optionNames } from "../parts/endpoints/OptionControls.ts"
import { CurrentShop } from "../Visit.ts"

const names = [...(["url", "description", "events"] as const), ...optionNames]
export type FieldName = (typeof names)[number]

/** An endpoint's fields as they were when its form was opened, for a hidden field. They have no secret. */
export const seenText = (endpoint: EndpointInput, at: number): string =>
  JSON.stringify({ at, ...Object.fromEntries(names.map((name) => [name, endpoint[name]])) })

const Seen = Schema.fromJsonString(
  Schema.StructWithRest(Schema.Struct({ at: Schema.Finite }), [Schema.Record(Schema.String, Schema.Unknown)]),
)

const readSeen = Schema.decodeUnknownOption(Seen)

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** A field in conflict, with both values as the audit log would have them, and the entry of the other's change. */
export interface Conflict {
  readonly name: FieldName
  readonly theirs: AuditValue
  readonly mine: AuditValue
  readonly entry: AuditView | undefined
}

/** A value as a page may show it. */
const shownOf = (name: FieldName, value: unknown): AuditValue => {
  if (value === null || value === undefined) return null
  if (name === "oauth") {
    const { clientId, tokenUrl } = value as NonNullable<Endpoint["oauth"]>
    return [tokenUrl, clientId]
  }
  if (name === "clientCertificate")
    return "subject" in (value as object) ? (value as NonNullable<Endpoint["clientCertificate"]>).subject : "…"
  if (name === "headers") return Array.isArray(value) ? value.map(String) : Object.keys(value as object)
  return Array.isArray(value) ? value.map(String) : (value as AuditValue)
}

/** The changes of an endpoint's fields since a time, the newest first. */
const changesSince = Effect.fnUntraced(function* (id: string, at: number) {
  const { shop } = yield* CurrentShop
  const { data } = yield* listAudit(shop.id, { subject: `endpoint:${id}`, limit: 100 })
  return data.filter(({ action, at: then }) => action === "endpoint.changed" && Date.parse(then) >= at)
})

/**
 * Compares what a person has sent with what they saw and with what the endpoint is now. `change`: their own changes,
 * without the fields that only others have changed. `conflicts`: the fields that both have changed, unless they have
 * chosen: `keep.NAME` is `theirs` or `mine`. `shown`: the content of the form if it is shown again.
 */
export const meanwhile = Effect.fnUntraced(function* (
  current: Endpoint,
  sent: SentEndpoint,
  text: (name: string) => string,
) {
  const seen: Readonly<Record<string, unknown>> = Option.getOrElse(readSeen(text("seen")), () => ({ at: Number.NaN }))
  const entries = Object.keys(seen).length === 1 ? [] : yield* changesSince(current.id, Number(seen["at"]))
  const entryOf = (name: FieldName) => entries.find(({ after }) => after !== null && name in after)
  const asked = text("asked").split(",")
  const given: Partial<Readonly<Record<FieldName, unknown>>> = sent
  const own = names.filter((name) => {
    if (text(`keep.${name}`) === "theirs") return false
    return name in given && (!(name in seen) || !isSame(given[name], seen[name]) || asked.includes(name))
  })
  const conflicts = own.flatMap((name): ReadonlyArray<Conflict> => {
    // A secret may be another one although nothing of it that is shown has changed.
    const isNewSecret = isSecret(name) && entryOf(name) !== undefined
    const isTheirs = name in seen && (!isSame(seen[name], current[name]) || isNewSecret)
    const isOpen = isTheirs || (asked.includes(name) && text(`keep.${name}`) !== "mine")
    if (!isOpen || isSame(given[name], current[name])) return []
    return [{ name, theirs: shownOf(name, current[name]), mine: shownOf(name, given[name]), entry: entryOf(name) }]
  })
  const change = Object.fromEntries(own.map((name) => [name, given[name]])) as Partial<SentEndpoint>
  const shown: EndpointInput = {
    ...current,
    ...change,
    headers: current.headers,
    oauth: own.includes("oauth") ? shownOAuth(sent, current.oauth) : current.oauth,
    clientCertificate: current.clientCertificate,
  }
  return { change, conflicts, shown }
})
