/** The commands that read files into a shop and write its content. */
import { Effect, Option, References } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { exportFile } from "./Export.ts"
import { importFile, kinds } from "./Import.ts"

/** Sends the log to stderr: programs may read the output of these commands. */
const toStderr = Effect.provideService(References.LogToStderr, true)

const shop = Flag.String("shop").pipe(Flag.withDescription("The shop's id"))

const importCommand = Command.make(
  "import",
  {
    kind: Argument.Literals("kind", [...kinds]).pipe(
      Argument.withDescription(`What the file has: ${kinds.join(", ")}`),
    ),
    file: Argument.String("file").pipe(
      Argument.withDescription(
        "A file with a JSON object on each line, with its id and the fields of the management API",
      ),
    ),
    shop,
    quiet: Flag.Boolean("quiet").pipe(
      Flag.withDescription("What is imported is history: it is in the feed and the API, and is sent to no endpoint"),
      Flag.withDefault(false),
    ),
  },
  (options) => toStderr(importFile(options)),
).pipe(Command.withDescription("Read a file into a shop. Run again, it continues after the last line that is done"))

const exportCommand = Command.make(
  "export",
  {
    kind: Argument.Literals("kind", ["orders", "designs", "lines"]).pipe(
      Argument.withDescription(
        "orders: with their designs. designs: each for itself, drafts included. lines: of orders, with quantities",
      ),
    ),
    shop,
    since: Flag.String("since").pipe(
      Flag.withDescription("Only orders placed, or designs created, at this time or later: a date or an RFC 3339 time"),
      Flag.optional,
    ),
    format: Flag.Literals("format", ["jsonl", "csv"]).pipe(
      Flag.withDescription("jsonl: the objects of the REST API, or csv: a line for each design, or line of an order"),
      Flag.withDefault("jsonl" as const),
    ),
    out: Flag.String("out").pipe(
      Flag.withDescription("The file to write, which must not exist. Default: standard output"),
      Flag.optional,
    ),
  },
  ({ out, since, ...options }) =>
    toStderr(exportFile({ ...options, out: Option.getOrUndefined(out), since: Option.getOrUndefined(since) })),
).pipe(Command.withDescription("Write a shop's orders, designs or lines of orders"))

export const bulkCommands = [importCommand, exportCommand] as const
