import { KeptAnswers, type RepeatableRequest, type RequestOutcome } from "designwire/ports"
import { Effect } from "effect"
import type { Database } from "./Database.ts"
import type { Host } from "./Host.ts"

type Kept = { readonly request: string; readonly answer: string | null }

/**
 * Kept answers. No transaction can span the change, so its key is noted first, without an answer: if the process ends
 * in the middle, the change is not carried out again.
 */
export const makeAnswers = ({ database }: Host): KeptAnswers["Service"] =>
  KeptAnswers.of({
    once: (request, change) =>
      Effect.flatMap(
        database.attempt("Noting a request", () => note(database, request)),
        (kept) => {
          if (kept !== undefined) return Effect.succeed<RequestOutcome>({ _tag: "Kept", ...kept })
          const { key, shop } = request
          return change.pipe(
            Effect.onError(() =>
              Effect.ignore(
                database.attempt("Forgetting a request", () =>
                  database.run("DELETE FROM answers WHERE shop = ? AND key = ?", shop, key),
                ),
              ),
            ),
            Effect.flatMap((answer) =>
              database.attempt("Keeping an answer", (): RequestOutcome => {
                database.run("UPDATE answers SET answer = ? WHERE shop = ? AND key = ?", answer, shop, key)
                return { _tag: "Done", answer }
              }),
            ),
            Effect.uninterruptible,
          )
        },
      ),
    eraseTexts: (shop) =>
      database.attempt("Erasing kept answers", () => {
        database.run("UPDATE answers SET answer = NULL WHERE shop = ? AND texts", shop)
      }),
  })

/** Notes a request, unless one with its key is noted already, and returns that one. */
const note = (database: Database, { hasTexts, key, now, request, shop, until }: RepeatableRequest) => {
  const kept = database.first<Kept>(
    "SELECT request, answer FROM answers WHERE shop = ? AND key = ? AND until > ?",
    shop,
    key,
    now,
  )
  if (kept !== undefined) return { request: kept.request, answer: kept.answer }
  database.run(
    "INSERT OR REPLACE INTO answers (shop, key, request, texts, until) VALUES (?, ?, ?, ?, ?)",
    shop,
    key,
    request,
    hasTexts ? 1 : 0,
    until,
  )
  return undefined
}
