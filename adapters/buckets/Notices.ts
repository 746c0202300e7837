import { Context, Effect, Result } from "effect"
import { type NoticeClaim, type NoticeClaimRequest, NoticeStore } from "../../core/ports/NoticeStore.ts"
import type { StorageError } from "../../core/ports/StorageError.ts"
import { answersOf } from "./Databases.ts"
import { byId, routed } from "./Routing.ts"
import type { Stores } from "./Stores.ts"

/**
 * Notices of all buckets. A claim asks one bucket after the other, beginning with another each time, for those longest
 * due.
 */
export const make = (stores: Stores): NoticeStore["Service"] => {
  let turn = 0
  return NoticeStore.of({
    ...routed(stores)(NoticeStore, { list: byId, settle: ({ notice }) => notice.shop }),
    claim: Effect.fnUntraced(function* (
      request: NoticeClaimRequest,
    ): Effect.fn.Return<ReadonlyArray<NoticeClaim>, StorageError> {
      const claims: Array<NoticeClaim> = []
      const results: Array<Result.Result<ReadonlyArray<NoticeClaim> | undefined, StorageError>> = []
      const { all } = yield* stores.map
      const first = turn++ % all.length
      for (const bucket of [...all.slice(first), ...all.slice(0, first)]) {
        const limit = request.limit - claims.length
        if (limit === 0) break
        const result = yield* stores.tried(bucket, (ports) =>
          Context.get(ports, NoticeStore).claim({ ...request, limit }),
        )
        results.push(result)
        if (Result.isFailure(result)) continue
        // A shop that moves may for a moment have rows in two buckets.
        claims.push(...(result.success ?? []).filter(({ notice }) => stores.isIn(bucket, notice.shop)))
      }
      yield* answersOf(results)
      return claims
    }),
  })
}
