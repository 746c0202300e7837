/** The commands for webhooks on a laptop. */
import { Effect, References } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { listDeliveries, redeliver } from "./Deliveries.ts"
import { listen } from "./Listen.ts"
import { isOfPlatform, platformTriggers, triggerPlatform } from "./PlatformTrigger.ts"
import { triggers } from "./ShopEvents.ts"
import { trigger } from "./Trigger.ts"

/** Sends the log to stderr: programs may read the output of these commands. */
const toStderr = Effect.provideService(References.LogToStderr, true)

const url = Flag.String("url").pipe(
  Flag.withDescription(
    "The service's address, or the REST API's if that is not at /api/v1 there, as in " +
      "https://designs.example.com/acme/api/v1. Default: by HOST and PORT",
  ),
  Flag.optional,
)

const host = {
  url: Flag.String("url").pipe(
    Flag.withDescription(
      "The service's address; {shop} in it stands for the shop. Default: by DESIGNWIRE_MANAGE_HOST or HOST, and " +
        "DESIGNWIRE_MANAGE_PORT or PORT",
    ),
    Flag.optional,
  ),
  key: Flag.String("key").pipe(
    Flag.withDescription("The management key. Default: DESIGNWIRE_MANAGE_KEY, or the key in the data directory here"),
    Flag.optional,
  ),
  shop: Flag.String("shop").pipe(Flag.withDescription("The shop's id. Default: the only shop"), Flag.optional),
}

const endpoint = Flag.String("endpoint").pipe(
  Flag.withDescription("An endpoint's id. Default: all endpoints"),
  Flag.optional,
)

const listenCommand = Command.make(
  "listen",
  {
    url,
    token: Flag.String("token").pipe(Flag.withDescription("An API token. Default: DESIGNWIRE_TOKEN"), Flag.optional),
    forwardTo: Flag.String("forward-to").pipe(
      Flag.withDescription("The receiver of the signed deliveries, e.g. http://localhost:3000/hooks"),
      Flag.optional,
    ),
    types: Flag.String("types").pipe(
      Flag.withDescription("Only these kinds of events, separated by commas"),
      Flag.optional,
    ),
    since: Flag.String("since").pipe(
      Flag.withDescription("Also earlier events, since a time or a duration ago: 10m, 2h, 3d"),
      Flag.optional,
    ),
    printSecret: Flag.Boolean("print-secret").pipe(
      Flag.withDescription("Print the secret that deliveries are signed with, and nothing else"),
      Flag.withDefault(false),
    ),
  },
  (options) => toStderr(listen(options)),
).pipe(Command.withDescription("Follow a shop's events, and forward them to a receiver on this machine"))

const triggerCommand = Command.make(
  "trigger",
  {
    ...host,
    event: Argument.Literals("event", [...triggers, ...platformTriggers]).pipe(
      Argument.withDescription([...triggers, ...platformTriggers].join(", ")),
    ),
    design: Flag.String("design").pipe(
      Flag.withDescription("Of a platform's order: the design. Default: a new one"),
      Flag.optional,
    ),
    order: Flag.String("order").pipe(
      Flag.withDescription("Of a platform's order: its number. Default: a new one"),
      Flag.optional,
    ),
    to: Flag.String("to").pipe(
      Flag.withDescription("The address of a platform's webhooks. Default: /ingest/… of the host"),
      Flag.optional,
    ),
    currency: Flag.String("currency").pipe(
      Flag.withDescription("Of a platform's order. Default: the shop's, or EUR with --to"),
      Flag.optional,
    ),
  },
  ({ event, ...options }) =>
    toStderr(isOfPlatform(event) ? triggerPlatform({ ...options, event }) : trigger({ ...options, event })),
).pipe(
  Command.withDescription(
    "Make something happen on a host on this machine, in the shop itself or by a signed webhook of a shop platform",
  ),
)

const deliveriesCommand = Command.make("deliveries").pipe(
  Command.withDescription("List the deliveries of a running host, and send them again"),
  Command.withSubcommands([
    Command.make("list", { ...host, endpoint }, (options) => toStderr(listDeliveries(options))).pipe(
      Command.withDescription("The newest deliveries of each endpoint"),
    ),
    Command.make("redeliver", { ...host, endpoint, delivery: Argument.String("delivery") }, (options) =>
      toStderr(redeliver(options)),
    ).pipe(Command.withDescription("Send a delivery's body again")),
  ]),
)

export const laptopCommands = [listenCommand, triggerCommand, deliveriesCommand] as const
