/** `designwire conformance verify`: whether a report holds, without a network and without the service. */
import { readFileSync } from "node:fs"
import process from "node:process"
import { Console, Effect, Option, Result } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { type Certificate, judge, readCertificate } from "../../../conformance/suites/certificate/Certificate.ts"
import { printableLines } from "../../../core/model/log/Printable.ts"
import { CouldNotRun, sentence } from "../ServiceProbe.ts"
import { linesOf, writeOutput } from "./Reporting.ts"
import { digest, isSigned } from "./Signing.ts"

const output = (name: string, description: string) =>
  Flag.optional(Flag.String(name)).pipe(Flag.withDescription(description))

interface VerifyOptions {
  readonly report: string
  readonly key: Option.Option<string>
  readonly html: Option.Option<string>
  readonly junit: Option.Option<string>
  readonly badge: Option.Option<string>
}

/**
 * Ends with 0 if the service has the profile, with 1 if a case failed or a required one was skipped, and with 2 if the
 * report can't be trusted or read.
 */
const verify = Effect.fn("verify")(function* (options: VerifyOptions) {
  const text = yield* Effect.try({
    try: () => readFileSync(options.report, "utf8"),
    catch: (error) => new CouldNotRun({ message: `${options.report} can't be read: ${sentence(error)}` }),
  })
  const publicKey = Option.getOrUndefined(options.key)
  const read = readCertificate(text, { digest, isSigned, ...(publicKey === undefined ? {} : { publicKey }) })
  if (Result.isFailure(read)) return yield* new CouldNotRun({ message: read.failure })
  const certificate = read.success
  // Other commands begin without them.
  const { badgeOf, htmlOf, junitOf } = yield* Effect.promise(
    () => import("../../../conformance/suites/certificate/Pages.ts"),
  )
  for (const [path, render] of [
    [options.html, htmlOf],
    [options.junit, junitOf],
    [options.badge, badgeOf],
  ] as const) {
    if (Option.isSome(path)) yield* writeOutput(path.value, render(certificate))
  }
  yield* Console.log(printableLines(saying(certificate, publicKey)))
  if (judge(certificate).verdict !== "passed") process.exitCode = 1
})

const saying = (certificate: Certificate, expected: string | undefined): string => {
  const { facts, run, signature } = certificate
  const passed = facts.cases.filter(({ verdict }) => verdict === "passed").length
  const [first, ...more] = linesOf(facts.profile, judge(certificate))
  const whose = expected === undefined ? "; --key would check whose that is" : ""
  return [
    `${facts.service.name} ${facts.service.version}: ${first}, ${passed} of ${facts.cases.length} cases passed`,
    ...more,
    `    checked by designwire ${facts.suite.version} at ${run.startedAt}, and not changed since`,
    `    signed with the key ${signature?.publicKey}${whose}`,
  ].join("\n")
}

/** The command. */
export const verifyCommand = Command.make(
  "verify",
  {
    report: Argument.String("report").pipe(Argument.withDescription("The file that --report has written")),
    key: Flag.optional(Flag.String("key")).pipe(
      Flag.withDescription("The public key that must have signed it, as text: from designwire key --public FILE"),
    ),
    html: output("html", "Also write it as a page for people to this file"),
    junit: output("junit", "Also write it as JUnit XML to this file"),
    badge: output("badge", "Also write a badge in SVG to this file"),
  },
  verify,
).pipe(
  Command.withDescription("Check a report without the service: its signature, its cases, and that none was left out"),
)
