/** Cookies that nobody outside of this installation can read or make: they are sealed with the installation's keys. */
import { Context, Effect, Option, Redacted, Schema } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { open, seal } from "../../core/support/SealedSecret.ts"

/** A kind of cookie. */
export interface SealedCookie<A> {
  readonly name: string
  readonly schema: Schema.Codec<A, A>
}

/** Whether pages of other sites may show the app in a frame: browsers send its cookies there only if these allow it. */
export const IsFramed = Context.Reference<boolean>("designwire/settings/IsFramed", { defaultValue: () => false })

/** The beginning of names that browsers accept only over https, from this host itself, for the whole host. */
const secured = "__Host-"

const nameOf = (name: string) => Effect.map(isSecure, (secure) => (secure ? secured + name : name))

/** The names of the current request's cookies, as {@link SealedCookie} has them. */
export const cookieNames = Effect.gen(function* () {
  const { cookies } = yield* HttpServerRequest.HttpServerRequest
  const begin = yield* nameOf("")
  return Object.keys(cookies)
    .filter((name) => name.startsWith(begin))
    .map((name) => name.slice(begin.length))
})

/** The content of a cookie of the current request, if it was sealed for `purpose`. */
export const readCookie = Effect.fnUntraced(function* <A>({ name, schema }: SealedCookie<A>, purpose: string) {
  const { cookies } = yield* HttpServerRequest.HttpServerRequest
  const opened = yield* Effect.option(open(cookies[yield* nameOf(name)] ?? "", purpose))
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
  const secure = yield* isSecure
  // Browsers take cookies for frames of other sites only over https. Partitioned: apart for each site around the frame.
  const isFramed = secure && (yield* IsFramed)
  return yield* HttpServerResponse.setCookie(response, yield* nameOf(name), value, {
    // Behind a proxy that changes paths, this host does not know the app's path.
    path: "/",
    httpOnly: true,
    sameSite: isFramed ? "none" : "lax",
    secure,
    ...(isFramed ? { partitioned: true } : {}),
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
