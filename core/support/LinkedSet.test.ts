import { expect, it } from "vitest"
import { LinkedSet } from "./LinkedSet.ts"

const of = (values: ReadonlyArray<string>) => {
  const set = new LinkedSet<string>()
  return { set, links: values.map((value) => set.add(value)) }
}

it("Members MUST be in the order in which they were added or renewed, without removed ones", () => {
  const { links, set } = of(["a", "b", "c", "d"])
  const [a, b, c, d] = links as [(typeof links)[0], (typeof links)[0], (typeof links)[0], (typeof links)[0]]
  expect([set.remove(b), set.remove(b), set.size, [...set].join("")]).toEqual([true, false, 3, "acd"])
  set.renew(a)
  set.renew(b)
  expect([...set].join("")).toBe("cda")
  expect([set.remove(a), set.remove(c), set.remove(d), set.size, [...set]]).toEqual([true, true, true, 0, []])
  set.add("e")
  expect([[...set], set.size]).toEqual([["e"], 1])
})

it("Iteration MUST meet no member that was removed meanwhile, and all others", () => {
  const { links, set } = of(["a", "b", "c", "d"])
  const met: Array<string> = []
  for (const member of set) {
    met.push(member)
    if (member === "b") for (const link of links.slice(0, 3)) set.remove(link)
  }
  expect(met).toEqual(["a", "b", "d"])
})

it("A link MUST remove no member of another set", () => {
  const { links } = of(["a"])
  const other = of(["a"]).set
  expect([other.remove(links[0] as (typeof links)[0]), other.size]).toEqual([false, 1])
})

it("A removed link MUST point to no other", () => {
  const { links, set } = of(["a", "b", "c"])
  const middle = links[1] as (typeof links)[0]
  set.remove(middle)
  expect(middle).toEqual({ value: "b", set: undefined, previous: undefined, next: undefined })
})
