/** The program of the command `designwire`: runs with the parameters of this process as soon as it is imported. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Effect, Exit, Option, References } from "effect"
import { CliError, Command, Flag } from "effect/cli"
import { bulkCommands } from "./bulk/Commands.ts"
import { conformance, conformanceFlags } from "./Conformance.ts"
import { cellCommands } from "./cells/Commands.ts"
import { receiverCommand } from "./conformance/Receiver.ts"
import { publicKeyOf, signingKey } from "./conformance/Signing.ts"
import { verifyCommand } from "./conformance/Verify.ts"
import { doctor } from "./Doctor.ts"
import { health } from "./Health.ts"
import { layerPretty, sentenceOf } from "./Log.ts"
import { laptopCommands } from "./laptop/Commands.ts"
import { migrate } from "./Migrate.ts"
import { key } from "./NewKey.ts"
import { printNoticeSecret } from "./NoticeSecret.ts"
import { version } from "./Prerequisites.ts"
import { platformCommands } from "./platforms/Commands.ts"
import { reseal } from "./Secrets.ts"
import { serve, worker } from "./Serve.ts"

/** For commands whose output programs read: the log goes elsewhere. */
const toStderr = Effect.provideService(References.LogToStderr, true)

const serveCommand = Command.make(
  "serve",
  {
    demo: Flag.Boolean("demo").pipe(
      Flag.withDescription("Create a sample shop in an empty database, and print how to try it"),
      Flag.withDefault(false),
    ),
  },
  serve,
).pipe(Command.withDescription("Serve the REST API and the management API, and deliver webhooks"))

const workerCommand = Command.make("worker", {}, worker).pipe(
  Command.withDescription("Deliver webhooks, and nothing else"),
)

const migrateCommand = Command.make(
  "migrate",
  {
    dryRun: Flag.Boolean("dry-run").pipe(
      Flag.withDescription("Print the SQL instead of running it"),
      Flag.withDefault(false),
    ),
  },
  (options) => toStderr(migrate(options)),
).pipe(Command.withDescription("Bring the database up to date"))

const resealCommand = Command.make("reseal", {}, () => toStderr(reseal())).pipe(
  Command.withDescription(
    "Seal every signing secret with the newest encryption key, so that older keys can be removed",
  ),
)

const keyCommand = Command.make(
  "key",
  {
    signing: Flag.Boolean("signing").pipe(
      Flag.withDescription("A key to sign reports of conformance with, as PEM; its public key goes to standard error"),
      Flag.withDefault(false),
    ),
    public: Flag.optional(Flag.String("public")).pipe(
      Flag.withDescription("Print the public key of the signing key in this file, for: conformance verify --key"),
    ),
  },
  ({ public: file, signing }) => (Option.isSome(file) ? publicKeyOf(file.value) : signing ? signingKey() : key()),
).pipe(Command.withDescription("Print a new key, for DESIGNWIRE_MANAGE_KEY or DESIGNWIRE_ENCRYPTION_KEYS"))

const noticeSecretCommand = Command.make("notice-secret", {}, () => toStderr(printNoticeSecret())).pipe(
  Command.withDescription("Print the secret that notices to DESIGNWIRE_NOTICE_URL are signed with"),
)

const healthCommand = Command.make("health", {}, health).pipe(
  Command.withDescription("Say whether the service on this machine answers, for the probes of containers"),
)

const doctorCommand = Command.make("doctor", {}, () => toStderr(doctor())).pipe(
  Command.withDescription("Check configuration, database, keys and name servers, and say what is wrong"),
)

const conformanceCommand = Command.make("conformance", conformanceFlags, (options) =>
  toStderr(conformance(options)),
).pipe(
  Command.withDescription("Check a service, written in any language, against the requirements"),
  Command.withSubcommands([verifyCommand, receiverCommand]),
)

/**
 * The exit codes after a failure, and after a signal to stop. A check that did not run to its end has not passed, and 1
 * says that a case failed.
 */
const ends = process.argv[2] === "conformance" ? { failed: 2, stopped: 2 } : { failed: 1, stopped: 0 }

// The first signal lets finish what is in flight, which is runMain's part; a second one ends at once. Ctrl-C comes
// twice under npm, from the terminal and from npm: the same signal again within this many milliseconds counts once.
const echo = 50
let first: { readonly signal: string; readonly at: number } | undefined
for (const [signal, number] of [
  ["SIGINT", 2],
  ["SIGTERM", 15],
] as const) {
  process.on(signal, () => {
    const at = performance.now()
    if (first === undefined) first = { signal, at }
    else if (first.signal !== signal || at - first.at > echo) process.exit(128 + number)
  })
}

Command.make("designwire").pipe(
  Command.withDescription("A shop's custom designs as a REST API and webhooks"),
  Command.withSubcommands([
    serveCommand,
    workerCommand,
    migrateCommand,
    keyCommand,
    noticeSecretCommand,
    resealCommand,
    doctorCommand,
    healthCommand,
    ...bulkCommands,
    ...platformCommands,
    ...cellCommands,
    ...laptopCommands,
    conformanceCommand,
  ]),
  Command.run({ version }),
  Effect.provide([NodeServices.layer, layerPretty]),
  NodeRuntime.runMain({
    disableErrorReporting: true,
    // A signal to stop is not a failure. Failures have a sentence.
    teardown: (exit, onExit) => {
      if (Exit.isSuccess(exit)) return onExit(0)
      if (Cause.hasInterruptsOnly(exit.cause)) return onExit(ends.stopped)
      const error = Cause.squash(exit.cause)
      // The help has been printed already.
      if (!(CliError.isCliError(error) && error._tag === "ShowHelp")) console.error(sentenceOf(error))
      onExit(ends.failed)
    },
  }),
)
