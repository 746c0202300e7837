/** The corpus in other orders of delivery, and with each webhook twice (D82). */
import { readdirSync, readFileSync } from "node:fs"
import { isDeepStrictEqual } from "node:util"
import { describe, expect, inject, it } from "vitest"
import { endOf, type FieldCase, secrets } from "../../conformance/testkit/field/RunCase.ts"
import { embed, emptyDatabase } from "../../conformance/testkit/hosts/EmbedWorld.ts"

const folder = new URL("../../conformance/testkit/field/cases/", import.meta.url)
const cases = readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .map((name) => JSON.parse(readFileSync(new URL(name, folder), "utf8")) as FieldCase)

const ingest = { shopify: { secret: secrets.shopify }, woocommerce: { secret: secrets.woocommerce } }

const rounds = inject("wholeMatrix") ? 40 : 4

/** Cases whose end depends on the order in which webhooks come, and why. Each webhook comes twice in a row. */
const inOrder: Readonly<Record<string, string>> = {
  "s-order-07": "what is first heard of when it was shipped is not made",
  "w-stat-01": "what is first heard of when it is completed is not made",
  "w-trash-01": "a deletion names no time",
}

/** Numbers from 0 up to 1, the same in each run. */
const numbers = (seed: number) => {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const shuffled = <A>(list: ReadonlyArray<A>, next: () => number): ReadonlyArray<A> =>
  list
    .map((each) => [next(), each] as const)
    .toSorted(([left], [right]) => left - right)
    .map(([, each]) => each)

const twice = (sequence: FieldCase["sequence"]) => sequence.flatMap((webhook) => [webhook, webhook])

type Embedded = Awaited<ReturnType<typeof embed>>

/** Ends that differ from the end of the sequence as it is, each with the order of arrival. */
const otherEnds = async (designwire: Embedded, spec: FieldCase, times: number) => {
  const { id, sequence } = spec
  const { made: end } = await endOf(designwire, spec, { arriving: sequence, suffix: "as-is" })
  const next = numbers(id.length + sequence.length)
  const found: Array<unknown> = []
  for (let round = 0; round < times; round++) {
    const isFixed = inOrder[id] !== undefined || round === 0
    const arriving = isFixed ? twice(sequence) : shuffled(twice(sequence), next)
    const { made: other } = await endOf(designwire, spec, { arriving, suffix: `${round}` })
    if (!isDeepStrictEqual(other, end)) {
      found.push({ arriving: arriving.map((webhook) => sequence.indexOf(webhook) + 1).join(" "), end, other })
    }
  }
  return found
}

describe("A sequence of webhooks of a platform in any order, each twice,", () => {
  it.each(cases)("MUST end as it does once and in order: $id, $title (D82)", async (spec) => {
    expect(await otherEnds(await embed({ ingest }), spec, rounds)).toEqual([])
  })

  it("MUST do so on Postgres (D82)", async () => {
    const designwire = await embed({ database: { url: await emptyDatabase() }, ingest })
    await designwire.migrate()
    const found: Record<string, ReadonlyArray<unknown>> = {}
    for (const spec of cases) {
      const others = await otherEnds(designwire, spec, rounds / 2)
      if (others.length > 0) found[spec.id] = others
    }
    expect(found).toEqual({})
  })
})
