/** The commands that bring many objects in and out. */
import { Effect, References } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { exportRecords } from "./Export.ts"
import { importFile } from "./Import.ts"

/** Sends the log to stderr: programs may read the output of these commands. */
const toStderr = (
  running: Effect.Effect<void, { readonly message: string }>,
): Effect.Effect<void, { readonly message: string }> => Effect.provideService(running, References.LogToStderr, true)

const shop = Flag.String("shop").pipe(Flag.withDescription("The shop's id. Default: the only shop"), Flag.optional)

const importCommand = Command.make(
  "import",
  {
    kind: Argument.Literals("kind", ["customizers", "designs", "orders"]),
    file: Argument.String("file").pipe(Argument.withDescription("A file with a JSON object a line")),
    shop,
  },
  (options) => toStderr(importFile(options)),
).pipe(Command.withDescription("Store the customizers, designs or orders of a file. Run again, it goes on"))

const exportCommand = Command.make(
  "export",
  {
    kind: Argument.Literals("kind", ["orders", "designs"]),
    since: Flag.String("since").pipe(
      Flag.withDescription(
        "Only orders placed, or designs made, at this time or later: 2026-10-05, 2026-10-05T14:48:00Z",
      ),
      Flag.optional,
    ),
    format: Flag.Literals("format", ["jsonl", "csv"]).pipe(
      Flag.withDescription("jsonl: the objects of the REST API; csv: a line per design. Default: jsonl"),
      Flag.withDefault("jsonl" as const),
    ),
    shop,
  },
  (options) => toStderr(exportRecords(options)),
).pipe(Command.withDescription("Write a shop's orders or designs to stdout"))

export const bulkCommands = [importCommand, exportCommand] as const
