/** The commands for buckets. */
import { Effect, References } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { adoptBuckets } from "./Adopt.ts"
import { listBuckets } from "./List.ts"
import { moveBuckets } from "./Move.ts"
import { moveOneShop } from "./MoveShop.ts"
import { showConfig } from "./PoolerConfig.ts"
import { showStatus } from "./Status.ts"

/** Sends the log to stderr: programs may read the output of these commands. */
const toStderr = Effect.provideService(References.LogToStderr, true)

const chosen = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false))

const write = (description: string) => Flag.String("write").pipe(Flag.withDescription(description), Flag.optional)

const moveCommand = Command.make(
  "move",
  {
    bucket: Argument.String("bucket").pipe(
      Argument.withDescription("The bucket, as `designwire bucket list` names it, e.g. 07"),
      Argument.optional,
    ),
    to: Flag.String("to").pipe(
      Flag.withDescription("The database that it goes to, or back to if its move was broken off"),
      Flag.optional,
    ),
    rebalance: chosen("rebalance", "Move one bucket after the other until each database has as many"),
    pgdog: chosen("pgdog", "With --write: after each move, give a PgDog in front the new map"),
    write: write("The pgdog.toml to write it to; then RELOAD goes to DESIGNWIRE_POOLER_ADMIN_URL"),
  },
  (options) => toStderr(moveBuckets(options)),
).pipe(Command.withDescription("Move a bucket into another database, while hosts go on. Run again, it goes on"))

const moveShopCommand = Command.make(
  "move-shop",
  {
    shop: Argument.String("shop").pipe(Argument.withDescription("The id of the shop")),
    to: Flag.String("to").pipe(
      Flag.withDescription("The bucket that it goes to, e.g. 12, or back to if its move was broken off"),
    ),
  },
  (options) => toStderr(moveOneShop(options)),
).pipe(Command.withDescription("Move a shop into another bucket, while hosts go on. Run again, it goes on"))

export const bucketCommand = Command.make("bucket").pipe(
  Command.withDescription("Show and move the buckets that shops are spread over"),
  Command.withSubcommands([
    Command.make("list", {}, () => toStderr(listBuckets())).pipe(
      Command.withDescription("Each bucket with its database, its size and how often it has moved"),
    ),
    moveCommand,
    moveShopCommand,
    Command.make("adopt", {}, () => toStderr(adoptBuckets())).pipe(
      Command.withDescription("Spread the shops of a deployment without buckets over buckets. Run again, it goes on"),
    ),
    Command.make("status", {}, () => toStderr(showStatus())).pipe(
      Command.withDescription("The moves of buckets and shops that have begun and have not ended"),
    ),
    Command.make(
      "config",
      {
        pgdog: chosen("pgdog", "For pgdog.toml: the shard of each bucket's schema"),
        pgbouncer: chosen("pgbouncer", "For pgbouncer.ini: each database by its name"),
        write: write("Write it to this file instead; then RELOAD goes to DESIGNWIRE_POOLER_ADMIN_URL"),
      },
      (options) => toStderr(showConfig(options)),
    ).pipe(
      Command.withDescription("Print the part of a pooler's configuration with the places of databases or buckets"),
    ),
  ]),
)
