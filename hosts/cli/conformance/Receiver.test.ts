/** `designwire conformance receiver`: its output and its exit codes. */

import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { listening } from "../../../conformance/testkit/hosts/Embedded.ts"
import { run, temporaryDirectory } from "../../../conformance/testkit/processes/Processes.ts"
import { verifyWebhook } from "../../receiver/index.ts"

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

it.live("MUST write a signed report of a receiver that others verify, with no secret in it (D96, D97)", () =>
  Effect.gen(function* () {
    const port = yield* listening(async (request, response) => {
      const parts: Array<Buffer> = []
      for await (const part of request) parts.push(part)
      const verified = await verifyWebhook({ secret, headers: request.headers, body: Buffer.concat(parts) })
      response.writeHead(verified.ok ? 204 : 401).end(secret)
    })
    const directory = yield* temporaryDirectory
    const [report, key] = [join(directory, "report.json"), join(directory, "signing.pem")]
    writeFileSync(key, (yield* run(["key", "--signing"])).stdout)
    const told = ["--report", report, "--service", "Acme shop@2", "--signing-key", key]
    const ran = yield* receiver(`http://127.0.0.1:${port}/hooks?key=hidden`, "--secret", secret, ...told)
    expect([ran.code, ran.stderr]).toEqual([0, `receiver v1: passed\n${report}: signed\n`])
    const text = readFileSync(report, "utf8")
    expect(text).not.toMatch(/whsec_\w|hidden/)
    expect(JSON.parse(text).run.cases["forged.form"]).toMatchObject({ calls: 9 })
    const verified = yield* run(["conformance", "verify", report])
    expect([verified.code, verified.stderr]).toEqual([0, ""])
    expect(verified.stdout).toContain("Acme shop 2: receiver v1: passed, 16 of 17 cases passed\n")
    const partial = yield* receiver(`http://127.0.0.1:${port}/`, "--secret", secret, ...told, "--only", "late")
    expect([partial.code, partial.stderr]).toEqual([2, expect.stringContaining("Give either --only or --report")])
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
