/**
 * The outcome of a check as a file that others can judge without running it again. Pure: digests and signatures come in
 * as functions.
 *
 * - `facts` are what the check is about: the same facts have the same bytes and the same digest in every run.
 * - `run` is how this run went: its time, its durations, and what was asked and answered with its random names.
 *
 * The signature is over both, so that neither can be changed later.
 */
import { Result, Schema } from "effect"
import { printableLines } from "../../../core/model/log/Printable.ts"
import type { Heard } from "../runner/Calls.ts"
import type { Report } from "../runner/Report.ts"
import { canonical, signedBytes } from "./Canonical.ts"
import { type Profile, type ProfileName, profileNames, profiles, profileText } from "./Profiles.ts"

export type { Heard } from "../runner/Calls.ts"

/** The form of the file, and the type of what is signed. */
const format = "designwire-conformance-report/1"

const CaseFacts = Schema.Struct({
  id: Schema.String,
  title: Schema.String,
  /** Whether the profile requires that it passes. */
  required: Schema.Boolean,
  verdict: Schema.Literals(["passed", "failed", "skipped"]),
  /** Why it was skipped. */
  reason: Schema.optionalKey(Schema.String),
})

const Facts = Schema.Struct({
  suite: Schema.Struct({ name: Schema.String, version: Schema.String }),
  profile: Schema.Struct({ name: Schema.String, version: Schema.Number, digest: Schema.String }),
  /** What the service says of itself: its name, its version, and the features beyond the specification that it has. */
  service: Schema.Struct({ name: Schema.String, version: Schema.String, claims: Schema.Array(Schema.String) }),
  /** In the order of the profile. */
  cases: Schema.Array(CaseFacts),
})

const CaseRun = Schema.Struct({
  durationMs: Schema.Number,
  /** Number of calls; the exchanges are the last of them. */
  calls: Schema.Number,
  exchanges: Schema.Array(Schema.Struct({ asked: Schema.String, answered: Schema.String })),
  /** Why it failed: what was expected and what came. */
  message: Schema.optionalKey(Schema.String),
})

const Run = Schema.Struct({
  url: Schema.String,
  /** ISO 8601. */
  startedAt: Schema.String,
  durationMs: Schema.Number,
  cases: Schema.Record(Schema.String, CaseRun),
})

const Certificate = Schema.Struct({
  format: Schema.Literal(format),
  facts: Facts,
  /** Of the facts: `sha256:` and 64 hex digits. */
  digest: Schema.String,
  run: Run,
  signature: Schema.NullOr(
    Schema.Struct({
      algorithm: Schema.Literal("ed25519"),
      /** base64 of 32 bytes. */
      publicKey: Schema.String,
      value: Schema.String,
    }),
  ),
})

/** The file of a check. */
export type Certificate = typeof Certificate.Type

/** The functions of a host that digest and sign. */
export interface Hashing {
  /** SHA-256 of the text in UTF-8: `sha256:` and 64 hex digits. */
  readonly digest: (text: string) => string
  /** Signs bytes with the host's key. A report without it is not signed. */
  readonly sign?: (bytes: Uint8Array) => { readonly publicKey: string; readonly value: string }
}

interface Checked {
  readonly profile: Profile
  readonly suiteVersion: string
  readonly service: { readonly name: string; readonly version: string; readonly claims: ReadonlyArray<string> }
  readonly url: string
  readonly startedAt: string
  readonly report: Report
  /** What cases asked and were answered, by their ids. */
  readonly heard: ReadonlyMap<string, Heard>
}

const notRun = { message: "it did not run", status: "skipped", title: "" } as const

/** The certificate of a check that has ended, with all cases of its profile. */
export const certificateOf = (checked: Checked, { digest, sign }: Hashing): Certificate => {
  const { heard, profile, report, service, startedAt, suiteVersion, url } = checked
  const results = new Map(report.results.map((result) => [result.id, result]))
  const ids = [...profile.required, ...profile.optional]
  const facts: Certificate["facts"] = {
    suite: { name: "designwire", version: suiteVersion },
    profile: { name: profile.name, version: profile.version, digest: digest(profileText(profile)) },
    service: { ...service, claims: service.claims.toSorted() },
    cases: ids.map((id) => {
      const { message, status, title } = results.get(id) ?? notRun
      const required = profile.required.includes(id)
      const reason = printableLines(message ?? "")
      return { id, title, required, verdict: status, ...(status === "skipped" ? { reason } : {}) }
    }),
  }
  const runs = ids.flatMap((id) => {
    const result = results.get(id)
    if (result === undefined || result.status === "skipped") return []
    const { calls, exchanges } = heard.get(id) ?? { calls: 0, exchanges: [] }
    const { durationMs, message } = result
    const why = printableLines(message ?? "")
    return [[id, { durationMs, calls, exchanges, ...(message === null ? {} : { message: why }) }] as const]
  })
  const run = { url, startedAt, durationMs: report.durationMs, cases: Object.fromEntries(runs) }
  const signed = sign?.(signedBytes(format, { facts, run }))
  const signature = signed === undefined ? null : { algorithm: "ed25519" as const, ...signed }
  return { format, facts, digest: digest(canonical(facts)), run, signature }
}

/** The verdict of a certificate: whether its service has the profile, and which cases keep it from that. */
export interface Judged {
  readonly verdict: "passed" | "failed" | "incomplete"
  readonly failed: ReadonlyArray<string>
  /** Required cases that were skipped. */
  readonly skipped: ReadonlyArray<string>
}

/** A required case that was skipped makes it incomplete; any case that failed makes it failed. */
export const judge = ({ facts: { cases } }: Pick<Certificate, "facts">): Judged => {
  const ids = (some: ReadonlyArray<{ readonly id: string }>) => some.map(({ id }) => id)
  const failed = ids(cases.filter(({ verdict }) => verdict === "failed"))
  const skipped = ids(cases.filter(({ required, verdict }) => required && verdict === "skipped"))
  return { verdict: failed.length > 0 ? "failed" : skipped.length > 0 ? "incomplete" : "passed", failed, skipped }
}

/** The functions of a host that check digests and signatures. */
interface Verifying extends Pick<Hashing, "digest"> {
  readonly isSigned: (bytes: Uint8Array, signature: { readonly publicKey: string; readonly value: string }) => boolean
  /** The key that must have signed. Default: any. */
  readonly publicKey?: string
}

const decode = Schema.decodeUnknownResult(Certificate)

/**
 * The certificate in a file, if nothing was changed since it was signed and it has exactly the cases of its profile.
 * Otherwise a sentence that says what is wrong and what to do.
 */
export const readCertificate = (
  text: string,
  { digest, isSigned, publicKey }: Verifying,
): Result.Result<Certificate, string> => {
  const parsed = Result.flatMap(
    Result.try({ try: () => JSON.parse(text) as unknown, catch: () => "it is not JSON" }),
    // A field that is read by nobody is signed by nobody.
    (json) => Result.mapError(decode(json, { onExcessProperty: "error" }), ({ message }) => `another form: ${message}`),
  )
  if (Result.isFailure(parsed)) {
    return Result.fail(`This is not a report of designwire conformance --report: ${parsed.failure}`)
  }
  const { facts, run, signature } = parsed.success
  if (signature === null) {
    return Result.fail("The report is not signed: run the check again with --signing-key")
  }
  if (digest(canonical(facts)) !== parsed.success.digest) {
    return Result.fail("The facts do not have the digest of the report: one was changed. Ask for the report as written")
  }
  if (!isSigned(signedBytes(format, { facts, run }), signature)) {
    return Result.fail("The signature does not fit: the report was changed after it was signed. Ask for it as written")
  }
  if (publicKey !== undefined && publicKey !== signature.publicKey) {
    return Result.fail(`The report is signed with the key ${signature.publicKey}, not with ${publicKey}`)
  }
  const gap = profileGap(facts, digest)
  return gap === undefined ? parsed : Result.fail(gap)
}

/** How the cases of a report differ from its profile. */
const profileGap = (
  { cases, profile: { digest: listed, name, version }, suite }: Certificate["facts"],
  digest: Hashing["digest"],
): string | undefined => {
  const profile = profileNames.includes(name as ProfileName) ? profiles[name as ProfileName] : undefined
  if (profile === undefined || profile.version !== version) {
    const known = profile === undefined ? profileNames.join(", ") : `${name} version ${profile.version}`
    const wanted = `The report is on the profile ${name} version ${version}`
    return `${wanted}, and this package knows ${known}: verify it with designwire ${suite.version}`
  }
  if (digest(profileText(profile)) !== listed) {
    return `The report names another list of cases than that of ${name} version ${version}: run the check again`
  }
  const ids = cases.map(({ id }) => id)
  const all = [...profile.required, ...profile.optional]
  const missing = all.filter((id) => !ids.includes(id))
  if (missing.length > 0) return `The report lacks cases of the profile ${name}: ${missing.join(", ")}`
  const odd = cases.filter(
    ({ id, required }, index) =>
      ids.indexOf(id) !== index || !all.includes(id) || required !== profile.required.includes(id),
  )
  if (odd.length === 0) return undefined
  return `The report has cases as the profile ${name} does not have them: ${odd.map(({ id }) => id).join(", ")}`
}
