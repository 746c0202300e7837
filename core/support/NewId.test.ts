import { NodeCrypto } from "@effect/platform-node"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { compareIds } from "../model/Ids.ts"
import { newId } from "./NewId.ts"

it.effect("an id MUST be its prefix and 22 characters of base62 at any time (D9)", () =>
  Effect.gen(function* () {
    for (const at of [0, 1, Date.UTC(2026, 9, 5), Date.UTC(9999, 11, 31)]) {
      yield* TestClock.setTime(at)
      expect(yield* newId("evt_")).toMatch(/^evt_[0-9A-Za-z]{22}$/)
    }
  }).pipe(Effect.provide(NodeCrypto.layer)),
)

it.effect("ids MUST sort by the millisecond in which they were made (D9)", () =>
  Effect.gen(function* () {
    const made: Array<string> = []
    for (let at = Date.UTC(2026, 9, 5); made.length < 200; at += 1 + (made.length % 3) * 977) {
      yield* TestClock.setTime(at)
      made.push(yield* newId("dlv_"))
    }
    expect(made.toSorted(compareIds)).toEqual(made)
  }).pipe(Effect.provide(NodeCrypto.layer)),
)

it.effect("ids of one millisecond MUST differ in 80 random bits (D9)", () =>
  Effect.gen(function* () {
    const made = yield* Effect.all(Array.from({ length: 1_000 }, () => newId("evt_")))
    expect(new Set(made).size).toBe(made.length)
    // At the time 0 the random bits are the whole number.
    const largest = made.toSorted(compareIds).at(-1) ?? ""
    expect(largest.replace(/^evt_0*/, "").length).toBe(14)
  }).pipe(Effect.provide(NodeCrypto.layer)),
)
