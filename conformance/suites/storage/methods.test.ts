import { Context, Effect, Layer } from "effect"
import { expect, it } from "vitest"
import { layerShared, makeState } from "../../../adapters/memory/index.ts"
import type { StoragePorts } from "../../../core/ports/StoragePorts.ts"
import { check, type Selection, storage } from "../../index.ts"
import { portName } from "../runner/picked.ts"
import { storagePorts } from "./StorageCase.ts"

/** The same ports, recording which methods are used. */
const recording = (ports: Context.Context<StoragePorts>, asked: Set<string>): Context.Context<StoragePorts> =>
  Context.makeUnsafe(
    new Map(
      [...ports.mapUnsafe].map(([key, service]) => [
        key,
        new Proxy(service, {
          get: (target, method) => {
            asked.add(`${portName({ key })}.${String(method)}`)
            return Reflect.get(target, method)
          },
        }),
      ]),
    ),
  )

/** Runs the cases in memory and returns the methods that none of them uses. */
const notAsked = async (selection: Selection) => {
  const asked = new Set<string>()
  const methods = new Set<string>()
  const open = Effect.sync(() =>
    Layer.effectContext(
      Effect.map(Layer.build(layerShared(makeState())), (ports) => {
        for (const port of storagePorts) {
          for (const method of Object.keys(ports.mapUnsafe.get(port.key))) methods.add(`${portName(port)}.${method}`)
        }
        return recording(ports, asked)
      }),
    ),
  )
  const lacks = { transaction: "memory has none", faults: "nothing lies between a host and its memory" }
  const { failed } = await check(storage({ open, lacks, ...selection }), { write: () => undefined })
  expect(failed).toBe(0)
  return [...methods].filter((method) => !asked.has(method))
}

it("MUST have a case that calls each method of each port", async () => {
  expect(await notAsked({})).toEqual([])
})

it("MUST see each fallible method fail", async () => {
  const cannotFail = ["DeliverySignal.subscribe", "DeliverySignal.wake", "TokenStore.caughtUp", "TokenStore.onChanged"]
  expect((await notAsked({ only: ["faults"] })).toSorted()).toEqual(cannotFail)
})
