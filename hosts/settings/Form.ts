import { ByteSize, Context, Data, Effect } from "effect"
import { Mac } from "effect/crypto"
import { HttpIncomingMessage, HttpServerRequest, UrlParams } from "effect/http"
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

/** The form was made for another session, or for another store. */
class WrongForm extends Data.TaggedError("WrongForm")<{ readonly message: string }> {}

/** The size limit of a form, in KiB. */
export const maximumForm = 64

const utf8 = new TextEncoder()

/** Reads the form of the current request. Fails unless it was made for this session, and sent by a page of this app. */
export const readForm = Effect.gen(function* () {
  yield* requireSameOrigin
  const { formKey, texts } = yield* Visit
  const request = yield* HttpServerRequest.HttpServerRequest
  const fields = yield* Effect.orDie(request.urlParamsBody)
  const all: Form["Service"]["all"] = (name) => UrlParams.getAll(fields, name)
  const text: Form["Service"]["text"] = (name) => all(name)[0] ?? ""
  if (!Mac.timingSafeEqual(utf8.encode(text("form")), utf8.encode(formKey))) {
    return yield* new WrongForm({ message: texts.failures.wrongFormText })
  }
  return { text, all }
}).pipe(Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.kibibytes(maximumForm)))

/** The form of a request without one. */
export const noForm: Form["Service"] = { text: () => "", all: () => [] }
