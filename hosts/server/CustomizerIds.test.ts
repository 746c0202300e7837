/** The form of a customizer's id in a path (D15). */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { customizers } from "../../conformance/suites/service/Samples.ts"
import { bodyOf, inProcess, manage, memory, newShop, read } from "../../conformance/testkit/hosts/TestHost.ts"

const spellings = [
  "007",
  "07",
  "7.0",
  "7e0",
  "+7",
  "0x7",
  "7n",
  "%EF%BC%97",
  "-7",
  "7%20",
  "%207",
  "0",
  "9007199254740992",
]

describe("A customizer's id in a path", () => {
  it.effect("MUST be its number in plain decimal: every other spelling is 404, to read and to put (D15)", () =>
    Effect.gen(function* () {
      const { ports } = yield* memory.open
      const send = yield* inProcess(ports)
      const shop = yield* newShop(send)
      const put = (id: string) =>
        manage(send, "PUT", `/shops/${shop.id}/customizers/${id}`, {
          title: "Ring",
          platformProductId: "gid://platform/Product/1",
          assetBase: "https://assets.example.com",
        })
      yield* bodyOf(200, yield* put("7"))
      const [ring] = customizers
      const publish = manage(send, "POST", `/shops/${shop.id}/customizers/7/publish`, { definition: ring?.definition })
      yield* bodyOf(200, yield* publish)
      expect((yield* read(send, shop.token, "/customizers/7")).status).toBe(200)
      for (const id of spellings) {
        expect([id, (yield* read(send, shop.token, `/customizers/${id}`)).status]).toEqual([id, 404])
        expect([id, (yield* put(id)).status]).toEqual([id, 404])
      }
    }),
  )
})
