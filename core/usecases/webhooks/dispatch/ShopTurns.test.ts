import { describe, expect, it } from "vitest"
import { testClaim } from "../../../../conformance/testkit/workers/TestClaim.ts"
import type { Standing } from "../../../model/Health.ts"
import { ShopTurns } from "./ShopTurns.ts"

const room = { newcomer: 4, troubled: 2, proven: 8 }

/** Turns of some shops, and a claim that finds one delivery for each shop given. */
const turnsOf = (...shops: ReadonlyArray<string>) => {
  const turns = new ShopTurns()
  turns.add(shops)
  const claim = (found: Partial<Record<Standing, ReadonlyArray<string>>>, limit = 8) => {
    const named = turns.next(room)
    const claims = Object.entries(found).flatMap(([standing, shops]) =>
      shops.map((shop) => testClaim({ shop, proven: standing === "proven", troubled: standing === "troubled" })),
    )
    turns.found({ limit, probation: { limit: 4, troubled: 2, perEndpoint: 1 }, shops: named }, claims)
    return named
  }
  return { turns, claim }
}

describe("ShopTurns (D45)", () => {
  it("MUST name each shop for every standing with room, in the order in which it was added", () => {
    const { turns } = turnsOf("b", "a", "b")
    expect(turns.next({ ...room, troubled: 0 })).toEqual({ newcomer: ["b", "a"], troubled: [], proven: ["b", "a"] })
    expect(turns.isDue({ newcomer: 0, troubled: 0, proven: 0 })).toBe(false)
    expect(turns.isDue({ newcomer: 0, troubled: 1, proven: 0 })).toBe(true)
  })

  it("MUST end the turns of shops of which a claim with room left has found everything", () => {
    const { claim, turns } = turnsOf("a", "b", "c")
    claim({ proven: ["a", "a", "c"] })
    expect(turns.isDue(room)).toBe(false)
  })

  it("MUST let the shops that a full claim served wait behind the others", () => {
    const { claim, turns } = turnsOf("a", "b", "c", "d")
    claim({ proven: ["a", "c"] }, 2)
    expect(turns.next(room).proven).toEqual(["b", "d", "a", "c"])
  })

  it("MUST give shops with endpoints that are not proven another turn, as they may have more of these", () => {
    const { claim, turns } = turnsOf("a", "b", "c")
    claim({ newcomer: ["b"], troubled: ["a", "b"] })
    expect(turns.next(room)).toEqual({ newcomer: ["b"], troubled: ["c", "a", "b"], proven: [] })
  })

  it("MUST NOT take the turns of one standing for another's claims", () => {
    const { claim, turns } = turnsOf("a", "b", "c")
    claim({ troubled: ["a", "b"], proven: ["a", "b", "c"] })
    expect(turns.next(room).troubled).toEqual(["c", "a", "b"])
  })

  it("MUST keep the turn of a shop that is added while a claim is under way", () => {
    const { turns } = turnsOf("a", "b")
    const shops = turns.next(room)
    turns.add(["a"])
    turns.found({ limit: 8, probation: { limit: 4, troubled: 2, perEndpoint: 1 }, shops }, [])
    expect(turns.next(room)).toEqual({ newcomer: ["a"], troubled: ["a"], proven: ["a"] })
  })

  it("MUST name the last of the shops that signals named between those that wait, first in every second claim", () => {
    const { claim, turns } = turnsOf("a", "b", "c")
    turns.hear(["d"])
    turns.hear(["e"])
    expect(turns.next(room)).toMatchObject({ newcomer: ["a", "e", "b", "d", "c"], proven: ["a", "b", "c", "d", "e"] })
    // This claim is full, and the next one names the others first.
    expect(claim({ newcomer: ["e", "e", "e", "e"] }).newcomer).toEqual(["e", "a", "d", "b", "c"])
    expect(turns.next(room).newcomer).toEqual(["a", "d", "b", "c", "e"])
  })

  it("MUST let the oldest of a thousand shops that signals named wait for its turn", () => {
    const { turns } = turnsOf()
    const all = Array.from({ length: 1_001 }, (_, index) => `s${index}`)
    turns.hear(all.slice(1))
    turns.hear(["s0"])
    turns.next(room)
    const { newcomer } = turns.next(room)
    expect(newcomer.slice(0, 4)).toEqual(["s0", "s1", "s1000", "s2"])
    expect(newcomer).toHaveLength(64)
  })

  it("MUST name at most 64 shops at once, and the others in later claims", () => {
    const all = Array.from({ length: 100 }, (_, index) => `s${index}`)
    const { claim } = turnsOf(...all)
    expect([claim({}).proven, claim({}).proven]).toEqual([all.slice(0, 64), all.slice(64)])
  })
})
