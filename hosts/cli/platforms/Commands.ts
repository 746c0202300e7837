/** The commands about shop platforms. */
import { Effect, References } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { platforms } from "../../../core/model/ingest/PlatformConnection.ts"
import { connect } from "./Connect.ts"
import { reconcile } from "./Reconcile.ts"

/** Sends the log to stderr: programs may read the output of these commands. */
const toStderr = Effect.provideService(References.LogToStderr, true)

const named = Argument.Literals("platform", [...platforms])

const reconcileCommand = Command.make(
  "reconcile",
  {
    platform: named.pipe(Argument.withDescription("The platform. Default: each"), Argument.optional),
    shop: Argument.String("shop").pipe(
      Argument.withDescription("The shop's id. Default: every shop with an access key"),
      Argument.optional,
    ),
    since: Flag.String("since").pipe(
      Flag.withDescription("A date, an RFC 3339 time, or how long ago: 2h, 3d. Default: a day before the last look"),
      Flag.optional,
    ),
    dryRun: Flag.Boolean("dry-run").pipe(
      Flag.withDescription("Say what would be found, and store nothing"),
      Flag.withDefault(false),
    ),
  },
  (options) => toStderr(reconcile(options)),
).pipe(Command.withDescription("Look for orders of shop platforms whose webhooks never came. Workers do so every hour"))

const connectCommand = Command.make(
  "connect",
  {
    platform: named.pipe(Argument.withDescription("The platform")),
    shop: Flag.String("shop").pipe(Flag.withDescription("The shop's id")),
    address: Flag.String("address").pipe(
      Flag.withDescription("The address of its webhooks. Default: at DESIGNWIRE_PUBLIC_URL"),
      Flag.optional,
    ),
  },
  (options) => toStderr(connect(options)),
).pipe(Command.withDescription("Register the webhooks that a shop needs, by the access key of its connection"))

export const platformCommands = [
  reconcileCommand,
  Command.make("platform").pipe(
    Command.withDescription("Connections to shop platforms"),
    Command.withSubcommands([connectCommand]),
  ),
] as const
