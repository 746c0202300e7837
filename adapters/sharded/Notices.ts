import { Context, Effect, Result } from "effect"
import { type NoticeClaim, type NoticeClaimRequest, NoticeStore } from "../../core/ports/NoticeStore.ts"
import type { StorageError } from "../../core/ports/StorageError.ts"
import { byId, routed } from "./Routing.ts"
import { answersOf, type Stores } from "./Stores.ts"

/**
 * Notices of several stores. A claim asks one store after the other, beginning with another each time, for those
 * longest due.
 */
export const make = (stores: Stores): NoticeStore["Service"] => {
  let turn = 0
  return NoticeStore.of({
    ...routed(stores)(NoticeStore, { list: byId, settle: ({ notice }) => notice.shop }),

    claim: Effect.fnUntraced(function* (
      request: NoticeClaimRequest,
    ): Effect.fn.Return<ReadonlyArray<NoticeClaim>, StorageError> {
      const claims: Array<NoticeClaim> = []
      const results: Array<Result.Result<ReadonlyArray<NoticeClaim>, StorageError>> = []
      const first = turn++ % stores.all.length
      for (const store of [...stores.all.slice(first), ...stores.all.slice(0, first)]) {
        const limit = request.limit - claims.length
        if (limit === 0) break
        const result = yield* stores.tried(store, Context.get(store.ports, NoticeStore).claim({ ...request, limit }))
        results.push(result)
        if (Result.isSuccess(result)) claims.push(...result.success)
      }
      yield* answersOf(results)
      return claims
    }),
  })
}
