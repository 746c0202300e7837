import { spawn } from "node:child_process"
import { Clock, Console, Effect, Option, Redacted, Result } from "effect"
import { Flag } from "effect/cli"
import type { DriverProcess, FormatName, ListenAddress, Report, ServiceDriver } from "../../conformance/index.ts"
import type { Heard } from "../../conformance/suites/certificate/Certificate.ts"
import { parseSchedule } from "../../core/rules/webhooks/RetryPolicy.ts"
import { profileFlag, type ReportOptions, reportFlags, reportingOf } from "./conformance/Reporting.ts"
import { answering, CouldNotRun, canListen, claimsOf, lacking, makeShop, sentence, tokenWorks } from "./ServiceProbe.ts"

const formatNames = ["pretty", "junit", "tap", "json"] as const satisfies ReadonlyArray<FormatName>

/** The flags of `designwire conformance`. */
export const conformanceFlags = {
  url: Flag.String("url").pipe(
    Flag.withDescription("The address of the REST API, its version included, e.g. https://api.example.com/api/v1"),
  ),
  token: Flag.optional(Flag.Redacted("token")).pipe(
    Flag.withDescription("The token of a shop to check, if there is no driver"),
  ),
  otherToken: Flag.optional(Flag.Redacted("other-token")).pipe(Flag.withDescription("A token of another shop")),
  driver: Flag.optional(Flag.String("driver")).pipe(
    Flag.withDescription("A command that changes the service: JSON lines on its standard input and output"),
  ),
  manageUrl: Flag.optional(Flag.String("manage-url")).pipe(
    Flag.withDescription("The address of this package's management API, e.g. http://127.0.0.1:3000/manage/v1"),
  ),
  manageKey: Flag.optional(Flag.Redacted("manage-key")).pipe(Flag.withDescription("Its key")),
  receive: Flag.optional(Flag.String("receive")).pipe(
    Flag.withDescription(
      "Where to receive webhooks: an address of this machine that the service may send to, e.g. 127.0.0.1:0",
    ),
  ),
  schedule: Flag.optional(Flag.String("schedule")).pipe(
    Flag.withDescription("The service's waits after failed attempts, e.g. 100ms,200ms,300ms"),
  ),
  restart: Flag.optional(Flag.String("restart")).pipe(
    Flag.withDescription("A command that ends the service as a crash would and starts it again"),
  ),
  slow: Flag.Boolean("slow").pipe(
    Flag.withDescription("Also run cases that wait in real time: a minute for the rate limit"),
    Flag.withDefault(false),
  ),
  patience: Flag.Int("patience").pipe(
    Flag.withDescription("How many times as long cases and requests may take, 1 to 60, for a slow service"),
    Flag.withDefault(1),
  ),
  format: Flag.Literals("format", formatNames).pipe(
    Flag.withDescription("The format of the report"),
    Flag.withDefault("pretty"),
  ),
  only: Flag.atLeast(Flag.String("only"), 0).pipe(
    Flag.withDescription("Run only cases whose id is this or begins with it; may be repeated"),
  ),
  skip: Flag.atLeast(Flag.String("skip"), 0).pipe(
    Flag.withDescription("ID=reason: skip cases whose id is this or begins with it; may be repeated"),
  ),
  profile: profileFlag,
  ...reportFlags,
}

/** The options of `designwire conformance`. */
export interface ConformanceOptions extends ReportOptions {
  readonly url: string
  readonly token: Option.Option<Redacted.Redacted<string>>
  readonly otherToken: Option.Option<Redacted.Redacted<string>>
  readonly driver: Option.Option<string>
  readonly manageUrl: Option.Option<string>
  readonly manageKey: Option.Option<Redacted.Redacted<string>>
  readonly receive: Option.Option<string>
  readonly schedule: Option.Option<string>
  readonly restart: Option.Option<string>
  readonly slow: boolean
  readonly patience: number
  readonly format: FormatName
  readonly only: ReadonlyArray<string>
  readonly skip: ReadonlyArray<string>
}

/**
 * `designwire conformance`: checks a service, written in any language, against the requirements, and writes a report.
 * The process ends with 1 if a case failed, or if a case that a profile requires was left out. Fails with
 * {@link CouldNotRun}.
 */
export const conformance = Effect.fn("conformance")(function* (options: ConformanceOptions) {
  const { check, service } = yield* Effect.promise(() => import("../../conformance/index.ts"))
  const url = yield* addressOf("--url", options.url)
  const reporting = yield* reportingOf(options, options.only)
  const only = reporting === undefined ? options.only : [...reporting.profile.required, ...reporting.profile.optional]
  const told = {
    ...(yield* given("receive", options.receive, parseAddress)),
    ...(yield* given("schedule", options.schedule, parseSchedule)),
    skip: yield* reasons(options.skip),
    patience: yield* patienceOf(options.patience),
    slow: options.slow || reporting !== undefined,
    ...(only.length === 0 ? {} : { only }),
    ...textOf("token", options.token),
    ...textOf("otherToken", options.otherToken),
  }
  const heard = new Map<string, Heard>()
  const startedAt = new Date(yield* Clock.currentTimeMillis).toISOString()
  const passed = yield* Effect.gen(function* () {
    if (told.receive !== undefined) yield* canListen(told.receive)
    const changing = yield* driverOf(options)
    yield* answering(url, "10 seconds")
    const shop = changing === undefined ? undefined : yield* makeShop(changing.driver)
    for (const [whose, token] of [
      ["A token that the driver made", shop?.token],
      ["--token", told.token],
      ["--other-token", told.otherToken],
    ] as const) {
      if (token !== undefined) yield* tokenWorks(url, whose, token)
    }
    const probed = changing === undefined || shop === undefined ? undefined : { ...changing, shop }
    const lacks = yield* lacking(url, shop?.token ?? told.token, probed)
    const restart = Option.map(options.restart, (command) => () => Effect.runPromise(restarting(command, url)))
    const suite = yield* Effect.try({
      try: () =>
        service({
          ...told,
          lacks,
          url,
          ...(reporting === undefined ? {} : { hear: (id: string, calls: Heard) => void heard.set(id, calls) }),
          ...(changing === undefined ? {} : { driver: changing.driver }),
          ...(Option.isNone(restart) ? {} : { restart: restart.value }),
        }),
      catch: (error) => new CouldNotRun({ message: (error as Error).message }),
    })
    if (suite.cases.length === 0) yield* nothingToRun(options)
    const report = yield* Effect.promise(() => check(suite, { format: options.format }))
    const ended = changing?.ended()
    if (ended !== undefined) {
      yield* new CouldNotRun({
        message: `Not checked to the end: ${ended}. Later failures say nothing about the service`,
      })
    }
    yield* hintAtTime(report, told.patience)
    if (reporting === undefined) return report.failed === 0
    const isChanged = shop !== undefined
    const claims = claimsOf(lacks, { isRead: isChanged || told.token !== undefined, isChanged })
    return (yield* reporting.finish({ report, heard, claims, url, startedAt })).verdict === "passed"
  }).pipe(Effect.scoped)
  if (!passed) process.exitCode = 1
})

const textOf = <Name extends string>(name: Name, text: Option.Option<Redacted.Redacted<string>>) =>
  (Option.isNone(text) ? {} : { [name]: Redacted.value(text.value) }) as { readonly [N in Name]?: string }

/** An optional flag, read by a parser that fails with the accepted form. */
const given = <Name extends string, A>(
  name: Name,
  text: Option.Option<string>,
  read: (text: string) => Result.Result<A, string>,
): Effect.Effect<{ readonly [N in Name]?: A }, CouldNotRun> =>
  Option.isNone(text)
    ? Effect.succeed({})
    : Result.match(read(text.value), {
        onSuccess: (value) => Effect.succeed({ [name]: value } as { readonly [N in Name]?: A }),
        onFailure: (expected) => Effect.fail(new CouldNotRun({ message: `--${name} must be ${expected}` })),
      })

const addressOf = (flag: string, text: string): Effect.Effect<string, CouldNotRun> => {
  const url = URL.parse(text)
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && !/[?#]/.test(text) && url.username === ""
  return isPlain
    ? Effect.succeed(text.replace(/\/+$/, ""))
    : Effect.fail(new CouldNotRun({ message: `${flag} must be an http(s) URL without a user, query or fragment` }))
}

const parseAddress = (text: string): Result.Result<ListenAddress, string> => {
  const [, ipv6, name, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? []
  const host = ipv6 ?? name
  return host === undefined || Number(port) > 65_535
    ? Result.fail("an address and a port, e.g. 127.0.0.1:0; port 0 means any that is free")
    : Result.succeed({ host, port: Number(port) })
}

/** The cases to skip, with reasons. */
const reasons = (texts: ReadonlyArray<string>) =>
  Effect.map(
    Effect.forEach(texts, (text) => {
      const [, id, reason] = /^([^=]+)=(.+)$/s.exec(text) ?? []
      return id === undefined || reason === undefined
        ? Effect.fail(new CouldNotRun({ message: `--skip must be ID=reason, not ${text}` }))
        : Effect.succeed([id, reason] as const)
    }),
    (pairs) => Object.fromEntries(pairs),
  )

const patienceOf = (given: number): Effect.Effect<number, CouldNotRun> =>
  given >= 1 && given <= 60
    ? Effect.succeed(given)
    : Effect.fail(new CouldNotRun({ message: `--patience must be an integer from 1 to 60, not ${given}` }))

/** A case that had too little time says nothing about the service. */
const hintAtTime = ({ results }: Report, patience: number): Effect.Effect<void> => {
  const late = results.filter(
    ({ message, status }) => status === "failed" && message?.startsWith("has not ended within") === true,
  )
  if (late.length === 0 || patience > 12) return Effect.void
  const ids = late.map(({ id }) => id).join(", ")
  return Console.error(`Not ended in time: ${ids}. If the service is slow, run it with --patience ${patience * 5}`)
}

const nothingToRun = ({ only, slow }: ConformanceOptions) =>
  new CouldNotRun({
    message: `--only ${only.join(" --only ")} leaves nothing to run: ${
      slow
        ? "these cases are for services that lack a feature"
        : "these cases are slow (add --slow), or for services that lack a feature"
    }`,
  })

/**
 * The driver, if the options name one, and a function that says how the driver ended, if it has. The driver may be the
 * program that starts the service.
 */
const driverOf = Effect.fnUntraced(function* ({ driver: command, manageKey, manageUrl }: ConformanceOptions) {
  const { driverProcess, managementDriver } = yield* Effect.promise(() => import("../../conformance/index.ts"))
  if (Option.isSome(command)) {
    if (Option.isSome(manageUrl)) {
      return yield* new CouldNotRun({ message: "Give either --driver or --manage-url, not both" })
    }
    const started: DriverProcess = yield* Effect.acquireRelease(
      Effect.sync(() => driverProcess(command.value)),
      ({ stop }) => Effect.promise(stop),
    )
    return { driver: started.driver as ServiceDriver, ended: started.ended }
  }
  if (Option.isNone(manageUrl) && Option.isNone(manageKey)) return undefined
  if (Option.isNone(manageUrl) || Option.isNone(manageKey)) {
    return yield* new CouldNotRun({ message: "--manage-url and --manage-key belong together" })
  }
  const url = yield* addressOf("--manage-url", manageUrl.value)
  const driver: ServiceDriver = managementDriver({ url, key: Redacted.value(manageKey.value) })
  return { driver, ended: () => undefined }
})

/** Runs the command until it ends, and waits until the service answers again. */
const restarting = (command: string, url: string): Effect.Effect<void, CouldNotRun> =>
  Effect.gen(function* () {
    // Processes that it leaves running must not hold a pipe of ours open.
    const code = yield* Effect.callback<number | NodeJS.Signals | null, CouldNotRun>((resume) => {
      const child = spawn(command, { shell: true, stdio: ["ignore", "ignore", "inherit"] })
      child.once("error", (error) => resume(Effect.fail(new CouldNotRun({ message: sentence(error) }))))
      child.once("exit", (exit, signal) => resume(Effect.succeed(exit ?? signal)))
    })
    if (code !== 0) yield* new CouldNotRun({ message: `the command has ended with ${code}` })
    yield* answering(url, "60 seconds")
  })
