/** A partial adapter and its suite, for test runners. With `BROKEN` in the environment it counts no requests. */
import process from "node:process"
import { Effect, Layer } from "effect"
import { layerShared, makeState } from "../../../adapters/memory/index.ts"
import { RateLimits } from "../../../core/ports/RateLimits.ts"
import { ShopStore } from "../../../core/ports/ShopStore.ts"
import { TokenStore } from "../../../core/ports/TokenStore.ts"
import { storage } from "../../index.ts"

const broken = Layer.succeed(RateLimits, {
  take: ({ rate }) => Effect.succeed({ accepted: true, remaining: rate.limit, resetAfter: 0 }),
  peek: ({ rate }) => Effect.succeed({ remaining: rate.limit, resetAfter: 0 }),
})

export const subject = storage({
  ports: [ShopStore, TokenStore, RateLimits],
  open: Effect.sync(() => {
    const store = layerShared(makeState())
    return process.env["BROKEN"] === undefined ? store : Layer.merge(store, broken)
  }),
  lacks: { faults: "it is memory", notify: "hosts hear nothing of one another", transaction: "it has none" },
  only: ["harness", "tokens", "rate"],
})
