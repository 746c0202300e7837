import { ByteSize, Context, Effect, Redacted } from "effect"
import { HttpIncomingMessage, HttpServerRequest } from "effect/http"
import { checkFormKey } from "./FormKey.ts"
import { requireSameOrigin } from "./SameOrigin.ts"
import { Visit } from "./Visit.ts"

/** The fields of the form that the current request sends. */
export class Form extends Context.Service<
  Form,
  {
    /** A field's text; `""` if the field is missing. */
    readonly text: (name: string) => string
    readonly all: (name: string) => ReadonlyArray<string>
  }
>()("designwire/settings/Form") {}

/** A form as its handler reads it, by its fields in their order. */
export const formOf = (fields: ReadonlyArray<readonly [string, string]>): Form["Service"] => {
  const all = (wanted: string) => fields.flatMap(([name, value]) => (name === wanted ? [value] : []))
  return { all, text: (name) => all(name)[0] ?? "" }
}

/** The size limit of a form in KiB, unless its route has another. */
const maximumForm = 64

const read = Effect.gen(function* () {
  yield* requireSameOrigin
  const { now, shopId, visitor } = yield* Visit
  const request = yield* HttpServerRequest.HttpServerRequest
  const fields = [...(yield* Effect.orDie(request.urlParamsBody))].map(
    ([name, value]) => [name, Redacted.isRedacted(value) ? Redacted.value(value) : value] as const,
  )
  const form = formOf(fields)
  const key = yield* checkFormKey(form.text("form"), { actor: visitor.actor, shop: shopId }, now)
  return { fields, form, key }
})

/**
 * Reads the form of the current request, at most `maximum` KiB, and whether its key says that a page of this app made
 * it for this person. Fails for a form that a page of another origin sent.
 */
export const readForm = (maximum = maximumForm) =>
  Effect.provideService(read, HttpIncomingMessage.MaxBodySize, ByteSize.kibibytes(maximum))

/** The form of a request without one. */
export const noForm: Form["Service"] = { text: () => "", all: () => [] }
