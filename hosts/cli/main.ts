#!/usr/bin/env node
import { createRequire } from "node:module"
/** The command `designwire` (contract.md: Commands). */
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Cause, Effect, Exit } from "effect"
import { Command, Flag } from "effect/cli"
import { migrate } from "./Migrate.ts"
import { serve } from "./Serve.ts"

const { version } = createRequire(import.meta.url)("designwire/package.json") as { readonly version: string }

const serveCommand = Command.make(
  "serve",
  {
    demo: Flag.Boolean("demo").pipe(
      Flag.withDescription("Make a sample shop on an empty database, and print how to try it"),
      Flag.withDefault(false),
    ),
  },
  serve,
).pipe(Command.withDescription("Serve the REST API and the management API"))

const migrateCommand = Command.make(
  "migrate",
  {
    dryRun: Flag.Boolean("dry-run").pipe(
      Flag.withDescription("Print the SQL instead of running it"),
      Flag.withDefault(false),
    ),
  },
  migrate,
).pipe(Command.withDescription("Bring the database up to date"))

Command.make("designwire").pipe(
  Command.withDescription("A store's custom designs as a REST API and webhooks"),
  Command.withSubcommands([serveCommand, migrateCommand]),
  Command.run({ version }),
  Effect.provide(NodeServices.layer),
  NodeRuntime.runMain({
    disableErrorReporting: true,
    // Being told to stop is no failure; what fails says why in a sentence.
    teardown: (exit, onExit) => {
      if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return onExit(0)
      const error = Cause.squash(exit.cause)
      console.error(error instanceof Error ? error.message : String(error))
      onExit(1)
    },
  }),
)
