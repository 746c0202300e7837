import { Context, Effect, Layer, Option } from "effect"
import { DeliveryQueue } from "../../core/ports/DeliveryQueue.ts"
import { EndpointStore } from "../../core/ports/EndpointStore.ts"
import { Inbox } from "../../core/ports/Inbox.ts"
import { type NoticeClaim, type NoticeClaimRequest, NoticeStore } from "../../core/ports/NoticeStore.ts"
import { ShopStore } from "../../core/ports/ShopStore.ts"
import type { StorageError } from "../../core/ports/StorageError.ts"
import { TokenStore } from "../../core/ports/TokenStore.ts"
import { moved } from "../sql/shops/Moved.ts"

/** The most due connections that are read. Connections of shops in other cells stay due. */
const mostDue = 10_000

type Placed = ShopStore | EndpointStore | TokenStore | DeliveryQueue | NoticeStore | Inbox

/**
 * Stores that serve, and claim deliveries and notices of, only the shops that belong to their cell: by the map that
 * proxies route by, and not by what the database says. A database that was restored to before a move still has the
 * shop, and would answer with its old rows and send its deliveries and notices again.
 */
export const layerPlaced = (belongsHere: (shop: string) => boolean): Layer.Layer<Placed, never, Placed> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const shops = yield* ShopStore
      const endpoints = yield* EndpointStore
      const tokens = yield* TokenStore
      const queue = yield* DeliveryQueue
      const notices = yield* NoticeStore
      const inbox = yield* Inbox
      const here = <A>(shop: string, call: Effect.Effect<A, StorageError>): Effect.Effect<A, StorageError> =>
        Effect.suspend(() => (belongsHere(shop) ? call : moved(shop)))
      return Context.empty().pipe(
        Context.add(ShopStore, {
          ...shops,
          find: (id) => here(id, shops.find(id)),
          put: (shop, audited) => here(shop.id, shops.put(shop, audited)),
        }),
        Context.add(EndpointStore, { ...endpoints, withShop: (shop) => here(shop, endpoints.withShop(shop)) }),
        Context.add(TokenStore, {
          ...tokens,
          find: (digest) =>
            Effect.tap(tokens.find(digest), (found) =>
              Option.isSome(found) ? here(found.value.shop.id, Effect.void) : Effect.void,
            ),
        }),
        Context.add(DeliveryQueue, {
          ...queue,
          walk: (step) =>
            Effect.map(queue.walk(step), (walked) => ({ ...walked, shops: walked.shops.filter(belongsHere) })),
          claim: (request) => {
            const { newcomer, proven, troubled } = request.shops
            return queue.claim({
              ...request,
              shops: {
                newcomer: newcomer.filter(belongsHere),
                troubled: troubled.filter(belongsHere),
                proven: proven.filter(belongsHere),
              },
            })
          },
        }),
        Context.add(NoticeStore, { ...notices, claim: claimPlaced(notices, belongsHere) }),
        Context.add(Inbox, {
          ...inbox,
          put: (item) => here(item.shop, inbox.put(item)),
          platforms: (which) =>
            "dueAt" in which
              ? Effect.map(inbox.platforms({ ...which, limit: mostDue }), (due) =>
                  due.filter(({ shop }) => belongsHere(shop)).slice(0, which.limit),
                )
              : inbox.platforms(which),
          raise: (step) =>
            Effect.map(inbox.raise(step), (found) => ({
              ...found,
              raised: found.raised.filter(({ shop }) => belongsHere(shop)),
            })),
          // None of them is tried, so that no log says every ten seconds that it was not possible.
          ready: (step) => (belongsHere(step.shop) ? inbox.ready(step) : Effect.succeed({ found: [], after: null })),
        }),
      )
    }),
  )

/**
 * Claims notices of shops that belong here. Those of others are leased and left alone, so that they keep no others from
 * being claimed; they are looked at again once their lease has ended, because the map may have changed by then.
 */
const claimPlaced = (notices: NoticeStore["Service"], belongsHere: (shop: string) => boolean) =>
  Effect.fnUntraced(function* (
    request: NoticeClaimRequest,
  ): Effect.fn.Return<ReadonlyArray<NoticeClaim>, StorageError> {
    const found: Array<NoticeClaim> = []
    for (;;) {
      const limit = request.limit - found.length
      const claims = yield* notices.claim({ ...request, limit })
      found.push(...claims.filter(({ notice }) => belongsHere(notice.shop)))
      if (claims.length < limit || found.length === request.limit) return found
    }
  })
