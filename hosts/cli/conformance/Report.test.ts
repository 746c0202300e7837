/** `designwire conformance --profile --report` and `designwire conformance verify`: files, output and exit codes. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { manageKey, memory, serve } from "../../../conformance/testkit/hosts/TestHost.ts"
import { run, temporaryDirectory } from "../../../conformance/testkit/processes/Processes.ts"

const conformance = (...parameters: ReadonlyArray<string>) => run(["conformance", ...parameters])

/** The service of this package, changed through the management API, and a new key in a directory. */
const prepared = Effect.gen(function* () {
  const directory = yield* temporaryDirectory
  const made = yield* run(["key", "--signing"])
  const [, publicKey = ""] = /: (\S+)\n$/.exec(made.stderr) ?? []
  const key = join(directory, "signing.pem")
  writeFileSync(key, made.stdout)
  const shown = yield* run(["key", "--public", key])
  expect([shown.stdout, shown.stderr]).toEqual([`${publicKey}\n`, ""])
  const origin = `http://127.0.0.1:${yield* serve(yield* Layer.build((yield* memory.open).ports))}`
  const told = ["--url", `${origin}/api/v1`, "--manage-url", `${origin}/manage/v1`, "--manage-key", manageKey]
  return { directory, key, publicKey, report: join(directory, "report.json"), told }
})

it.live(
  "MUST write a signed report of a profile that others verify without the service, with no secret in it (D96)",
  () =>
    Effect.gen(function* () {
      const { directory, key, publicKey, report, told } = yield* prepared
      const asked = ["--profile", "evaluation", "--report", report, "--service", "Ours@0.3.0", "--signing-key", key]
      const ran = yield* conformance(...told, ...asked)
      expect([ran.code, ran.stderr]).toEqual([0, `evaluation v1: passed\n${report}: signed\n`])
      const text = readFileSync(report, "utf8")
      expect(text).not.toMatch(/cmz_\w|whsec_\w/)
      expect(text).not.toContain(manageKey)
      const { facts, run: went } = JSON.parse(text)
      expect(facts.service).toMatchObject({ name: "Ours", version: "0.3.0" })
      expect(facts.service.claims).toContain("rotation")
      expect(went.cases["evaluation.vectors"].exchanges[0].asked).toMatch(/^call \d+: \w+\.\w+\(/)
      const [page, xml, badge] = ["page.html", "junit.xml", "badge.svg"].map((name) => join(directory, name))
      const outputs = ["--html", page ?? "", "--junit", xml ?? "", "--badge", badge ?? ""]
      const verified = yield* conformance("verify", report, "--key", publicKey, ...outputs)
      expect([verified.code, verified.stderr]).toEqual([0, ""])
      expect(verified.stdout).toContain("Ours 0.3.0: evaluation v1: passed, 4 of 4 cases passed\n")
      expect(readFileSync(page ?? "", "utf8")).toContain("<h1>Ours 0.3.0: evaluation v1 passed</h1>")
      expect(readFileSync(xml ?? "", "utf8")).toContain(`tests="4" failures="0"`)
      expect(readFileSync(badge ?? "", "utf8")).toContain("evaluation v1</title>")
      writeFileSync(report, text.replace("Ours", "Theirs"))
      const refused = yield* conformance("verify", report)
      expect([refused.code, refused.stdout]).toEqual([2, ""])
      expect(refused.stderr).toContain("The facts do not have the digest of the report")
    }),
)

it.live(
  "MUST end with 1 if a case that the profile requires was left out, in the run and when it is verified (D96)",
  () =>
    Effect.gen(function* () {
      const { key, report, told } = yield* prepared
      const asked = ["--profile", "evaluation", "--report", report, "--service", "Ours@0.3.0", "--signing-key", key]
      const ran = yield* conformance(...told, ...asked, "--skip", "evaluation.numbers=not built yet")
      expect([ran.code, ran.stderr]).toEqual([
        1,
        expect.stringContaining("evaluation v1: incomplete\n    required, and skipped: evaluation.numbers\n"),
      ])
      const verified = yield* conformance("verify", report)
      expect([verified.code, verified.stderr]).toEqual([1, ""])
      expect(verified.stdout).toContain("required, and skipped: evaluation.numbers")
    }),
)

const nowhere = ["--url", "http://127.0.0.1:9/api/v1"]

it.live.each([
  ["a report has no profile", [...nowhere, "--report", "r.json"], "--report needs --profile, one of rest, "],
  [
    "a report has no service",
    [...nowhere, "--profile", "feed", "--report", "r"],
    "--report needs --service NAME@VERSION",
  ],
  ["a profile has a selection", [...nowhere, "--profile", "feed", "--only", "feed"], "Give either --only or --profile"],
  ["there is no key", [...nowhere, "--profile", "feed", "--signing-key", "/none"], "designwire key --signing"],
  [
    "the report has no place",
    [...nowhere, "--profile", "feed", "--service", "a@1", "--report", "/none/r.json"],
    "/none/r.json can't be written",
  ],
  ["there is no report to verify", ["verify", "/none/r.json"], "/none/r.json can't be read"],
] as const)("MUST end with 2 and a sentence if %s", ([_, parameters, sentence]) =>
  Effect.gen(function* () {
    const { code, stderr } = yield* conformance(...parameters)
    expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)])
  }),
)
