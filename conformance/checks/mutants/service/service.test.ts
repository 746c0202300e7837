/** Faults before a service: a proxy plants each before one of our own, and the case that it names must fail. */
import { expect, it } from "vitest"
import { check, service } from "../../../index.ts"
import { serverOn } from "../../../testkit/hosts/ServedService.ts"
import { memory } from "../../../testkit/hosts/TestHost.ts"
import { withFault } from "./FaultyProxy.ts"
import type { ServiceFault } from "./ServiceFault.ts"
import { wrongAddresses, wrongServices } from "./wrong/index.ts"

const running = await serverOn(memory)

const faults = [...Object.values(wrongServices).flat(), ...wrongAddresses]

/** The cases that fail with a fault, each with its message. */
const failing = async (fault: ServiceFault, only: ReadonlyArray<string>) => {
  const { close, harness } = await withFault(running, fault)
  try {
    // What is refused by default is accepted of a service that may send to the receiver.
    const { receive, schedule, ...unreceived } = harness
    const isDefault = only.includes("endpoints.public.default")
    const suite = service({ ...(isDefault ? unreceived : harness), only, slow: true })
    const { results } = await check(suite, { write: () => undefined })
    return results.filter(({ status }) => status !== "passed").map(({ id, message }) => `${id}: ${message}`)
  } finally {
    await close()
  }
}

it("MUST pass the cases through proxies that change nothing", async () => {
  const ids = [...new Set(faults.map(({ caughtBy }) => caughtBy))]
  const unchanged = { title: "none", caughtBy: "" }
  expect(
    await failing(
      unchanged,
      ids.filter((id) => id !== "endpoints.public.default"),
    ),
  ).toEqual([])
})

it.each(faults.map((fault) => [fault.title, fault] as const))("MUST be caught: %s", async (_, fault) => {
  expect(await failing(fault, [fault.caughtBy])).toEqual([expect.stringMatching(`^${fault.caughtBy}: `)])
})
