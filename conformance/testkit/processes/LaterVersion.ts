/** A command of a later version of designwire as a process. Its parameters are the version and the command. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Effect, Exit } from "effect"
import { KnownMigrations } from "../../../adapters/sql/schema/KnownMigrations.ts"
import { reasonOf } from "../../../adapters/sql/statements/Reason.ts"
import { doctor } from "../../../hosts/cli/Doctor.ts"
import { layerPretty } from "../../../hosts/cli/Log.ts"
import { migrate } from "../../../hosts/cli/Migrate.ts"
import { serve } from "../../../hosts/cli/Serve.ts"
import { laterVersions } from "../databases/LaterVersions.ts"

const commands = { doctor: doctor(), migrate: migrate({ dryRun: false }), serve: serve({ demo: false }) }

const [version, command] = process.argv.slice(2) as [keyof typeof laterVersions, keyof typeof commands]

NodeRuntime.runMain(
  (commands[command] as Effect.Effect<void, unknown, NodeServices.NodeServices>).pipe(
    Effect.provide([NodeServices.layer, layerPretty]),
    Effect.provideService(KnownMigrations, laterVersions[version]),
  ),
  {
    disableErrorReporting: true,
    teardown: (exit, onExit) => {
      const failed = Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause)
      if (failed) console.error(reasonOf(Cause.squash(exit.cause)))
      onExit(failed ? 1 : 0)
    },
  },
)
