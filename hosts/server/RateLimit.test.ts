/**
 * The rate limit over HTTP, in virtual time and on two hosts: §8, D16. The service suite has the rules for any
 * service.
 */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { inProcess, manage, memory, newShop, read, type Send } from "../../conformance/testkit/hosts/TestHost.ts"

/** Two hosts on one store, a shop, and requests that go to the hosts in turn. */
const prepared = Effect.gen(function* () {
  const { ports } = yield* memory.open
  const hosts = [yield* inProcess(ports), yield* inProcess(ports)] as const
  const shop = yield* newShop(hosts[0])
  let turn = 0
  const next = (): Send => hosts[turn++ % 2] as Send
  return { hosts, shop, next }
})

describe("The rate limit (§8, D16)", () => {
  it.effect(
    "MUST say in Retry-After, in whole seconds of at least 1, when a request is accepted, and keep that promise (D16)",
    () =>
      Effect.gen(function* () {
        const { next, shop } = yield* prepared
        yield* TestClock.adjust(250)
        for (let index = 0; index < 120; index++) yield* read(next(), shop.token, "/orders")
        for (const [wait, seconds] of [
          [0, 60],
          [1, 60],
          [999, 59],
          [58_000, 1],
          [999, 1],
        ] as const) {
          yield* TestClock.adjust(wait)
          const answer = yield* read(next(), shop.token, "/orders")
          expect([wait, answer.status, answer.headers["retry-after"], answer.headers["ratelimit"]]).toEqual([
            wait,
            429,
            String(seconds),
            `"default";r=0;t=${seconds}`,
          ])
          expect(answer.headers["ratelimit-policy"]).toBe('"default";q=120;w=60')
        }
        yield* TestClock.adjust("1 second")
        expect((yield* read(next(), shop.token, "/orders")).status).toBe(200)
      }),
  )

  it.effect("MUST NOT count requests with a bad token, nor requests outside the REST API", () =>
    Effect.gen(function* () {
      const { hosts, shop } = yield* prepared
      const [send] = hosts
      for (let index = 0; index < 130; index++) {
        yield* read(send, `${shop.token}x`, "/orders")
        yield* manage(send, "GET", `/shops/${shop.id}`)
        yield* send("GET", "/livez", { headers: { authorization: `Bearer ${shop.token}` } })
      }
      const answer = yield* read(send, shop.token, "/orders")
      expect([answer.status, answer.headers["ratelimit"]]).toEqual([200, '"default";r=119;t=60'])
    }),
  )
})
