/** The commands for cells: whole deployments side by side. */
import { Effect, References } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { cellsMap } from "./Map.ts"
import { moveShops } from "./MoveShop.ts"
import { formats } from "./Places.ts"

/** Sends the log to stderr: programs may read the output of these commands. */
const toStderr = Effect.provideService(References.LogToStderr, true)

const chosen = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false))

const cell = (name: string, description: string) => Flag.String(name).pipe(Flag.withDescription(description))

const moveCommand = Command.make(
  "move",
  {
    shop: Argument.String("shop").pipe(Argument.withDescription("The id of the shop"), Argument.optional),
    from: cell("from", "The database of the cell that it leaves: postgres://…, as both servers reach it"),
    to: cell("to", "The database of the cell that it goes to"),
    dryRun: chosen("dry-run", "Say what keeps it from moving, and change nothing"),
    undo: chosen("undo", "Take back a move that has not opened the shop in the other cell"),
    targetLost: chosen(
      "target-lost",
      "With --undo: the other cell is lost for good, and what it may have stored. Open the shop again without it",
    ),
    opened: Flag.String("opened").pipe(
      Flag.withDescription(
        "A command to run as soon as a shop is open in the other cell: it writes and reloads the map",
      ),
      Flag.optional,
    ),
    file: Flag.String("file").pipe(
      Flag.withDescription("A file with the ids of several shops, one a line"),
      Flag.optional,
    ),
  },
  (options) => toStderr(moveShops(options)),
).pipe(Command.withDescription("Move a shop into another cell, while hosts continue. Run again, it continues"))

const mapCommand = Command.make(
  "map",
  {
    format: Flag.Literals("format", [...formats]).pipe(Flag.withDescription("The proxy that reads the map")),
    write: Flag.String("write").pipe(
      Flag.withDescription("Keep this file up to date, instead of printing the map"),
      Flag.optional,
    ),
  },
  (options) => toStderr(cellsMap(options)),
).pipe(
  Command.withDescription("Make the proxies' map of shops, from the cells on standard input: a name and postgres://…"),
)

export const cellCommands = [
  Command.make("shop").pipe(
    Command.withDescription("Move shops between cells"),
    Command.withSubcommands([moveCommand]),
  ),
  Command.make("cells").pipe(
    Command.withDescription("What proxies in front of cells need"),
    Command.withSubcommands([mapCommand]),
  ),
] as const
