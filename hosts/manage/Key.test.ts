/** The limit on wrong manage keys. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import { TestClock } from "effect/testing"
import {
  type Answer,
  inProcess,
  type Json,
  manage,
  manageKey,
  memory,
} from "../../conformance/testkit/hosts/TestHost.ts"
import { layerCrypto } from "../../core/support/WebCrypto.ts"
import { makeFailedKeys } from "./FailedKeys.ts"
import { makeKeyCheck } from "./ManageKey.ts"

const host = Effect.gen(function* () {
  const { ports } = yield* memory.open
  const send = yield* inProcess(ports)
  const tried = (key: string) => send("GET", "/manage/v1/shops", { headers: { authorization: `Bearer ${key}` } })
  return { send, tried }
})

const expectWait = (answer: Answer, seconds: number) => {
  expect([answer.status, answer.headers["retry-after"], answer.headers["cache-control"]]).toEqual([
    429,
    String(seconds),
    "no-store",
  ])
  expect(Object.keys(answer.json as Json)).toEqual(["message", "retryable"])
}

describe("Wrong manage keys", () => {
  it.effect("MUST be answered with 429 and Retry-After after ten in a minute, and then one at a time", () =>
    Effect.gen(function* () {
      const { send, tried } = yield* host
      for (let count = 0; count < 10; count++) {
        expect((yield* tried(`wrong-${count}`)).status).toBe(401)
        yield* TestClock.adjust("1 second")
      }
      expectWait(yield* tried("wrong"), 50)
      // Not even looked at: guessing yields nothing meanwhile.
      expectWait(yield* manage(send, "GET", "/shops"), 50)
      expectWait(yield* manage(send, "GET", "/nothing"), 50)
      expectWait(yield* manage(send, "PATCH", "/shops"), 50)
      yield* TestClock.adjust("49999 millis")
      expectWait(yield* tried("wrong"), 1)
      yield* TestClock.adjust("1 millis")
      expect((yield* manage(send, "GET", "/shops")).status).toBe(200)
      expect((yield* tried("wrong")).status).toBe(401)
      expectWait(yield* manage(send, "GET", "/shops"), 1)
    }),
  )

  it.effect("MUST include neither requests without a key nor requests with the right one", () =>
    Effect.gen(function* () {
      const { send, tried } = yield* host
      for (let count = 0; count < 50; count++) {
        expect((yield* send("GET", "/manage/v1/shops")).status).toBe(401)
        expect((yield* tried("")).status).toBe(401)
        expect((yield* manage(send, "GET", "/shops")).status).toBe(200)
      }
    }),
  )

  it.effect("MUST be counted for each address separately, and for all of a /64 of IPv6 together", () =>
    Effect.gen(function* () {
      const check = yield* makeKeyCheck(Redacted.make(manageKey))
      const from = (address: string, key = manageKey) => {
        const request = HttpServerRequest.fromWeb(new Request("http://a/")).modify({
          remoteAddress: Option.some(address),
        })
        return check(Redacted.make(key)).pipe(
          Effect.provideService(HttpServerRequest.HttpServerRequest, request),
          Effect.match({ onFailure: ({ _tag }) => _tag, onSuccess: () => "in" }),
        )
      }
      for (const address of ["192.0.2.1", "2001:db8:1:1::1"]) {
        for (let count = 0; count < 10; count++) expect(yield* from(address, "wrong")).toBe("Unauthorized")
        expect(yield* from(address, "wrong")).toBe("RateLimited")
      }
      for (const [address, expected] of [
        ["192.0.2.1", "RateLimited"],
        ["::ffff:192.0.2.1", "RateLimited"],
        ["192.0.2.2", "in"],
        ["::ffff:192.0.2.2", "in"],
        ["2001:db8:1:1:ffff::2", "RateLimited"],
        ["2001:db8:1:2::1", "in"],
        ["::1", "in"],
      ] as const) {
        expect([address, yield* from(address)]).toEqual([address, expected])
      }
    }).pipe(Effect.provide(layerCrypto)),
  )
})

describe("makeFailedKeys", () => {
  const limit = { each: 3, together: 5, window: 1_000 }

  it("MUST make an address wait once it reaches its limit, until its first failure is a window ago", () => {
    const failed = makeFailedKeys(limit)
    for (const at of [0, 10, 20]) {
      expect(failed.wait("a", at)).toBe(0)
      failed.add("a", at)
    }
    expect([20, 500, 999, 1_000, 1_001].map((now) => failed.wait("a", now))).toEqual([980, 500, 1, 0, 0])
    failed.add("a", 1_000)
    expect([1_000, 1_009, 1_010].map((now) => failed.wait("a", now))).toEqual([10, 1, 0])
    expect(failed.wait("b", 20)).toBe(0)
  })

  it("MUST allow each address one wrong key if all together have too many, and lock out no other address", () => {
    const failed = makeFailedKeys(limit)
    for (const [index, address] of ["a", "b", "c", "d", "e"].entries()) failed.add(address, index)
    expect(failed.wait("a", 5)).toBe(995)
    expect(failed.wait("e", 5)).toBe(999)
    expect(failed.wait("f", 5)).toBe(0)
    // The first of the five is a window ago.
    expect(failed.wait("e", 1_000)).toBe(0)
  })

  it("MUST remember only the addresses that failed last", () => {
    const failed = makeFailedKeys({ each: 1, together: 100_000, window: 1_000 })
    for (let index = 0; index <= 10_000; index++) failed.add(`a-${index}`, 0)
    expect(failed.wait("a-0", 0)).toBe(0)
    expect(failed.wait("a-1", 0)).toBe(1_000)
    expect(failed.wait("a-10000", 0)).toBe(1_000)
  })
})
