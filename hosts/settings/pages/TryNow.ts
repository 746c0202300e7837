/** Attempts a pending delivery now, and says what came of it. */
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import type { Delivery } from "../../../core/model/webhooks/Delivery.ts"
import type { Endpoint } from "../../../core/model/webhooks/Endpoint.ts"
import { readOrdering } from "../../../core/usecases/webhooks/FindDeliveries.ts"
import { readDelivery } from "../../../core/usecases/webhooks/ManageDeliveries.ts"
import { tryDelivery } from "../../../core/usecases/webhooks/TryDelivery.ts"
import { logChange } from "../ChangeLog.ts"
import { currentEndpoint, currentRequest } from "../CurrentRecord.ts"
import type { Flash } from "../Flash.ts"
import { backTo } from "../forms/Returning.ts"
import { redirect } from "../Page.tsx"
import { outcomeOf } from "../parts/deliveries/Outcome.tsx"
import type { Route } from "../Routes.ts"
import type { Visit } from "../Visit.ts"

/** How long the page waits for the attempt, and how often it looks, in milliseconds. */
const [maximumWait, interval] = [3000, 100]

/** What came of the attempt, if it was made. */
const saidOf = (delivery: Delivery, before: number, { texts }: Visit["Service"]) => {
  const { tried } = texts.repair
  const attempt = delivery.attempts[before]
  if (attempt === undefined) return { tone: "good", text: tried.notYet } as const
  const outcome = outcomeOf(attempt, texts)
  if (delivery.status === "succeeded") {
    return { tone: "good", text: tried.succeeded(attempt.number, outcome) } as const
  }
  const then = delivery.status === "pending" ? tried.goesOn : tried.lastOne
  return { tone: "bad", text: `${tried.failed(attempt.number, outcome)} ${then}` } as const
}

/** Why a delivery was not tried. */
const whyNot = (delivery: Delivery, isBehind: boolean, { status }: Endpoint, { texts }: Visit["Service"]): string => {
  const { refused } = texts.repair.tried
  if (delivery.status !== "pending") return refused.finished
  if (isBehind) return refused.behind
  if (status === "active" || delivery.test) return refused.underWay
  return status === "paused" ? refused.paused : refused.off
}

const tryNow = Effect.gen(function* () {
  const { shop, visit } = yield* currentRequest
  const { delivery: id = "" } = yield* HttpRouter.params
  const endpoint = yield* currentEndpoint
  const own = `webhooks/${endpoint.id}/deliveries/${id}`
  const page = yield* backTo(`webhooks/${endpoint.id}`, own)
  /** Leads back with a message, which names the delivery in a list of others. */
  const back = ({ event }: Delivery, { text, tone }: Pick<Flash, "tone" | "text">) =>
    redirect(page, { tone, text: page.startsWith(own) ? text : `${event}, ${id}: ${text}` })
  return yield* tryDelivery(shop.id, endpoint.id, id).pipe(
    Effect.tap(() => logChange(`tried the delivery ${id} now`)),
    Effect.flatMap(
      Effect.fnUntraced(function* ({ attempts: { length } }) {
        const read = readDelivery(shop.id, endpoint.id, id)
        yield* read.pipe(
          Effect.delay(interval),
          Effect.repeat({ until: ({ attempts }) => attempts.length > length }),
          Effect.timeoutOption(maximumWait),
        )
        const after = yield* read
        return yield* back(after, saidOf(after, length, visit))
      }),
    ),
    Effect.catchTag("Conflict", () =>
      Effect.gen(function* () {
        const delivery = yield* readDelivery(shop.id, endpoint.id, id)
        const { isBehind } = yield* readOrdering(shop.id, id)
        return yield* back(delivery, { tone: "bad", text: whyNot(delivery, isBehind, endpoint, visit) })
      }),
    ),
  )
})

/** The action of trying a delivery now. */
export const tryNowRoutes: ReadonlyArray<Route> = [
  { method: "POST", path: "/webhooks/:id/deliveries/:delivery/try", for: "store", handler: tryNow },
]
