/** Answers of the management API may contain secrets and must not be cached. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Answer, inProcess, manage, memory, newShop } from "../../conformance/testkit/hosts/TestHost.ts"

it.effect("MUST say no-store in every answer: to a success, a refusal and an unknown address", () =>
  Effect.gen(function* () {
    const { ports } = yield* memory.open
    const send = yield* inProcess(ports)
    const at = `/shops/${(yield* newShop(send)).id}`
    const noStore = (status: number, answer: Answer) =>
      expect([answer.status, answer.headers["cache-control"]]).toEqual([status, "no-store"])
    noStore(200, yield* manage(send, "GET", "/shops"))
    noStore(201, yield* manage(send, "POST", `${at}/tokens`, { name: "ERP" }))
    noStore(
      204,
      yield* manage(send, "PUT", `${at}/orders/1`, { name: "#1", orderedAt: "2026-10-05T14:48:00Z", lines: [] }),
    )
    noStore(400, yield* manage(send, "POST", `${at}/tokens`, { name: "" }))
    noStore(400, yield* manage(send, "POST", `${at}/tokens`, "{"))
    noStore(404, yield* manage(send, "GET", "/shops/nobody"))
    noStore(404, yield* manage(send, "GET", "/nothing"))
    noStore(405, yield* manage(send, "PATCH", "/shops"))
    for (let count = 0; count < 10; count++) {
      noStore(401, yield* send("GET", "/manage/v1/shops", { headers: { authorization: "Bearer wrong" } }))
    }
    noStore(429, yield* manage(send, "GET", "/shops"))
  }),
)
