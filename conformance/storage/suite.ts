import { layer } from "@effect/vitest"
import { storageCases } from "./cases.ts"
import { hosts, type StorageCase, type StorageHarness } from "./StorageCase.ts"

/**
 * Registers every case with vitest for an adapter: its whole test is this call. A case that needs what the adapter
 * lacks is left out, with the reason in its title.
 *
 * Cases that must run alone do so on a store of their own.
 */
export const storageSuite = (name: string, harness: StorageHarness): void => {
  const register = (group: string, concurrent: boolean, cases: ReadonlyArray<StorageCase>) =>
    layer(hosts(harness), { excludeTestServices: true, concurrent, timeout: "2 minutes" })(group, (it) => {
      for (const { id, title, spec, needs = [], run } of cases) {
        const lacking = needs.flatMap((capability) => harness.lacks?.[capability] ?? [])
        const name = `${id}: ${title} (${spec})`
        if (lacking.length === 0) it.effect(name, () => run, 60_000)
        else it.effect.skip(`${name}. Left out: ${lacking.join("; ")}`, () => run)
      }
    })
  register(
    name,
    true,
    storageCases.filter(({ alone = false }) => !alone),
  )
  register(
    `${name}, one at a time`,
    false,
    storageCases.filter(({ alone = false }) => alone),
  )
}
