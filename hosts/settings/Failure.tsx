/** The pages for errors. */
import { Cause, Effect } from "effect"
import { HttpServerError } from "effect/http"
import { unavailableNow } from "../../core/api/Errors.ts"
import { maximumForm } from "./Form.ts"
import { renderPage } from "./Page.tsx"
import { Visit } from "./Visit.ts"

/** An error of the use cases or of the app. */
export interface Failed {
  readonly _tag: string
  readonly message: string
}

const statuses: { readonly [tag: string]: readonly [status: number, title: string] } = {
  InvalidInput: [400, "Invalid input"],
  WrongForm: [403, "This form is out of date"],
  ForeignForm: [403, "This form was sent from another site"],
  Forbidden: [403, "You can't see this page"],
  NotFound: [404, "There is nothing here"],
  Conflict: [409, "That can't be done now"],
  PlanRequired: [409, "That can't be done now"],
  Refused: [422, "That is not allowed"],
  StorageError: [503, "Not available at the moment"],
  Unavailable: [503, "Not available at the moment"],
}

/** The page for an error that the person may read about. */
export const errorPage = Effect.fnUntraced(function* (status: number, title: string, message: string) {
  const { root } = yield* Visit
  return yield* renderPage({
    title,
    status,
    content: (
      <section class="card pad stack signin">
        <h1>{title}</h1>
        <p class="lead">
          <bdi>{message}</bdi>
        </p>
        <p>
          <a href={root} class="button">
            Go to the first page
          </a>
        </p>
      </section>
    ),
  })
})

/** The page for a failure. Details that only operators may see are logged instead. */
export const failurePage = Effect.fnUntraced(function* (cause: Cause.Cause<Failed>) {
  for (const reason of cause.reasons) {
    const error = Cause.isFailReason(reason) ? reason.error : Cause.isDieReason(reason) ? reason.defect : undefined
    if (error instanceof HttpServerError.HttpServerError && error.reason._tag === "RequestParseError") {
      return error.reason.reason === "BodyTooLarge"
        ? yield* errorPage(413, "That is too large", `A form may have at most ${maximumForm} KiB.`)
        : yield* errorPage(400, "Invalid input", "The form could not be read.")
    }
    if (!Cause.isFailReason(reason)) continue
    const [status, title] = statuses[reason.error._tag] ?? []
    if (status === undefined || title === undefined) continue
    if (status !== 503) return yield* errorPage(status, title, reason.error.message)
    if (reason.error._tag === "StorageError") yield* Effect.logError(reason.error)
    return yield* errorPage(status, title, `${yield* unavailableNow}.`)
  }
  yield* Effect.logError("A page of the settings app failed", cause)
  return yield* errorPage(500, "Something went wrong", "Something went wrong on our side. Try again in a moment.")
})
