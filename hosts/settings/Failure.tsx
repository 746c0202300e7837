/** The pages for errors. */
import { Cause, Effect, Option } from "effect"
import { HttpServerError, HttpServerRequest } from "effect/http"
import { readBefore } from "../../core/api/ErrorAnswers.ts"
import { unavailableNow } from "../../core/api/Unavailable.ts"
import { logged } from "../../core/model/log/LogEvent.ts"
import { getShop } from "../../core/usecases/shops/ManageShops.ts"
import { renderPage, renderStorePage } from "./Page.tsx"
import type { Texts } from "./texts/Language.ts"
import { CurrentShop, Visit } from "./Visit.ts"

/** An error of the use cases or of the app. */
export interface Failed {
  readonly _tag: string
  readonly message: string
}

const statuses: { readonly [tag: string]: readonly [status: number, title: keyof Texts["failures"]["titles"]] } = {
  InvalidInput: [400, "invalid"],
  Unreadable: [400, "invalid"],
  WrongForm: [403, "wrongForm"],
  ForeignForm: [403, "foreignForm"],
  ReadOnly: [403, "readOnly"],
  Forbidden: [403, "forbidden"],
  NotAllowed: [403, "forbidden"],
  NotFound: [404, "notFound"],
  Missing: [404, "notFound"],
  Conflict: [409, "conflict"],
  PlanRequired: [409, "conflict"],
  Refused: [422, "refused"],
  StorageError: [503, "unavailable"],
  Unavailable: [503, "unavailable"],
}

/** The page for an error that the person may read about. In a shop of theirs it has the menu and the search. */
export const errorPage = Effect.fnUntraced(function* (status: number, title: string, message: string) {
  const { appRoot, path, root, shopId, texts, visitor } = yield* Visit
  const { method } = yield* HttpServerRequest.HttpServerRequest
  const { actor } = visitor
  const isTheirs = visitor.shop === null || visitor.shop === shopId
  // A shop that can't be read now, or that is not there, has no page.
  const shop =
    actor === null || shopId === null || !isTheirs || status >= 500
      ? Option.none()
      : yield* Effect.option(Effect.sandbox(getShop(shopId)))
  const page = { title, status }
  const content = (
    <section class="card pad stack signin">
      <h1>{title}</h1>
      <p class="lead">
        <bdi>{message}</bdi>
      </p>
      <p class="actions">
        {status === 400 && method === "GET" && path.includes("?") && (
          <a href="?" class="button">
            {texts.deliveryList.filters.reset}
          </a>
        )}
        <a href={Option.isSome(shop) || (isTheirs && status !== 404) ? root : appRoot} class="button">
          {texts.failures.home}
        </a>
      </p>
    </section>
  )
  if (Option.isNone(shop)) return yield* renderPage(page, content)
  return yield* Effect.catchCause(
    Effect.provideService(renderStorePage(page, content), CurrentShop, { shop: shop.value, actor: actor ?? "" }),
    () => renderPage(page, content),
  )
})

/** The page for a failure. Details that only operators may see are logged instead. */
export const failurePage = Effect.fnUntraced(function* (cause: Cause.Cause<Failed>) {
  const { failures } = (yield* Visit).texts
  for (const reason of cause.reasons) {
    const error = Cause.isFailReason(reason) ? reason.error : Cause.isDieReason(reason) ? reason.defect : undefined
    if (error instanceof HttpServerError.HttpServerError && error.reason._tag === "RequestParseError") {
      const lost = readBefore(error)
      if (lost !== undefined) {
        yield* Effect.logError(lost.message).pipe(logged("http.request_failed"))
        return yield* errorPage(500, failures.broken, lost.message)
      }
      return error.reason.reason === "BodyTooLarge"
        ? yield* errorPage(413, failures.tooLarge, failures.tooLargeText)
        : yield* errorPage(400, failures.titles.invalid, failures.unreadable)
    }
    if (!Cause.isFailReason(reason)) continue
    const [status, title] = statuses[reason.error._tag] ?? []
    if (status === undefined || title === undefined) continue
    if (status !== 503) return yield* errorPage(status, failures.titles[title], failures.own(reason.error))
    if (reason.error._tag === "StorageError") yield* Effect.logError(reason.error).pipe(logged("http.store_failed"))
    return yield* errorPage(
      status,
      failures.titles[title],
      failures.own({ _tag: "Unavailable", message: `${yield* unavailableNow}.` }),
    )
  }
  yield* Effect.logError("A page of the settings app failed", cause).pipe(logged("http.request_failed"))
  return yield* errorPage(500, failures.broken, failures.brokenText)
})
