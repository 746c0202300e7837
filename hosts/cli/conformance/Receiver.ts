/** `designwire conformance receiver`: signed, forged, late, repeated and slow deliveries for any receiver. */
import process from "node:process"
import { Clock, Effect, Option, Redacted } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { FormatName } from "../../../conformance/index.ts"
import type { Heard } from "../../../conformance/suites/certificate/Certificate.ts"
import { CouldNotRun, sentence } from "../ServiceProbe.ts"
import { type ReportOptions, reportFlags, reportingOf } from "./Reporting.ts"

interface ReceiverOptions extends Omit<ReportOptions, "profile"> {
  readonly url: string
  readonly secret: Redacted.Redacted<string>
  readonly standard: boolean
  readonly format: FormatName
  readonly only: ReadonlyArray<string>
}

/** Ends with 0 if every case passed, with 1 if one failed, and with 2 if it could not run. */
const checkReceiver = Effect.fn("checkReceiver")(function* (options: ReceiverOptions) {
  const { format, only, secret, standard, url } = options
  const { check } = yield* Effect.promise(() => import("../../../conformance/index.ts"))
  const { receiver } = yield* Effect.promise(() => import("../../../conformance/suites/receiver/receiver.ts"))
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? "")) {
    return yield* new CouldNotRun({ message: `The receiver must be an http(s) URL, not ${url}` })
  }
  const reporting = Option.isNone(options.report)
    ? undefined
    : yield* reportingOf({ ...options, profile: Option.some("receiver") }, only)
  // One that does not answer at all would fail every case that it should pass.
  yield* Effect.tryPromise({
    try: async (signal) => (await fetch(url, { redirect: "manual", signal })).body?.cancel(),
    catch: (error) => new CouldNotRun({ message: `Nothing answers at ${url}: ${sentence(error)}` }),
  }).pipe(
    Effect.timeoutOrElse({
      duration: "10 seconds",
      orElse: () => Effect.fail(new CouldNotRun({ message: `Nothing answered at ${url} within 10 seconds` })),
    }),
  )
  const heard = new Map<string, Heard>()
  const startedAt = new Date(yield* Clock.currentTimeMillis).toISOString()
  const selection = only.length === 0 ? {} : { only }
  const hear = reporting === undefined ? {} : { hear: (id: string, calls: Heard) => void heard.set(id, calls) }
  const suite = yield* Effect.try({
    try: () => receiver({ url, secret: Redacted.value(secret), standard, ...selection, ...hear }),
    catch: (error) => new CouldNotRun({ message: sentence(error) }),
  })
  const report = yield* Effect.promise(() => check(suite, { format }))
  if (report.failed > 0) process.exitCode = 1
  // Its query may have a secret of the receiver.
  const { origin, pathname } = new URL(url)
  const claims = standard ? ["standardWebhooks"] : []
  yield* reporting?.finish({ report, heard, claims, url: origin + pathname, startedAt }) ?? Effect.void
})

/** The command. */
export const receiverCommand = Command.make(
  "receiver",
  {
    url: Argument.String("url").pipe(Argument.withDescription("The address at which the receiver takes webhooks")),
    secret: Flag.Redacted("secret").pipe(Flag.withDescription("The signing secret that it verifies with: whsec_…")),
    standard: Flag.Boolean("standard").pipe(
      Flag.withDescription("Also send the headers of Standard Webhooks, for a receiver that reads those"),
      Flag.withDefault(false),
    ),
    format: Flag.Literals("format", ["pretty", "junit", "tap", "json"]).pipe(
      Flag.withDescription("The format of the report"),
      Flag.withDefault("pretty"),
    ),
    only: Flag.atLeast(Flag.String("only"), 0).pipe(
      Flag.withDescription("Run only cases whose id is this or begins with it; may be repeated"),
    ),
    ...reportFlags,
  },
  checkReceiver,
).pipe(Command.withDescription("Check a receiver of webhooks, written in any language, by what it answers"))
