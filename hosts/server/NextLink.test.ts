/** Links from page to page (D17). */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import {
  bodyOf,
  inProcess,
  memory,
  newDesign,
  newOrder,
  newShop,
  read,
} from "../../conformance/testkit/hosts/TestHost.ts"

describe("The link to the next page", () => {
  it.effect("MUST lead from page to page to the last, each with the parameters of the first", () =>
    Effect.gen(function* () {
      const { ports } = yield* memory.open
      const send = yield* inProcess(ports)
      const shop = yield* newShop(send)
      for (const day of [1, 2, 3, 4]) {
        yield* newDesign(send, shop, `d-${day}`)
        yield* newOrder(send, shop, `${day}`, [`d-${day}`], `2026-10-0${day}T00:00:00Z`)
      }
      const found: Array<unknown> = []
      let path = "/orders?limit=1&orderedAfter=2026-10-02"
      for (let page = 0; page < 3; page++) {
        const answer = yield* read(send, shop.token, path)
        const { data, pagination } = (yield* bodyOf(200, answer)) as {
          readonly data: ReadonlyArray<{ readonly id: string }>
          readonly pagination: unknown
        }
        found.push(...data.map(({ id }) => id))
        expect(pagination).toMatchObject({ total: 3, limit: 1 })
        const link = answer.headers["link"]
        if (page === 2) expect(link).toBeUndefined()
        else path = `/orders${/^<(\?[^>]*)>; rel="next"$/.exec(link ?? "")?.[1] ?? "no link"}`
      }
      expect(found).toEqual(["4", "3", "2"])
    }),
  )
})
