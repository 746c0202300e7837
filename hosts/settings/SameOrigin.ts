import { Data, Effect } from "effect"
import { type Headers, HttpServerRequest } from "effect/http"
import { Visit } from "./Visit.ts"

/** The form was sent by a page of another origin. */
class ForeignForm extends Data.TaggedError("ForeignForm")<{ readonly message: string }> {}

/** The host and port of an origin or an absolute URL, without the port that its scheme has anyway. */
const hostOf = (url: string): string | undefined => URL.parse(url)?.host

/** The hosts by which the client may know this app: a proxy may change `Host`. */
const ownHosts = (headers: Headers.Headers, scheme: string): ReadonlyArray<string | undefined> =>
  [headers["host"], headers["x-forwarded-host"]?.split(",")[0]?.trim()].map(
    (host) => host && hostOf(`${scheme}//${host}`),
  )

/**
 * Fails if a browser says that the current request was sent by a page of another origin. Programs that send no `Origin`
 * are left to the form's key.
 */
export const requireSameOrigin: Effect.Effect<
  void,
  { readonly _tag: "ForeignForm"; readonly message: string },
  Visit | HttpServerRequest.HttpServerRequest
> = Effect.gen(function* () {
  const { headers, originalUrl } = yield* HttpServerRequest.HttpServerRequest
  const { apiUrl, texts } = yield* Visit
  const { origin } = headers
  // Browsers know best: behind some proxies, no header has the host that the person sees.
  if (origin === undefined || headers["sec-fetch-site"] === "same-origin") return
  const from = URL.parse(origin)
  const own = [...ownHosts(headers, from?.protocol ?? ""), hostOf(originalUrl), hostOf(apiUrl)]
  if (from !== null && own.includes(from.host)) return
  return yield* new ForeignForm({ message: texts.failures.foreignFormText(origin) })
})
