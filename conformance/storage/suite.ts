import { layer } from "@effect/vitest"
import { storageCases } from "./cases.ts"
import { hosts, type StorageHarness } from "./StorageCase.ts"

/**
 * Registers every case with vitest for an adapter: its whole test is this call. A case that needs what the adapter
 * lacks is left out, with the reason in its title.
 */
export const storageSuite = (name: string, harness: StorageHarness): void =>
  layer(hosts(harness), { excludeTestServices: true, concurrent: true, timeout: "2 minutes" })(name, (it) => {
    for (const { id, title, spec, needs = [], run } of storageCases) {
      const lacking = needs.flatMap((capability) => harness.lacks?.[capability] ?? [])
      const name = `${id}: ${title} (${spec})`
      if (lacking.length === 0) it.effect(name, () => run, 60_000)
      else it.effect.skip(`${name}. Left out: ${lacking.join("; ")}`, () => run)
    }
  })
