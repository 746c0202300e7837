import { expect, it } from "vitest"
import { allCases } from "./cases.ts"
import recorded from "./ids.json" with { type: "json" }
import { findRequirements } from "./requirements/index.ts"

const suites = Object.entries(allCases)

it.each(suites)("MUST give each case of %s a unique id and a requirement as its title", (_, cases) => {
  const ids = cases.map(({ id }) => id)
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  const odd = cases.filter(({ id, title }) => !/^[a-z-]+(\.[a-z0-9-]+)+$/.test(id) || !title.startsWith("MUST "))
  expect(odd.map(({ id }) => id)).toEqual([])
})

it.each(suites)("MUST cite existing single requirements in the cases of %s, not sections", (_, cases) => {
  const unknown = cases.flatMap(({ id, requirements }) =>
    requirements.filter((cited) => findRequirements(cited).length !== 1).map((cited) => `${id} cites ${cited}`),
  )
  expect(unknown).toEqual([])
})

it("MUST never remove or rename a case: the recorded ids must match (npm run requirements records new ones)", () => {
  expect(Object.fromEntries(suites.map(([suite, cases]) => [suite, cases.map(({ id }) => id).toSorted()]))).toEqual(
    recorded,
  )
})
