/** The input of a form that could not be taken, so that nobody types it again. Secrets are never part of it. */
import { Effect, Redacted, Schema } from "effect"
import { open, seal } from "../../../core/support/SealedSecret.ts"

/** Fields with secrets: no page shows them, not even to the person who typed them. */
const secretFields = [
  "headers",
  "basic.password",
  "oauth.clientSecret",
  "clientCertificate",
  "key",
  "token",
  "secret",
  "accessKey",
]

/** Fields of the page that had the form. */
const ownFields = ["form", "page", "kept"]

const Kept = Schema.Struct({
  /** The address that the form was sent to, as a path in the app without a slash before it. */
  path: Schema.String,
  fields: Schema.Array(Schema.Tuple([Schema.String, Schema.String])),
  /** Whether a secret was left out. */
  hadSecret: Schema.Boolean,
})
export type Kept = typeof Kept.Type

/** The part of a form's content that is kept. */
export const keptOf = (path: string, fields: Iterable<readonly [string, string]>): Kept => {
  const all = [...fields]
  const isSecret = (name: string) => secretFields.includes(name)
  return {
    path,
    fields: all.filter(([name]) => !isSecret(name) && !ownFields.includes(name)),
    hadSecret: all.some(([name, value]) => isSecret(name) && value !== ""),
  }
}

const purpose = "settings kept form"

/** A kept form as a text that only this installation reads. */
export const sealKept = (kept: Kept) => seal(Redacted.make(JSON.stringify(kept)), purpose)

/** Reads such a text; `None` for any other. */
export const openKept = (text: string) =>
  open(text, purpose).pipe(
    Effect.flatMap((opened) => Effect.try(() => Schema.decodeUnknownSync(Kept)(JSON.parse(Redacted.value(opened))))),
    Effect.option,
  )
