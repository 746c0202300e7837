import { networkInterfaces } from "node:os"
import { layer } from "@effect/vitest"
import { senderCases } from "./cases.ts"
import { type SenderHarness, subjects } from "./SenderCase.ts"

const hasIpv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ family }) => family === "IPv6"),
)

/** Registers every case with vitest for an adapter: its whole test is this call. A case that the machine has not what it needs for is left out, and says so. */
export const senderSuite = (name: string, harness: SenderHarness): void =>
  layer(subjects(harness), { excludeTestServices: true })(name, (it) => {
    for (const { id, needs, title, spec, run } of senderCases) {
      const name = `${id}: ${title} (${spec})`
      if (needs === undefined || hasIpv6) it.effect(name, () => run, 60_000)
      else it.effect.skip(`${name}. Left out: the machine has no IPv6`, () => run)
    }
  })
