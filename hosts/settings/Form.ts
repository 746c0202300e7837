import { ByteSize, Context, Data, Effect } from "effect"
import { HttpIncomingMessage, HttpServerRequest, UrlParams } from "effect/http"
import { checkFormKey } from "./FormKey.ts"
import { requireSameOrigin } from "./SameOrigin.ts"
import { Visit } from "./Visit.ts"

/** The fields of the form that the current request sends. Its key has been checked. */
export class Form extends Context.Service<
  Form,
  {
    /** A field's text; `""` if the field is missing. */
    readonly text: (name: string) => string
    readonly all: (name: string) => ReadonlyArray<string>
  }
>()("designwire/settings/Form") {}

/** The form was made for another person or store, or too long ago. */
class WrongForm extends Data.TaggedError("WrongForm")<{ readonly message: string }> {}

/** The size limit of a form in KiB, unless its route has another. */
const maximumForm = 64

const read = Effect.gen(function* () {
  yield* requireSameOrigin
  const { now, shopId, texts, visitor } = yield* Visit
  const request = yield* HttpServerRequest.HttpServerRequest
  const fields = yield* Effect.orDie(request.urlParamsBody)
  const all: Form["Service"]["all"] = (name) => UrlParams.getAll(fields, name)
  const text: Form["Service"]["text"] = (name) => all(name)[0] ?? ""
  const checked = yield* checkFormKey(text("form"), { actor: visitor.actor, shop: shopId }, now)
  if (checked !== "right") return yield* new WrongForm({ message: texts.failures.forms[checked] })
  return { text, all }
})

/**
 * Reads the form of the current request, at most `maximum` KiB. Fails unless a page of this app made it for this
 * person and sent it.
 */
export const readForm = (maximum = maximumForm) =>
  Effect.provideService(read, HttpIncomingMessage.MaxBodySize, ByteSize.kibibytes(maximum))

/** The form of a request without one. */
export const noForm: Form["Service"] = { text: () => "", all: () => [] }
