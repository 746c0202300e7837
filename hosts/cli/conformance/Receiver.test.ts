/** `designwire conformance receiver`: its output and its exit codes. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { listening } from "../../../conformance/testkit/hosts/Embedded.ts"
import { run } from "../../../conformance/testkit/processes/Processes.ts"

const secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

const receiver = (...parameters: ReadonlyArray<string>) => run(["conformance", "receiver", ...parameters])

it.live("MUST end with 1 if a receiver accepts what it must reject, and say what it answered (D97)", () =>
  Effect.gen(function* () {
    const port = yield* listening((request, response) => {
      request.resume().on("end", () => response.writeHead(200).end("thanks"))
    })
    const url = `http://127.0.0.1:${port}/hooks`
    const ran = yield* receiver(url, "--secret", secret, "--only", "forged.secret", "--only", "signed.test")
    expect([ran.code, ran.stderr]).toEqual([1, ""])
    expect(ran.stdout).toContain("✓ signed.test: ")
    expect(ran.stdout).toContain("not so: another secret is answered with 401 or another 4xx: got 200 thanks")
    expect(ran.stdout).not.toContain(secret)
  }),
)

it.live.each([
  ["nothing answers", ["http://127.0.0.1:9/"], "Nothing answers at http://127.0.0.1:9/"],
  ["the address is none", ["hooks"], "The receiver must be an http(s) URL, not hooks"],
] as const)("MUST end with 2 and a sentence if %s (D97)", ([_, parameters, sentence]) =>
  Effect.gen(function* () {
    const { code, stderr } = yield* receiver(...parameters, "--secret", secret)
    expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)])
  }),
)
