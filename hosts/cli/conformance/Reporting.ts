/** The part of `designwire conformance` that runs a profile and writes a report. */
import { accessSync, constants, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { Console, Effect, Option } from "effect"
import { Flag } from "effect/cli"
import type { Report } from "../../../conformance/index.ts"
import { certificateOf, type Heard, type Judged, judge } from "../../../conformance/suites/certificate/Certificate.ts"
import {
  type Profile,
  type ProfileName,
  profiles,
  serviceProfiles,
} from "../../../conformance/suites/certificate/Profiles.ts"
import { version } from "../Prerequisites.ts"
import { CouldNotRun, sentence } from "../ServiceProbe.ts"
import { digest, signer } from "./Signing.ts"

/** The flag of profiles. */
export const profileFlag = Flag.optional(Flag.Literals("profile", serviceProfiles)).pipe(
  Flag.withDescription("Run the fixed cases of a profile, slow ones included"),
)

/** The flags of reports. */
export const reportFlags = {
  report: Flag.optional(Flag.String("report")).pipe(
    Flag.withDescription("Write the outcome of the profile to this file, for: designwire conformance verify"),
  ),
  service: Flag.optional(Flag.String("service")).pipe(
    Flag.withDescription("Name and version of the service or receiver, for the report: NAME@VERSION"),
  ),
  signingKey: Flag.optional(Flag.String("signing-key")).pipe(
    Flag.withDescription("A file with the key to sign the report with, from: designwire key --signing"),
  ),
}

/** The options of profiles and reports. */
export interface ReportOptions {
  readonly profile: Option.Option<ProfileName>
  readonly report: Option.Option<string>
  readonly service: Option.Option<string>
  readonly signingKey: Option.Option<string>
}

/** A run that has ended. */
interface Ended {
  readonly report: Report
  readonly heard: ReadonlyMap<string, Heard>
  readonly claims: ReadonlyArray<string>
  readonly url: string
  readonly startedAt: string
}

/** A run of a profile. */
export interface Reporting {
  readonly profile: Profile
  /** Says how it ended, and writes the report if there is one to write. */
  readonly finish: (ended: Ended) => Effect.Effect<Judged, CouldNotRun>
}

/** The run of a profile that the options ask for. Everything that can be refused is refused before the run. */
export const reportingOf = Effect.fnUntraced(function* (options: ReportOptions, only: ReadonlyArray<string>) {
  const refused = (message: string) => new CouldNotRun({ message })
  if (Option.isNone(options.profile)) {
    if (Option.isNone(options.report)) return undefined
    return yield* refused(`--report needs --profile, one of ${serviceProfiles.join(", ")}`)
  }
  if (only.length > 0) {
    const flag = options.profile.value === "receiver" ? "--report" : "--profile"
    return yield* refused(`Give either --only or ${flag}: a profile is a fixed list of cases`)
  }
  const profile = profiles[options.profile.value]
  const path = Option.getOrUndefined(options.report)
  const service = nameOf(Option.getOrElse(options.service, () => ""))
  if (path !== undefined && service === undefined) {
    return yield* refused("--report needs --service NAME@VERSION, e.g. --service 'Acme Designs@1.4.2'")
  }
  // A run takes minutes: its report must have a place before it begins.
  if (path !== undefined) {
    yield* Effect.try({ try: () => accessSync(dirname(path), constants.W_OK), catch: notWritten(path) })
  }
  const sign = Option.isNone(options.signingKey) ? undefined : yield* signer(options.signingKey.value)
  const finish: Reporting["finish"] = Effect.fnUntraced(function* ({ claims, ...run }) {
    const about = { ...(service ?? { name: "", version: "" }), claims }
    const certificate = certificateOf(
      { ...run, profile, suiteVersion: version, service: about },
      { digest, ...(sign === undefined ? {} : { sign }) },
    )
    const judged = judge(certificate)
    for (const line of linesOf(profile, judged)) yield* Console.error(line)
    if (path === undefined) return judged
    yield* writeOutput(path, `${JSON.stringify(certificate, null, 2)}\n`)
    const signature = sign === undefined ? "not signed: --signing-key would do that" : "signed"
    yield* Console.error(`${path}: ${signature}`)
    return judged
  })
  const reporting: Reporting = { profile, finish }
  return reporting
})

const nameOf = (text: string): { readonly name: string; readonly version: string } | undefined => {
  const [, name, version] = /^([^\p{Cc}]{1,100})@([^@\s\p{Cc}]{1,50})$/u.exec(text) ?? []
  return name === undefined || version === undefined ? undefined : { name, version }
}

const notWritten = (path: string) => (error: unknown) =>
  new CouldNotRun({ message: `${path} can't be written: ${sentence(error)}` })

/** The outcome of a run of a profile, in lines. */
export const linesOf = (
  { name, version: number }: { readonly name: string; readonly version: number },
  { failed, skipped, verdict }: Judged,
): ReadonlyArray<string> => [
  `${name} v${number}: ${verdict}`,
  ...(failed.length === 0 ? [] : [`    failed: ${failed.join(", ")}`]),
  ...(skipped.length === 0 ? [] : [`    required, and skipped: ${skipped.join(", ")}`]),
]

/** Writes a file of a report. */
export const writeOutput = (path: string, text: string): Effect.Effect<void, CouldNotRun> =>
  Effect.try({ try: () => writeFileSync(path, text), catch: notWritten(path) })
