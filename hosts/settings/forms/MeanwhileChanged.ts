/** Two people edit one endpoint: neither's change may undo the other's without a word. */
import { Effect, Option, Schema } from "effect"
import type { AuditValue, AuditView } from "../../../core/model/audit/AuditEntry.ts"
import type { Endpoint } from "../../../core/model/webhooks/Endpoint.ts"
import { listAudit } from "../../../core/usecases/audit/ReadAudit.ts"
import type { EndpointInput, SentEndpoint } from "../parts/endpoints/EndpointFields.tsx"
import { shownOAuth } from "../parts/endpoints/OAuthFields.tsx"
import { isSecret, optionNames, type SecretName } from "../parts/endpoints/OptionControls.ts"
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

/**
 * A part of a field with secrets, e.g. a header, and what a change did with it since the person saw it: a part that is
 * set again may have another value, which is never shown.
 */
export interface SecretPart {
  readonly name: string
  readonly how: "added" | "removed" | "set" | null
}

/**
 * A field in conflict, with both values as the audit log would have them, or the parts of a field with secrets, and the
 * entry of the other's change.
 */
export interface Conflict {
  readonly name: FieldName
  readonly theirs: AuditValue | ReadonlyArray<SecretPart>
  readonly mine: AuditValue | ReadonlyArray<SecretPart>
  readonly entry: AuditView | undefined
}

/** A value as a page may show it. */
const shownOf = (value: unknown): AuditValue => {
  if (value === null || value === undefined) return null
  return Array.isArray(value) ? value.map(String) : (value as AuditValue)
}

/** The names of the parts of a field with secrets; of a certificate that was typed, "…". */
const partNames = (name: SecretName, value: unknown): ReadonlyArray<string> => {
  if (value === null || value === undefined) return []
  if (name === "headers") return Array.isArray(value) ? value.map(String) : Object.keys(value as object)
  if (name === "clientCertificate")
    return ["subject" in (value as object) ? (value as NonNullable<Endpoint["clientCertificate"]>).subject : "…"]
  const { clientId, tokenUrl } = value as NonNullable<Endpoint["oauth"]>
  return [`${clientId}, ${tokenUrl}`]
}

/** The parts of a value alongside those of the one that was seen. A change sets all that it does not remove. */
const partsOf = (name: SecretName, value: unknown, seen: unknown, isChange: boolean): ReadonlyArray<SecretPart> => {
  const [before, after] = [partNames(name, seen), partNames(name, value)]
  const isTyped = name === "clientCertificate" && after.includes("…")
  const how = (part: string) => (isTyped || before.includes(part) ? ("set" as const) : ("added" as const))
  const removed = before.filter((part) => !(after.includes(part) || isTyped))
  return [
    ...after.map((part) => ({ name: part, how: isChange ? how(part) : null })),
    ...removed.map((part) => ({ name: part, how: "removed" as const })),
  ]
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
    const entry = entryOf(name)
    if (!isSecret(name)) return [{ name, theirs: shownOf(current[name]), mine: shownOf(given[name]), entry }]
    const theirs = partsOf(name, current[name], seen[name], isTheirs)
    return [{ name, theirs, mine: partsOf(name, given[name], seen[name], true), entry }]
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
