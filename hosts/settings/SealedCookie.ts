/** Cookies that nobody outside of this installation can read or make: they are sealed with the installation's keys. */
import { Effect, Option, Redacted, Schema } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { open, seal } from "../../core/support/SealedSecret.ts"

/** A kind of cookie. */
export interface SealedCookie<A> {
  readonly name: string
  readonly schema: Schema.Codec<A, A>
}

/** The content of a cookie of the current request, if it was sealed for `purpose`. */
export const readCookie = Effect.fnUntraced(function* <A>({ name, schema }: SealedCookie<A>, purpose: string) {
  const { cookies } = yield* HttpServerRequest.HttpServerRequest
  const opened = yield* Effect.option(open(cookies[name] ?? "", purpose))
  return Option.flatMap(
    opened,
    Option.liftThrowable((text) => Schema.decodeUnknownSync(schema)(JSON.parse(Redacted.value(text)))),
  )
})

/** Whether the client uses https, as the request or a proxy before this host says. */
export const isSecure = HttpServerRequest.HttpServerRequest.use(({ headers, originalUrl }) =>
  Effect.succeed(originalUrl.startsWith("https:") || headers["x-forwarded-proto"]?.split(",")[0]?.trim() === "https"),
)

const setCookie = Effect.fnUntraced(function* (
  response: HttpServerResponse.HttpServerResponse,
  name: string,
  value: string,
  maxAge: number,
) {
  return yield* HttpServerResponse.setCookie(response, name, value, {
    // Behind a proxy that changes paths, this host does not know the app's path.
    path: "/",
    httpOnly: true,
    sameSite: "lax",
    secure: yield* isSecure,
    maxAge,
  })
}, Effect.orDie)

/** Sets a cookie. `maxAge` is in milliseconds. */
export const keepCookie = Effect.fnUntraced(function* <A>(
  response: HttpServerResponse.HttpServerResponse,
  { name }: SealedCookie<A>,
  content: A,
  { maxAge, purpose }: { readonly purpose: string; readonly maxAge: number },
) {
  const sealed = yield* seal(Redacted.make(JSON.stringify(content)), purpose)
  return yield* setCookie(response, name, sealed, maxAge)
})

/** Deletes a cookie. */
export const dropCookie = <A>(response: HttpServerResponse.HttpServerResponse, { name }: SealedCookie<A>) =>
  setCookie(response, name, "", 0)
