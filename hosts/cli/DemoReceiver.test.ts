import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { abortedPost } from "../../conformance/testkit/requests/Aborted.ts"
import { demoReceiver } from "./DemoReceiver.ts"

it.live("The receiver of the demo MUST outlive a sender that is gone before the end of its delivery", () =>
  Effect.gen(function* () {
    const lines: Array<string> = []
    const { url } = yield* demoReceiver((line) => void lines.push(line))
    yield* Effect.promise(() => abortedPost(url))
    const answer = yield* Effect.promise(() => fetch(url, { method: "POST", body: "{}" }))
    expect(answer.status).toBe(401)
    expect(lines).toEqual([expect.stringMatching(/^Refused a delivery: /)])
  }).pipe(Effect.scoped),
)
