import { layer } from "@effect/vitest"
import { senderCases } from "./cases.ts"
import { type SenderHarness, subjects } from "./SenderCase.ts"

/** Registers every case with vitest for an adapter: its whole test is this call. */
export const senderSuite = (name: string, harness: SenderHarness): void =>
  layer(subjects(harness), { excludeTestServices: true })(name, (it) => {
    for (const { id, title, spec, run } of senderCases) {
      it.effect(`${id}: ${title} (${spec})`, () => run, 60_000)
    }
  })
