/** The corpus of what platforms send, and what a production department wants after each webhook (D80 to D84). */
import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { type FieldCase, runCase, secrets } from "../../conformance/testkit/field/RunCase.ts"
import { embed, emptyDatabase } from "../../conformance/testkit/hosts/EmbedWorld.ts"

const folder = new URL("../../conformance/testkit/field/cases/", import.meta.url)
const cases = readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .map((name) => JSON.parse(readFileSync(new URL(name, folder), "utf8")) as FieldCase)

const ingest = { shopify: { secret: secrets.shopify }, woocommerce: { secret: secrets.woocommerce } }

const problemsOf = async (designwire: Awaited<ReturnType<typeof embed>>, spec: FieldCase) =>
  (await runCase(designwire, spec, "case")).flatMap(({ differs, reason, state, topic }, index) =>
    differs
      .filter(({ isOpen }) => !isOpen)
      .map(({ kind, text }) => `${index + 1} ${topic}: ${state} (${reason}): ${kind}: ${text}`),
  )

describe("A sequence of webhooks of a platform", () => {
  it.each(cases)("MUST end as a workshop wants it: $id, $title (D80, D81, D82, D83, D84)", async (spec) => {
    expect(await problemsOf(await embed({ ingest }), spec)).toEqual([])
  })

  it("MUST end alike on Postgres (D80, D81, D82, D83, D84)", async () => {
    const designwire = await embed({ database: { url: await emptyDatabase() }, ingest })
    await designwire.migrate()
    const found: Record<string, ReadonlyArray<string>> = {}
    for (const spec of cases) {
      const problems = await problemsOf(designwire, spec)
      if (problems.length > 0) found[spec.id] = problems
    }
    expect(found).toEqual({})
  })
})
