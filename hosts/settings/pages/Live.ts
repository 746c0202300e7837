import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { changesOf } from "../live/Changes.ts"
import type { Watchers } from "../live/Watchers.ts"
import type { Route } from "../Routes.ts"
import { CurrentShop, Visit } from "../Visit.ts"

/** The seconds after which a page may ask again. */
const retryAfter = "15"

/** The stream by which pages hear that something of their store has changed. */
export const liveRoutes = (watchers: Watchers): ReadonlyArray<Route> => [
  {
    method: "GET",
    path: "/live",
    for: "store",
    handler: Effect.gen(function* () {
      const { shop } = yield* CurrentShop
      const { isStillAllowed, visitor } = yield* Visit
      if (!watchers.hasRoom(shop.id)) {
        return HttpServerResponse.text("Too many pages watch this shop.", {
          status: 503,
          headers: { "retry-after": retryAfter },
        })
      }
      return HttpServerResponse.stream(changesOf(watchers, shop.id, isStillAllowed, visitor.session?.expires), {
        contentType: "text/event-stream",
        // Proxies would keep messages until there are enough to compress or to send.
        headers: { "cache-control": "no-store, no-transform", "x-accel-buffering": "no" },
      })
    }),
  },
]
